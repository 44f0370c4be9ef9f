import type { Chain } from '../domain/chain.ts'
import type { Answer, Bar, Missing, Offer, Reason } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import type { DecisionKind } from '../domain/policy.ts'
import type { ApiRequest } from '../domain/rule.ts'

/** What the rules and the graph say of one application under one reading of its facts. */
export interface Conclusion {
  readonly decision: DecisionKind
  readonly confidence: number
  /** Chains of the deciding outcome that reach its threshold, strongest first. */
  readonly deciding: readonly Chain[]
  readonly otherOutcomes: readonly Chain[]
  readonly strongestAdverse: Answer['strongest_adverse']
  readonly excluded: Answer['excluded']
  readonly context: Answer['context']
  readonly reasons: readonly Reason[]
  readonly internalReasons: readonly Reason[]
  readonly conditions: readonly Reason[]
  readonly offer: Offer | null
  readonly checksPassed: readonly string[]
  readonly bars: readonly Bar[]
  readonly advice: Answer['advice']
  readonly rules: Omit<Answer['rules'], 'set'>
  readonly missing: readonly Missing[]
  /** Facts whose evidence the rules behind the decision want next, in the order of their chains. */
  readonly wanted: readonly string[]
  /** Evidence that fired rules want from interfaces, in the order of the rules. */
  readonly requests: readonly ApiRequest[]
  readonly warnings: readonly string[]
  /** State of every fact as the rules saw it. */
  readonly states: ReadonlyMap<string, FactState>
}
