import { Hono } from 'hono'
import type { DecisionService } from '../decision/decision-service.ts'
import { Failure } from '../errors.ts'
import { applicationRoutes } from './applications.ts'
import { checkHost } from './check-host.ts'
import { decisionRoutes } from './decisions.ts'
import { healthRoutes } from './health.ts'
import { type Log, problem } from './problem.ts'
import type { Route } from './route.ts'

export interface AppDeps {
  readonly service: DecisionService
  readonly log: Log
}

/** The HTTP face of the decision service: its routes, and one shape for everything that goes wrong. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono()
  const routes = [
    ...decisionRoutes(deps.service),
    ...applicationRoutes(deps.service),
    ...healthRoutes(deps.service),
  ]
  app.use(async (context, next) => {
    checkHost(context.req.header('host'))
    await next()
    context.header('x-content-type-options', 'nosniff')
    context.header('cache-control', 'no-store')
  })
  for (const { method, path, handle } of routes) app.on(method, path, handle)
  for (const path of new Set(routes.map((route) => route.path))) {
    app.all(path, (context) => refuseMethod(context.req.method, path, routes, context.req.path, deps.log))
  }
  app.notFound((context) =>
    problem(
      new Failure('ROUTE_UNKNOWN', { at: '', why: `there is nothing at \`${shown(context.req.path)}\`` }),
      context.req.path,
      deps.log,
    ),
  )
  app.onError((error, context) => problem(error, context.req.path, deps.log))
  return app
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
