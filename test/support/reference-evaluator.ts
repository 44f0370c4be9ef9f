import { Decimal } from 'decimal.js'
import type { FactState, FactValue } from '../../src/domain/fact.ts'
import type { Condition, ConditionLeaf, Rule } from '../../src/domain/rule.ts'

/** What a condition means, said as plainly as possible; `confidence` only of true, false and none. */
export interface Meaning {
  readonly result: 'true' | 'false' | 'none' | 'unknown' | 'error'
  readonly confidence: number | null
}

/** Names of facts whose values are numbers; fields of a list's elements as `list[].field`. */
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
  if ('all' in condition)
    return allOf(
      condition.all.map((part) => meaningOf(part, facts, numbers, depth)),
      depth,
    )
  if ('any' in condition) return anyOf(condition.any.map((part) => meaningOf(part, facts, numbers, depth)))
  return isOverElements(condition)
    ? elementsMeaning(condition, facts, numbers, depth)
    : leafMeaning(condition, facts, numbers)
}

/** What a whole rule means: its condition, and with boosts that those which hold reach its threshold. */
export function ruleMeaning(
  rule: Pick<Rule, 'when' | 'boosts' | 'threshold'>,
  facts: Readonly<Record<string, FactState>>,
  numbers: Numbers,
): Meaning {
  const when = meaningOf(rule.when, facts, numbers)
  if (rule.boosts === undefined) return when
  const parts = rule.boosts.map(({ condition, boost }) => ({
    boost,
    ...meaningOf(condition, facts, numbers),
  }))
  const sum = (...results: string[]): Decimal =>
    parts
      .filter((part) => results.includes(part.result))
      .reduce((total, part) => total.add(part.boost), new Decimal(0))
  const needed = rule.threshold ?? 0.7
  const least = (list: readonly Meaning[]) => Math.min(1, ...list.map((part) => part.confidence ?? 1))
  const boosts: Meaning = sum('true').gte(needed)
    ? { result: 'true', confidence: Math.min(1, sum('true').toNumber()) }
    : sum('true', 'unknown', 'error').lt(needed)
      ? { result: 'false', confidence: least(parts.filter((part) => part.result !== 'true')) }
      : { result: parts.some((part) => part.result === 'error') ? 'error' : 'unknown', confidence: null }
  const whole = allOf([when, boosts], 0)
  return whole.result === 'true' ? boosts : whole
}

function allOf(parts: readonly Meaning[], depth: number): Meaning {
  const order =
    depth % 2 === 0 ? ['false', 'none', 'error', 'unknown'] : ['false', 'error', 'unknown', 'none']
  const first = order.find((result) => parts.some((part) => part.result === result))
  // One part decides a false or a none; all parts carry a true.
  return first === undefined
    ? pick('true', parts, Math.min)
    : pick(first as Meaning['result'], parts, Math.max)
}

function anyOf(parts: readonly Meaning[]): Meaning {
  const first = ['true', 'error', 'unknown'].find((result) => parts.some((part) => part.result === result))
  if (first === 'true') return pick('true', parts, Math.max)
  if (first !== undefined) return { result: first as 'error' | 'unknown', confidence: null }
  const result = parts.some((part) => part.result === 'false') ? 'false' : 'none'
  return { result, confidence: Math.min(...parts.map((part) => part.confidence ?? 1)) }
}

type ElementLeaf = Extract<ConditionLeaf, { operator: 'some' | 'every' }>

function isOverElements(leaf: ConditionLeaf): leaf is ElementLeaf {
  return leaf.operator === 'some' || leaf.operator === 'every'
}

/** The condition once for each element, with the element's fields as facts; nothing is said of an empty list. */
function elementsMeaning(
  leaf: ElementLeaf,
  facts: Readonly<Record<string, FactState>>,
  numbers: Numbers,
  depth: number,
): Meaning {
  const list = facts[leaf.fact]
  if (list === undefined || list.state === 'unknown') return { result: 'unknown', confidence: null }
  if (list.state === 'error') return { result: 'error', confidence: null }
  if (list.state === 'none') return { result: 'none', confidence: list.confidence }
  const elements = list.value as readonly Readonly<Record<string, FactValue>>[]
  if (elements.length === 0)
    return { result: leaf.operator === 'some' ? 'false' : 'none', confidence: list.confidence }
  const parts = elements.map((element) => {
    const fields = Object.entries(element).map(([name, value]): [string, FactState] => [
      `${leaf.fact}[].${name}`,
      { ...list, value },
    ])
    const others = Object.entries(facts).filter(([name]) => !name.startsWith(`${leaf.fact}[].`))
    return meaningOf(leaf.value, Object.fromEntries([...others, ...fields]), numbers, depth)
  })
  return leaf.operator === 'some' ? anyOf(parts) : allOf(parts, depth)
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
  leaf: Exclude<ConditionLeaf, ElementLeaf>,
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
  if (leaf.operator === 'verified_by') {
    if (state.state === 'unknown' || state.state === 'error') return { result: state.state, confidence: null }
    if (state.state === 'none') return { result: 'none', confidence: state.confidence }
    const holds = leaf.value.some((method) => method === state.method)
    return { result: holds ? 'true' : 'false', confidence: state.confidence }
  }
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
  // Days and times are written so that the later one is also the greater text.
  const order = (other: unknown) =>
    isNumber
      ? new Decimal(String(left)).cmp(String(other))
      : String(left) === String(other)
        ? 0
        : String(left) < String(other)
          ? -1
          : 1
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
      return order(right) < 0
    case 'lessThanInclusive':
      return order(right) <= 0
    case 'greaterThan':
      return order(right) > 0
    case 'greaterThanInclusive':
      return order(right) >= 0
    case 'between': {
      const [low, high] = right as unknown[]
      return order(low) >= 0 && order(high) <= 0
    }
    default:
      throw new Error(operator)
  }
}
