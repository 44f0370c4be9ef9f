import { Decimal, writeDecimal } from '../domain/decimal.ts'
import type { FactType, FactValue } from '../domain/fact.ts'
import type { ComparisonOperator, Operand as RuleOperand } from '../domain/rule.ts'
import { areEqual, compareOperands, durationDays, type Operand, toOperand } from './computed.ts'

/** Whether an operand names another fact. */
export function isFactOperand(value: RuleOperand): value is { readonly fact: string } {
  return typeof value === 'object' && !Array.isArray(value) && 'fact' in value
}

/** The literal of a comparison made ready, by the type of the fact it is compared with. */
export function literal(
  operator: ComparisonOperator,
  type: FactType,
  of: FactType | undefined,
  value: FactValue,
): Operand {
  if (operator === 'in' || operator === 'notIn') return toOperand('list', value, type)
  if (type === 'list') return toOperand(of ?? 'text', value)
  return toOperand(type, value)
}

/** Whether a comparison of two known values holds. */
export function compare(operator: ComparisonOperator, left: Operand, right: Operand): boolean {
  switch (operator) {
    case 'equal':
      return areEqual(left, right)
    case 'notEqual':
      return !areEqual(left, right)
    case 'in':
      return elements(right).some((element) => areEqual(element, left))
    case 'notIn':
      return !elements(right).some((element) => areEqual(element, left))
    case 'contains':
      return contains(left, right)
    case 'doesNotContain':
      return !contains(left, right)
    case 'lessThan':
      return compareOperands(left, right) < 0
    case 'lessThanInclusive':
      return compareOperands(left, right) <= 0
    case 'greaterThan':
      return compareOperands(left, right) > 0
    case 'greaterThanInclusive':
      return compareOperands(left, right) >= 0
  }
}

function contains(whole: Operand, part: Operand): boolean {
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part)
  return elements(whole).some((element) => areEqual(element, part))
}

function elements(list: Operand): readonly Operand[] {
  if (!Array.isArray(list)) throw new TypeError('a list expected')
  return list as readonly Operand[]
}

const withMargin: ReadonlySet<ComparisonOperator> = new Set([
  ...(['equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'] as const),
])

/** How far a fact is from the other answer: decimal text, days as `P12D`, or null where nothing says. */
export function marginOf(operator: ComparisonOperator, left: Operand, right: Operand): string | null {
  if (!withMargin.has(operator)) return null
  if (left instanceof Decimal && right instanceof Decimal) return writeDecimal(left.minus(right).abs())
  if (typeof left !== 'string' || typeof right !== 'string') return null
  const days = daysOf(left)
  const otherDays = daysOf(right)
  return days === undefined || otherDays === undefined ? null : `P${Math.abs(days - otherDays)}D`
}

function daysOf(text: string): number | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Math.round(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
  return durationDays(text)
}
