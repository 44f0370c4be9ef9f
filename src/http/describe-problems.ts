import { Problem } from '../domain/responses.ts'
import { type FailureCode, failures } from '../errors.ts'
import type { ApiAnswer } from '../ui/api-document.ts'
import type { Who } from './access.ts'
import { schemaOf } from './describe-schemas.ts'
import { typeOf } from './problem.ts'
import type { RouteAbout } from './route.ts'

/** Failures that any route can answer with. */
const everywhere: readonly FailureCode[] = [
  'HOST_UNKNOWN',
  'REQUEST_MALFORMED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
]
const withBody: readonly FailureCode[] = [
  'BODY_MISSING',
  'BODY_NOT_JSON',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'REQUEST_INVALID',
]

const withKey: readonly FailureCode[] = ['IDEMPOTENCY_CONFLICT']
const withAccess: readonly FailureCode[] = ['KEY_MISSING', 'KEY_NOT_VALID', 'RATE_LIMITED']
const withRole: readonly FailureCode[] = ['ROLE_NOT_ALLOWED']

/** The problems a route can answer with, by status: those of its own, those of every route, and our own mistakes. */
export function describeProblems(about: RouteAbout, method: string, who: Who): Record<string, ApiAnswer> {
  const codes = new Set([
    ...about.failures,
    ...everywhere,
    ...(about.body === undefined ? [] : withBody),
    ...(method === 'POST' ? withKey : []),
    ...(who === 'open' ? [] : withAccess),
    ...(typeof who === 'string' ? [] : withRole),
  ])
  const lines = new Map<number, string[]>()
  for (const code of codes) {
    const { status, title } = failures[code]
    lines.set(status, [...(lines.get(status) ?? []), `${title} (\`${typeOf(code)}\`).`])
  }
  lines.set(500, [...(lines.get(500) ?? []), `The service failed (\`${typeOf('UNEXPECTED')}\`).`])
  const content = { 'application/problem+json': { schema: schemaOf(Problem) } }
  return Object.fromEntries(
    [...lines].map(([status, texts]) => [String(status), { description: texts.sort().join(' '), content }]),
  )
}
