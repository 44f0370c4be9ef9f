import { randomUUID } from 'node:crypto'
import type { Problem } from '../domain/responses.ts'
import { Failure, type FailureCode, failures } from '../errors.ts'

/** What the caller is told of failures on our side: what it means for them, nothing of how the service is made. */
const ourSide: Partial<Record<FailureCode, string>> = {
  STORE_UNAVAILABLE:
    'The decision could not be recorded, so it is not answered. Nothing was kept; try again.',
  OVERLOADED:
    'More decisions are waiting than can be decided in time. Nothing was kept; try again in a moment.',
  NO_RULES: 'The service has no rule set, so it decides nothing.',
  RULES_FAILING:
    'The rules of this policy have been bad for longer than is allowed, so it decides nothing until they are good again.',
  GRAPH_MIGRATION_PENDING:
    'A change of the causal knowledge waits to be applied (`causebook graph migrate`).',
  GRAPH_MIGRATION_EDITED:
    'An applied change of the causal knowledge was edited; `causebook graph status` names it.',
  LEDGER_BROKEN: 'The record of this decision does not verify; `causebook verify` names the place.',
}

/** Writes one line where the operator reads; never holds a caller's data. */
export type Log = (line: string) => void

/**
 * The one place where anything thrown becomes a response: `application/problem+json` with a stable type, and for
 * each bad field its JSON pointer and a sentence. A failure on our side tells the caller an id and no more.
 */
export function problem(error: unknown, instance: string, log: Log): Response {
  if (!(error instanceof Failure)) return unexpected(error, instance, log)
  const { status, title } = failures[error.code]
  const body = { type: typeOf(error.code), title, status, instance }
  if (status >= 500) {
    const id = randomUUID()
    log(`failure ${id} ${error.code}: ${error.message}${causeOf(error)}`)
    const detail = ourSide[error.code] ?? 'The service could not do this.'
    return respond({ ...body, detail, failure_id: id }, status === 503 ? { 'retry-after': '1' } : {})
  }
  const errors = error.faults
    .filter((fault) => error.code === 'REQUEST_INVALID' || fault.at !== '')
    .map((fault) => ({ pointer: fault.at, detail: fault.why }))
  const detail = error.faults.length === 1 ? sentence(error) : `${error.faults.length} fields are not right`
  return respond({ ...body, detail, ...(errors.length > 0 ? { errors } : {}) })
}

/** `urn:causebook:problem:request-invalid` */
export function typeOf(code: string): string {
  return `urn:causebook:problem:${code.toLowerCase().replaceAll('_', '-')}`
}

function unexpected(error: unknown, instance: string, log: Log): Response {
  const id = randomUUID()
  log(`failure ${id} unexpected: ${traceOf(error)}`)
  const detail = 'The service made a mistake. Nothing of this request was answered; its log holds the id.'
  const title = 'The service failed'
  return respond({ type: typeOf('UNEXPECTED'), title, status: 500, instance, detail, failure_id: id })
}

function sentence(error: Failure): string {
  const fault = error.faults[0]
  if (fault === undefined) return failures[error.code].title
  return fault.at === '' ? fault.why : `${fault.at}: ${fault.why}`
}

/** An access key that somebody put into an address or a field by mistake is not said back. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/(cbk_[0-9a-f]{12}_)[A-Za-z0-9_-]+/g, '$1…')
}

/** The kind of error and where it arose; its message may hold a caller's data and stays out of the log. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames.slice(0, 8).map((line) => line.trim())].join(' | ')
}

function causeOf(error: Failure): string {
  const { cause } = error
  if (!(cause instanceof Error)) return ''
  const code = 'code' in cause ? ` ${String(cause.code)}` : ''
  return ` (cause: ${cause.name}${code})`
}

function respond(body: Problem, headers: Record<string, string> = {}): Response {
  return new Response(`${withoutSecrets(JSON.stringify(body))}\n`, {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}
