import type { FactType } from '../domain/fact.ts'
import { decimalTypes } from '../domain/fact.ts'
import type { Condition } from '../domain/rule.ts'
import type { Operand } from './computed.ts'
import { orderNumber } from './frame.ts'
import { isComparison, type LeafContext, readyLiteral, slotOf } from './leaf-soundness.ts'

/** What the value of a known fact is looked up by: of decimals their double, of the others the value itself. */
export type Key = string | boolean | number

/**
 * A test of a known value without which a condition is false: the value has one of these keys, or its double is at
 * least or at most the bound. A value may pass and the condition be false for all that.
 */
export type NecessaryTest =
  | { readonly slot: number; readonly kind: 'one of'; readonly keys: readonly Key[] }
  | { readonly slot: number; readonly kind: 'at least' | 'at most'; readonly bound: number }

/** Tests by which a condition can be passed over: parts of its outermost `all`s, since one false part makes an `all` false. */
export function necessaryTests(condition: Condition, context: LeafContext): readonly NecessaryTest[] {
  if ('all' in condition) return condition.all.flatMap((part) => necessaryTests(part, context))
  if ('any' in condition || 'not' in condition || !isComparison(condition)) return []
  const slot = slotOf(condition.fact, context)
  const type = context.declared.get(condition.fact)?.declaration.type
  const right = readyLiteral(condition, context)
  if (slot === undefined || type === undefined || right === undefined) return []
  return testsOf(condition.operator, slot, type, right)
}

function testsOf(operator: string, slot: number, type: FactType, right: Operand): readonly NecessaryTest[] {
  switch (operator) {
    case 'equal':
      return oneOf(slot, type, [right])
    case 'in':
      return oneOf(slot, type, right as readonly Operand[])
    case 'lessThan':
    case 'lessThanInclusive':
      return bounded(slot, 'at most', orderNumber(type, right))
    case 'greaterThan':
    case 'greaterThanInclusive':
      return bounded(slot, 'at least', orderNumber(type, right))
    case 'between': {
      const [low = Number.NaN, high = Number.NaN] = (right as readonly Operand[]).map((end) =>
        orderNumber(type, end),
      )
      return [...bounded(slot, 'at least', low), ...bounded(slot, 'at most', high)]
    }
    default:
      return []
  }
}

function oneOf(slot: number, type: FactType, values: readonly Operand[]): readonly NecessaryTest[] {
  const keys = values.map((value) => keyOf(type, value))
  return keys.includes(undefined) ? [] : [{ slot, kind: 'one of', keys: keys as readonly Key[] }]
}

function bounded(slot: number, kind: 'at least' | 'at most', bound: number): readonly NecessaryTest[] {
  return Number.isNaN(bound) ? [] : [{ slot, kind, bound }]
}

/** Key of a value of this type; `undefined` where a value is no single one. */
export function keyOf(type: FactType, value: Operand): Key | undefined {
  if (decimalTypes.has(type)) {
    const number = orderNumber(type, value)
    return Number.isNaN(number) ? undefined : number
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}
