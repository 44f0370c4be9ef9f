import type { Context, MiddlewareHandler } from 'hono'
import { type Access, type Caller, local, type Refusal } from '../access/open-access.ts'
import { Failure, type FailureCode } from '../errors.ts'
import type { Who } from './access.ts'
import { type Log, problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * Stands before one route and lets in only who may call it. Knows nothing of what lies behind, so its answer is the
 * same whether or not that exists. Refusals are 401 (KEY_MISSING, KEY_NOT_VALID), 403 (ROLE_NOT_ALLOWED) or 429
 * (RATE_LIMITED), and are noted.
 */
export function authorise(
  access: Access,
  who: Who,
  route: { readonly method: string; readonly path: string },
  log: Log,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const admitted = who === 'open' ? {} : await admit(access, who, context)
    if (!('refusal' in admitted)) {
      if ('caller' in admitted) context.set('caller', admitted.caller)
      return next()
    }
    const { why, keyId } = admitted.refusal
    access.denials.note({ key_id: keyId, method: route.method, route: route.path, why })
    return refuse(admitted.refusal, who, context.req.path, log)
  }
}

type Admitted = { readonly caller: Caller } | { readonly refusal: Refusal } | { readonly caller?: never }

async function admit(access: Access, who: Who, context: Context<AppEnv>): Promise<Admitted> {
  const shown = context.req.header('authorization')
  // Does not wait for the store, whose failure is what a readiness check is there to tell.
  if (who === 'details_with_key' && shown === undefined) {
    return (await access.needsKey()) ? {} : { caller: local }
  }
  const admitted = await access.admit(shown)
  if ('refusal' in admitted || typeof who === 'string') return admitted
  const { id, roles } = admitted.caller
  if (roles.some((role) => who.includes(role))) return admitted
  return { refusal: { why: 'role', keyId: id } }
}

function refuse(refusal: Refusal, who: Who, instance: string, log: Log): Response {
  const [code, why] = explain(refusal, who)
  const response = problem(new Failure(code, { at: '', why }), instance, log)
  if (response.status === 401) {
    const error = code === 'KEY_NOT_VALID' ? ', error="invalid_token"' : ''
    response.headers.set('www-authenticate', `Bearer realm="causebook"${error}`)
  }
  if (refusal.afterMs !== undefined) {
    response.headers.set('retry-after', String(Math.ceil(refusal.afterMs / 1000)))
  }
  return response
}

function explain({ why, afterMs = 0 }: Refusal, who: Who): [FailureCode, string] {
  switch (why) {
    case 'missing':
      return [
        'KEY_MISSING',
        'expected the header `Authorization: Bearer …` with an access key; there is none',
      ]
    case 'unknown':
      return ['KEY_NOT_VALID', 'expected `Bearer` and an access key as `keys create` showed it; this is none']
    case 'expired':
      return ['KEY_NOT_VALID', 'this access key has expired; ask for a new one']
    case 'revoked':
      return ['KEY_NOT_VALID', 'this access key was revoked; ask for a new one']
    case 'role': {
      const roles = typeof who === 'string' ? [] : who
      return [
        'ROLE_NOT_ALLOWED',
        `expected a key with the role ${roles.join(' or ')}; this one has none of them`,
      ]
    }
    case 'rate':
      return ['RATE_LIMITED', `this key has asked too often; the next request may come in ${afterMs} ms`]
  }
}
