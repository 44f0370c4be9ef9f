import type { DecisionRequest, RecordedAnswer } from '../domain/decision.ts'
import type { FactVersion } from '../domain/fact.ts'

export interface ReplayResult {
  readonly decisionId: string
  readonly identical: boolean
  /** Plain sentences, one per difference; empty when identical. */
  readonly differences: readonly string[]
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
}

/** What the service does for its callers, whoever they are: HTTP, the command line, tests. */
export interface DecisionService {
  /**
   * Decides, records durably, then answers. Failures: REQUEST_INVALID, POLICY_UNKNOWN, APPLICATION_CONFLICT,
   * STORE_UNAVAILABLE, OVERLOADED.
   */
  decide(request: DecisionRequest, actor: string): Promise<RecordedAnswer>
  find(decisionId: string): Promise<RecordedAnswer | undefined>
  facts(applicationId: string): Promise<readonly FactVersion[]>
  /** Decides again from the record alone and compares the bytes. Failures: DECISION_UNKNOWN. */
  replay(decisionId: string): Promise<ReplayResult>
  readiness(): Promise<Readiness>
}
