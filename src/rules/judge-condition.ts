import type { Condition } from '../domain/rule.ts'
import { certain, mergeNames, strongestOf, type Trust, weakestOf } from './computed.ts'
import type { ConditionResult } from './evaluation.ts'
import { isElementLeaf, judgeElements } from './judge-elements.ts'
import { judgeLeaf } from './judge-leaf.ts'
import { type JudgeContext, type Judgement, shownConfidence } from './judgement.ts'

export type { JudgeContext, Judgement } from './judgement.ts'

/**
 * Judges a condition in three states. Every part is looked at, so that the trace is whole.
 *
 * - A comparison: error where a side is, else unknown, else not applicable where a side is none.
 * - `some` and `every` join what comes of their elements as `any` and `all` do.
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
  if (!isElementLeaf(condition)) return judgeLeaf(condition, context)
  return judgeElements(condition, context, (element) => judgeCondition(condition.value, element, negated), {
    all: (parts) => joinAll(parts, negated),
    any: joinAny,
  })
}

/** What parts that must all hold come to; `negated`: under an odd number of `not`. */
export function joinAll(parts: readonly Judgement[], negated: boolean): Judgement {
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
