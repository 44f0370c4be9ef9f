import type { ComparisonOperator, Condition, Operand as RuleOperand } from '../domain/rule.ts'
import { compare, isFactOperand, literal, marginOf } from './compare-values.ts'
import {
  type Computed,
  certain,
  mergeNames,
  strongestOf,
  type Trust,
  toFactValue,
  weakestOf,
} from './computed.ts'
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

/**
 * Judges a condition in three states. Every part is looked at, so that the trace is whole.
 *
 * - A comparison: error where a side is, else unknown, else not applicable where a side is none.
 * - `all`: false, else not applicable, else error, else unknown, else true. Under an odd number of `not`, error and
 *   unknown go before not applicable: what is still open could be false, and its negation true.
 * - `any`: true, else error, else unknown, else false where a branch is, else not applicable.
 * - `not` swaps true and false and keeps the rest.
 */
export function judgeCondition(condition: Condition, context: JudgeContext, negated = false): Judgement {
  if ('all' in condition) {
    const parts = condition.all.map((part) => judgeCondition(part, context, negated))
    return joinAll(parts, negated)
  }
  if ('any' in condition) {
    return joinAny(condition.any.map((part) => judgeCondition(part, context, negated)))
  }
  if ('not' in condition) return invert(judgeCondition(condition.not, context, !negated))
  if ('value' in condition) return judgeComparison(condition, context)
  return judgeState(condition.fact, condition.operator, context)
}

function joinAll(parts: readonly Judgement[], negated: boolean): Judgement {
  const has = (result: ConditionResult) => parts.some((part) => part.result === result)
  if (has('false')) return join('all', 'false', parts, strongestOf(trusts(parts, 'false')))
  if (!negated && has('none')) return join('all', 'none', parts, strongestOf(trusts(parts, 'none')))
  if (has('error')) return join('all', 'error', parts, certain)
  if (has('unknown')) return join('all', 'unknown', parts, certain)
  if (has('none')) return join('all', 'none', parts, strongestOf(trusts(parts, 'none')))
  return join('all', 'true', parts, weakestOf(trusts(parts, 'true')))
}

function joinAny(parts: readonly Judgement[]): Judgement {
  const has = (result: ConditionResult) => parts.some((part) => part.result === result)
  if (has('true')) return join('any', 'true', parts, strongestOf(trusts(parts, 'true')))
  if (has('error')) return join('any', 'error', parts, certain)
  if (has('unknown')) return join('any', 'unknown', parts, certain)
  return join('any', has('false') ? 'false' : 'none', parts, weakestOf(parts.map((part) => part.trust)))
}

function invert(part: Judgement): Judgement {
  const result = part.result === 'true' ? 'false' : part.result === 'false' ? 'true' : part.result
  return join('not', result, [part], part.trust)
}

function trusts(parts: readonly Judgement[], result: ConditionResult): Trust[] {
  return parts.filter((part) => part.result === result).map((part) => part.trust)
}

function join(
  kind: 'all' | 'any' | 'not',
  result: Judgement['result'],
  parts: readonly Judgement[],
  trust: Trust,
): Judgement {
  const open = result === 'unknown' || result === 'error'
  return {
    result,
    trust,
    missing: open ? mergeNames(parts.map((part) => part.missing)) : [],
    errors: open ? mergeNames(parts.map((part) => part.errors)) : [],
    trace: {
      kind,
      result,
      confidence: shownConfidence(result, trust),
      parts: parts.map((part) => part.trace),
    },
  }
}

function shownConfidence(result: ConditionResult, trust: Trust): number | null {
  return result === 'true' || result === 'false' || result === 'none' ? trust.confidence : null
}

function judgeState(
  fact: string,
  operator: 'isKnown' | 'isUnknown' | 'isNone',
  context: JudgeContext,
): Judgement {
  const state = context.read(fact)
  const leaf = { kind: 'state' as const, fact, operator, required: null, requiredFact: null, margin: null }
  const actual = state.state === 'known' ? toFactValue(state.value) : null
  const whyOpen = state.state === 'unknown' || state.state === 'error' ? state.why : null
  if (operator === 'isUnknown') {
    const holds = whyOpen !== null
    return leafOf(holds ? 'true' : 'false', certain, [], { ...leaf, actual, why: whyOpen })
  }
  if (state.state === 'error') return leafOf('error', certain, [], { ...leaf, actual, why: state.why })
  if (state.state === 'unknown')
    return leafOf('unknown', certain, state.missing, { ...leaf, actual, why: state.why })
  const holds = (operator === 'isKnown') === (state.state === 'known')
  return leafOf(holds ? 'true' : 'false', state, [], {
    ...leaf,
    actual,
    why: state.state === 'none' ? noneThere : null,
  })
}

const noneThere = 'asked, and there is none'

type LeafTrace = Extract<ConditionTrace, { fact: string }>

function leafOf(
  result: Judgement['result'],
  trust: Trust,
  missing: readonly string[],
  leaf: Omit<LeafTrace, 'result' | 'confidence'>,
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

interface Comparison {
  readonly fact: string
  readonly operator: ComparisonOperator
  readonly value: RuleOperand
}

function judgeComparison(condition: Comparison, context: JudgeContext): Judgement {
  const { fact, operator, value } = condition
  const declaration = context.declared.get(fact)?.declaration
  if (declaration === undefined) throw new TypeError(`there is no fact \`${fact}\``)
  const left = context.read(fact)
  const requiredFact = isFactOperand(value) ? value.fact : null
  const right: Computed = isFactOperand(value)
    ? context.read(value.fact)
    : { state: 'known', value: literal(operator, declaration.type, declaration.of, value), ...certain }
  const leaf = {
    kind: 'comparison' as const,
    fact,
    operator,
    actual: left.state === 'known' ? toFactValue(left.value) : null,
    required: right.state === 'known' ? toFactValue(right.value) : null,
    requiredFact,
    margin: null,
  }
  const sides = [left, right]
  const error = sides.find((side) => side.state === 'error')
  if (error !== undefined) return leafOf('error', certain, [], { ...leaf, why: error.why })
  const unknown = sides.filter((side) => side.state === 'unknown')
  if (unknown.length > 0) {
    const missing = mergeNames(unknown.map((side) => side.missing))
    const why = mergeNames([unknown.map((side) => side.why)]).join('; ')
    return leafOf('unknown', certain, missing, { ...leaf, why })
  }
  const nones = sides.filter((side) => side.state === 'none')
  if (left.state !== 'known' || right.state !== 'known') {
    return leafOf('none', weakestOf(nones), [], { ...leaf, why: noneThere })
  }
  const result = compare(operator, left.value, right.value) ? 'true' : 'false'
  return leafOf(result, weakestOf([left, right]), [], {
    ...leaf,
    margin: marginOf(operator, left.value, right.value),
    why: null,
  })
}
