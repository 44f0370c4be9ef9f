import type { RecordedAnswer } from '../domain/decision.ts'
import type { FactVersion } from '../domain/fact.ts'
import type { CounterfactualAnswer, WhatIfAnswer, WhatIfRequest } from '../domain/hypothetical.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import type { DecisionRequest } from '../domain/request.ts'
import type { Readiness } from '../domain/responses.ts'
import type { Answered } from './find-answered.ts'

export interface ReplayResult {
  readonly decisionId: string
  readonly identical: boolean
  /** Plain sentences, one per difference; empty when identical. */
  readonly differences: readonly string[]
}

/** What the service does for its callers, whoever they are: HTTP, the command line, tests. */
export interface DecisionService {
  /**
   * Decides, records durably, then answers. Failures: REQUEST_INVALID, POLICY_UNKNOWN, APPLICATION_CONFLICT,
   * GRAPH_MIGRATION_EDITED, GRAPH_MIGRATION_PENDING, STORE_UNAVAILABLE, OVERLOADED; with a claim that was made in the meantime: AnsweredBefore.
   */
  decide(request: DecisionRequest, actor: string, claim?: IdempotencyClaim): Promise<RecordedAnswer>
  /** What a request with this claim was answered before, if it was. Failure: IDEMPOTENCY_CONFLICT. */
  answered(claim: IdempotencyClaim): Promise<Answered | undefined>
  find(decisionId: string): Promise<RecordedAnswer | undefined>
  facts(applicationId: string): Promise<readonly FactVersion[]>
  /** Decides again from the record alone and compares the bytes. Failures: DECISION_UNKNOWN. */
  replay(decisionId: string): Promise<ReplayResult>
  /**
   * Decides a recorded decision's application, or a request, as it would be with changes. Nothing is recorded but
   * that it was asked; with a claim, the answer to give again. Failures: REQUEST_INVALID, POLICY_UNKNOWN,
   * DECISION_UNKNOWN, LEDGER_BROKEN, STORE_UNAVAILABLE, OVERLOADED, and AnsweredBefore as for `decide`.
   */
  whatIf(request: WhatIfRequest, actor: string, claim?: IdempotencyClaim): Promise<WhatIfAnswer>
  /**
   * The smallest change of one fact that gives a better decision than a recorded one. Nothing is recorded but that
   * it was asked; with a claim, the answer to give again. Failures: DECISION_UNKNOWN, LEDGER_BROKEN,
   * STORE_UNAVAILABLE, OVERLOADED, and AnsweredBefore as for `decide`.
   */
  counterfactual(decisionId: string, actor: string, claim?: IdempotencyClaim): Promise<CounterfactualAnswer>
  readiness(): Promise<Readiness>
}
