import { type Computed, certain, type Trust } from './computed.ts'
import type { ConditionResult, ConditionTrace } from './evaluation.ts'
import type { DeclaredFact } from './rule-set.ts'

/** A judged condition: its trace, and what the rule needs to know beyond it. */
export interface Judgement {
  readonly result: Exclude<ConditionResult, 'not_evaluated'>
  /** Of a true, false or not applicable result. */
  readonly trust: Trust
  /** Base facts without which it stays unknown. */
  readonly missing: readonly string[]
  readonly errors: readonly string[]
  readonly trace: ConditionTrace
}

export interface JudgeContext {
  readonly declared: ReadonlyMap<string, DeclaredFact>
  readonly read: (name: string) => Computed
}

type LeafTrace = Extract<ConditionTrace, { fact: string }>
type Without<Part, Names extends string> = Part extends unknown ? Omit<Part, Names> : never

/** Why a comparison with a none is not applicable. */
export const noneThere = 'asked, and there is none'

/** Judgement of a leaf whose trace is the one given. */
export function leafOf(
  result: Judgement['result'],
  trust: Trust,
  missing: readonly string[],
  leaf: Without<LeafTrace, 'result' | 'confidence'>,
): Judgement {
  const errors = result === 'error' ? [`${leaf.fact}: ${leaf.why ?? 'error'}`] : []
  const { confidence, weakest } = trust
  return {
    result,
    trust: { confidence, weakest },
    missing,
    errors,
    trace: { ...leaf, result, confidence: shownConfidence(result, trust) },
  }
}

/** Judgement of a leaf on a side that is unknown or in error. */
export function openLeaf(
  side: Extract<Computed, { state: 'unknown' | 'error' }>,
  leaf: Without<LeafTrace, 'result' | 'confidence' | 'why'>,
): Judgement {
  const missing = side.state === 'unknown' ? side.missing : []
  return leafOf(side.state, certain, missing, { ...leaf, why: side.why })
}

/** A confidence is shown of a true, false or not applicable result. */
export function shownConfidence(result: ConditionResult, trust: Trust): number | null {
  return result === 'true' || result === 'false' || result === 'none' ? trust.confidence : null
}
