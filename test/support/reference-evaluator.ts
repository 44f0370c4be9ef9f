import { Decimal } from 'decimal.js'
import type { FactState } from '../../src/domain/fact.ts'
import type { Condition } from '../../src/domain/rule.ts'

/** What a condition means, said as plainly as possible; `confidence` only of true, false and none. */
export interface Meaning {
  readonly result: 'true' | 'false' | 'none' | 'unknown' | 'error'
  readonly confidence: number | null
}

/** Names of facts whose values are numbers. */
export type Numbers = ReadonlySet<string>

/** Judges a condition by its definition alone: no compiling, no trace, no short cut. `depth` counts the `not`s above. */
export function meaningOf(
  condition: Condition,
  facts: Readonly<Record<string, FactState>>,
  numbers: Numbers,
  depth = 0,
): Meaning {
  if ('not' in condition) {
    const inner = meaningOf(condition.not, facts, numbers, depth + 1)
    if (inner.result === 'true') return { ...inner, result: 'false' }
    return inner.result === 'false' ? { ...inner, result: 'true' } : inner
  }
  if ('all' in condition) {
    const parts = condition.all.map((part) => meaningOf(part, facts, numbers, depth))
    const order =
      depth % 2 === 0 ? ['false', 'none', 'error', 'unknown'] : ['false', 'error', 'unknown', 'none']
    const first = order.find((result) => parts.some((part) => part.result === result))
    // One part decides a false or a none; all parts carry a true.
    return first === undefined
      ? pick('true', parts, Math.min)
      : pick(first as Meaning['result'], parts, Math.max)
  }
  if ('any' in condition) {
    const parts = condition.any.map((part) => meaningOf(part, facts, numbers, depth))
    const first = ['true', 'error', 'unknown'].find((result) => parts.some((part) => part.result === result))
    if (first === 'true') return pick('true', parts, Math.max)
    if (first !== undefined) return { result: first as 'error' | 'unknown', confidence: null }
    const result = parts.some((part) => part.result === 'false') ? 'false' : 'none'
    return { result, confidence: Math.min(...parts.map((part) => part.confidence ?? 1)) }
  }
  return leafMeaning(condition, facts, numbers)
}

function pick(
  result: Meaning['result'],
  parts: readonly Meaning[],
  choose: (...values: number[]) => number,
): Meaning {
  if (result === 'error' || result === 'unknown') return { result, confidence: null }
  const values = parts.filter((part) => part.result === result).map((part) => part.confidence ?? 1)
  return { result, confidence: choose(...values) }
}

function leafMeaning(
  leaf: Extract<Condition, { fact: string }>,
  facts: Readonly<Record<string, FactState>>,
  numbers: Numbers,
): Meaning {
  const state = facts[leaf.fact] ?? { state: 'unknown' as const }
  if (leaf.operator === 'isUnknown') {
    return { result: state.state === 'unknown' || state.state === 'error' ? 'true' : 'false', confidence: 1 }
  }
  if (leaf.operator === 'isKnown' || leaf.operator === 'isNone') {
    if (state.state === 'unknown' || state.state === 'error') return { result: state.state, confidence: null }
    const holds = state.state === (leaf.operator === 'isKnown' ? 'known' : 'none')
    return { result: holds ? 'true' : 'false', confidence: state.confidence }
  }
  if (!('value' in leaf)) throw new Error(leaf.operator)
  const { value } = leaf
  const isFact = typeof value === 'object' && !Array.isArray(value) && 'fact' in value
  const other: FactState = isFact
    ? (facts[(value as { fact: string }).fact] ?? { state: 'unknown', why: '', missing: [] })
    : { state: 'known', value: value as string, confidence: 1 }
  if (state.state === 'error' || other.state === 'error') return { result: 'error', confidence: null }
  if (state.state === 'unknown' || other.state === 'unknown') return { result: 'unknown', confidence: null }
  if (state.state !== 'known' || other.state !== 'known') {
    const sure = [state, other].map((each) => (each.state === 'none' ? each.confidence : 1))
    return { result: 'none', confidence: Math.min(...sure) }
  }
  const holds = test(leaf.operator, state.value, other.value, numbers.has(leaf.fact))
  return { result: holds ? 'true' : 'false', confidence: Math.min(state.confidence, other.confidence) }
}

function test(operator: string, left: unknown, right: unknown, isNumber: boolean): boolean {
  const same = (one: unknown, two: unknown) =>
    isNumber ? new Decimal(String(one)).eq(String(two)) : one === two
  const order = () => new Decimal(String(left)).cmp(String(right))
  switch (operator) {
    case 'equal':
      return same(left, right)
    case 'notEqual':
      return !same(left, right)
    case 'in':
      return (right as unknown[]).some((each) => same(left, each))
    case 'notIn':
      return !(right as unknown[]).some((each) => same(left, each))
    case 'contains':
      return Array.isArray(left) ? left.includes(right) : String(left).includes(String(right))
    case 'doesNotContain':
      return Array.isArray(left) ? !left.includes(right) : !String(left).includes(String(right))
    case 'lessThan':
      return order() < 0
    case 'lessThanInclusive':
      return order() <= 0
    case 'greaterThan':
      return order() > 0
    case 'greaterThanInclusive':
      return order() >= 0
    default:
      throw new Error(operator)
  }
}
