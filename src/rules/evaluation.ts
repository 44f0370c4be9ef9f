import type { Episode, Finding } from '../domain/episode.ts'
import type { FactState, FactValue } from '../domain/fact.ts'

/** What a rule set is asked: everything an evaluation depends on. */
export interface Question {
  /** Believed base facts by name; a fact under the policy's `min_confidence` is given as unknown. Absent: unknown. */
  readonly facts: ReadonlyMap<string, FactState>
  readonly consents: readonly string[]
  readonly asOfMs: number
  readonly receivedAtMs: number
  /** The subject's episodes, stored and posted, in any order; `undefined`: the history could not be read. */
  readonly history: readonly Episode[] | undefined
  /** Whether `type` is `ancestor` or one of its subtypes. */
  readonly isSubtype: (type: string, ancestor: string) => boolean
  /** Derived facts and memory keys given directly (embedded tests): used instead of what would be worked out. */
  readonly replaced?: ReadonlyMap<string, FactState>
}

/** `none` is "not applicable". */
export type ConditionResult = 'true' | 'false' | 'unknown' | 'none' | 'error' | 'not_evaluated'

export type ConditionTrace =
  | {
      readonly kind: 'all' | 'any' | 'not'
      readonly result: ConditionResult
      /** Of a true, false or not applicable result; null otherwise. */
      readonly confidence: number | null
      readonly parts: readonly ConditionTrace[]
    }
  | {
      readonly kind: 'comparison' | 'state'
      readonly result: ConditionResult
      readonly confidence: number | null
      readonly fact: string
      readonly operator: string
      /** Null: none, unknown or in error; `why` says which. */
      readonly actual: FactValue | null
      readonly required: FactValue | null
      readonly requiredFact: string | null
      /** How far the fact is from the other answer: decimal text, or `P12D` between days. */
      readonly margin: string | null
      readonly why: string | null
    }
  | {
      readonly kind: 'elements'
      readonly result: ConditionResult
      readonly confidence: number | null
      readonly fact: string
      readonly operator: string
      readonly actual: FactValue | null
      readonly required: null
      readonly requiredFact: null
      readonly margin: null
      readonly why: string | null
      /** The first element that decides, from 0; null where the list itself does. */
      readonly element: { readonly index: number; readonly trace: ConditionTrace } | null
    }
  | {
      readonly kind: 'boosts'
      readonly result: ConditionResult
      readonly confidence: number | null
      readonly parts: readonly ConditionTrace[]
      /** What each part adds where it is true, what came together, and from where it is enough: decimal text. */
      readonly boosts: readonly string[]
      readonly sum: string
      readonly threshold: string
    }

export type RuleOutcome = 'fired' | 'not_fired' | 'not_applicable' | 'unknown' | 'error'

/** What became of one rule version in force. `confidence`, `weakest` and `trace` may be worked out when they are read. */
export interface RuleResult {
  readonly id: string
  readonly ruleId: string
  readonly outcome: RuleOutcome
  /** Of fired, not fired and not applicable; null otherwise. */
  readonly confidence: number | null
  /** The base fact whose confidence made `confidence`; null when none did. */
  readonly weakest: string | null
  /** Base facts (leaves under derived ones) without which the rule stays unknown, sorted. */
  readonly unknownFacts: readonly string[]
  readonly error: string | null
  readonly trace: ConditionTrace
  /** Only of a fired rule. */
  readonly findings: readonly Finding[]
}

export interface MemoryWrite {
  readonly key: string
  readonly state: FactState
  /** Rule versions that fired and set it. */
  readonly writers: readonly string[]
}

export interface Evaluation {
  /** Every rule version in force, ordered by rule id; worked out when it is read. */
  readonly rules: readonly RuleResult[]
  /** Those of `rules` that came out as anything but not fired. */
  readonly notable: readonly RuleResult[]
  /** How many of `rules` did not fire. */
  readonly notFired: number
  /** Rule ids of which no version was in force at `received_at`. */
  readonly notInForce: readonly string[]
  /** Findings of all fired rules, in the order of `rules`. */
  readonly findings: readonly Finding[]
  readonly memory: readonly MemoryWrite[]
  /** State of everything readable: declared, derived, memory, built in. Derived or set ones that are weak: unknown. */
  readonly states: ReadonlyMap<string, FactState>
  /** Derived facts by name as derived (weak ones with their value). */
  readonly derived: ReadonlyMap<string, FactState>
}
