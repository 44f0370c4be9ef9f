/**
 * Catalogue of expected failures. Each code has an entry in `docs/errors.md` (a test compares the two) and, where
 * it can reach a caller, the HTTP status it becomes.
 */
export const failures = {
  CONFIG_INVALID: { status: 500, title: 'The configuration is not valid' },
  RULE_FILE_INVALID: { status: 422, title: 'A rule file is not valid' },
  GRAPH_FILE_INVALID: { status: 422, title: 'A graph migration is not valid' },
  GRAPH_MIGRATION_EDITED: { status: 503, title: 'An applied graph migration was edited' },
  GRAPH_MIGRATION_PENDING: { status: 503, title: 'A graph migration waits to be applied' },
  NO_RULES: { status: 503, title: 'No rule set is loaded' },
  RULES_FAILING: { status: 503, title: 'The rules have been bad for too long' },
  RULE_UNKNOWN: { status: 404, title: 'There is no such rule' },
  BODY_MISSING: { status: 400, title: 'The request has no body' },
  BODY_NOT_JSON: { status: 400, title: 'The body is not valid JSON' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, title: 'The content type is not supported' },
  REQUEST_MALFORMED: { status: 400, title: 'The request is no valid HTTP' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not come in whole in time' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request has too many headers' },
  REQUEST_INVALID: { status: 422, title: 'The request is not valid' },
  POLICY_UNKNOWN: { status: 422, title: 'There is no such policy' },
  DECISION_UNKNOWN: { status: 404, title: 'There is no such decision' },
  APPLICATION_UNKNOWN: { status: 404, title: 'There is no such application' },
  APPLICATION_CONFLICT: { status: 409, title: 'The application changed while it was decided' },
  IDEMPOTENCY_CONFLICT: { status: 409, title: 'The idempotency key was used for another request' },
  KEY_MISSING: { status: 401, title: 'The request carries no access key' },
  KEY_NOT_VALID: { status: 401, title: 'The access key is not valid' },
  KEY_UNKNOWN: { status: 404, title: 'There is no such access key' },
  ROLE_NOT_ALLOWED: { status: 403, title: "The access key's role may not do this" },
  RATE_LIMITED: { status: 429, title: 'The access key asks too often' },
  ROUTE_UNKNOWN: { status: 404, title: 'There is no such address' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This address does not take that method' },
  HOST_UNKNOWN: { status: 421, title: 'The service does not answer under that host name' },
  STORE_UNAVAILABLE: { status: 503, title: 'The store cannot record' },
  STORE_VERSION_UNKNOWN: { status: 503, title: 'The store was written by another version' },
  LEDGER_BROKEN: { status: 500, title: 'The ledger does not verify' },
  OVERLOADED: { status: 503, title: 'Too many decisions are waiting' },
  USAGE: { status: 400, title: 'The command was called wrongly' },
} as const satisfies Record<string, { status: number; title: string }>

export type FailureCode = keyof typeof failures

/** One thing wrong: where (JSON pointer or file:line:column), and a sentence saying what was found and what is right. */
export interface Fault {
  readonly at: string
  readonly why: string
}

/** An expected failure: its code from the catalogue and everything found wrong. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly faults: readonly Fault[]

  constructor(code: FailureCode, faults: Fault | readonly Fault[], options?: { cause?: unknown }) {
    const list: readonly Fault[] = Array.isArray(faults) ? faults : [faults as Fault]
    super(
      list.map((fault) => (fault.at === '' ? fault.why : `${fault.at}: ${fault.why}`)).join('\n'),
      options,
    )
    this.name = 'Failure'
    this.code = code
    this.faults = list
  }
}
