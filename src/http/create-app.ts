import { type Context, Hono } from 'hono'
import type { Access } from '../access/open-access.ts'
import { Role } from '../domain/access-key.ts'
import { Failure } from '../errors.ts'
import { type Who, access as whoMay } from './access.ts'
import { allRoutes, type RoutesDeps } from './all-routes.ts'
import { authorise } from './authorise.ts'
import { checkHost } from './check-host.ts'
import type { ApiParts } from './openapi.ts'
import { type Log, problem } from './problem.ts'
import type { AppEnv, Route } from './route.ts'

export interface AppDeps extends RoutesDeps {
  readonly access: Access
  readonly log: Log
  /** What the API's description shows beside the routes. */
  readonly api?: ApiParts
}

/** The HTTP face of the decision service: its routes, and one shape for everything that goes wrong. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const routes = allRoutes(deps, deps.api ?? { version: '', examples: [] })
  app.use(async (context, next) => {
    // Another page's name for this machine gets at nothing where a key is needed.
    if (!(await deps.access.needsKey())) checkHost(context.req.header('host'))
    await next()
    context.header('x-content-type-options', 'nosniff')
    context.header('cache-control', 'no-store')
  })
  const refuseUnknown = (context: Context<AppEnv>) =>
    problem(
      new Failure('ROUTE_UNKNOWN', { at: '', why: `there is nothing at \`${shown(context.req.path)}\`` }),
      context.req.path,
      deps.log,
    )
  // Whatever else is asked under /v1 needs a key too, so that nobody without one learns what there is.
  const anyKey = (path: string) =>
    authorise(deps.access, path.startsWith('/v1') ? Role.options : 'open', { method: '*', path }, deps.log)
  for (const path of mostExactFirst(routes)) {
    for (const route of routes.filter((one) => one.path === path)) {
      app.on(route.method, path, authorise(deps.access, whoMayCall(route), route, deps.log), route.handle)
    }
    app.all(path, anyKey(path), (context) =>
      refuseMethod(context.req.method, path, routes, context.req.path, deps.log),
    )
  }
  app.all('/v1/*', anyKey('/v1/*'), refuseUnknown)
  app.notFound(refuseUnknown)
  app.onError((error, context) => problem(error, context.req.path, deps.log))
  return app
}

/** An address that is spelled out belongs to itself alone: `/v1/decisions/what-if` is the id of no decision. */
function mostExactFirst(routes: readonly Route[]): readonly string[] {
  const paths = [...new Set(routes.map((route) => route.path))]
  const isSpelledOut = (path: string) => !path.includes(':')
  return [...paths.filter(isSpelledOut), ...paths.filter((path) => !isSpelledOut(path))]
}

// Invariant: a route that the table forgot is not served at all.
function whoMayCall({ method, path }: Route): Who {
  const who = whoMay[`${method} ${path}`]
  if (who === undefined) throw new TypeError(`src/http/access.ts does not say who may call ${method} ${path}`)
  return who
}

function refuseMethod(
  method: string,
  path: string,
  routes: readonly Route[],
  instance: string,
  log: Log,
): Response {
  const known = routes.filter((route) => route.path === path).map((route) => route.method)
  const allowed = known.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  const why = `this address takes ${allowed}; got \`${shown(method)}\``
  const response = problem(new Failure('METHOD_NOT_ALLOWED', { at: '', why }), instance, log)
  response.headers.set('allow', allowed)
  return response
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
