import { Decimal, writeDecimal } from '../domain/decimal.ts'
import { decimalTypes, FactType, type FactValue } from '../domain/fact.ts'
import type {
  ComparisonOperator,
  ElementOperator,
  MethodOperator,
  Operand as RuleOperand,
  StateOperator,
} from '../domain/rule.ts'
import {
  areEqual,
  type Computed,
  compareOperands,
  durationDays,
  type Operand,
  toOperand,
} from './computed.ts'

/** What stands under `value`, beside a fact of type T. */
export type OperandKind =
  /** One T. */
  | 'one'
  /** Of a list an element, of a text a piece of it. */
  | 'part'
  /** A list of T. */
  | 'list'
  /** `[low, high]`, two T; both belong to it. */
  | 'range'

/** An operator that compares a known value with a known value. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly fits: ReadonlySet<FactType>
  readonly operand: OperandKind
  readonly holds: (left: Operand, right: Operand) => boolean
  /** How far the fact is from the other answer: decimal text, days as `P12D`; null where nothing says. */
  readonly margin: (left: Operand, right: Operand) => string | null
}

/** An operator that asks for a fact's state. */
export interface StateTest {
  readonly kind: 'state'
  readonly fits: ReadonlySet<FactType>
  readonly operand: 'nothing'
  readonly judge: (state: Computed['state']) => 'true' | 'false' | 'unknown' | 'error'
}

/** An operator that asks how the believed reading of a fact was made. */
export interface MethodTest {
  readonly kind: 'method'
  readonly fits: ReadonlySet<FactType>
  readonly operand: 'methods'
  readonly holds: (method: string | null | undefined, methods: readonly string[]) => boolean
}

/** An operator that tests the elements of a list one at a time and joins what comes of them. */
export interface ElementTest {
  readonly kind: 'elements'
  readonly fits: ReadonlySet<FactType>
  readonly operand: 'condition'
  readonly joins: 'all' | 'any'
  /** What an empty list gives; every over nothing says nothing, so that no rule fires on it. */
  readonly empty: 'false' | 'none'
}

const everyType: ReadonlySet<FactType> = new Set(FactType.options)
const single: ReadonlySet<FactType> = new Set(
  FactType.options.filter((type) => type !== 'list' && type !== 'object'),
)
const ordered: ReadonlySet<FactType> = new Set([...decimalTypes, 'date', 'instant', 'duration'])
const searchable: ReadonlySet<FactType> = new Set(['list', 'text'])
const lists: ReadonlySet<FactType> = new Set(['list'])

/** Operators that compare. A day or time compares as it lies in time, a number as a decimal, a text exactly. */
export const comparisons: Readonly<Record<ComparisonOperator, Comparison>> = {
  equal: comparing(single, areEqual),
  notEqual: comparing(single, (left, right) => !areEqual(left, right)),
  lessThan: comparing(ordered, (left, right) => compareOperands(left, right) < 0),
  lessThanInclusive: comparing(ordered, (left, right) => compareOperands(left, right) <= 0),
  greaterThan: comparing(ordered, (left, right) => compareOperands(left, right) > 0),
  greaterThanInclusive: comparing(ordered, (left, right) => compareOperands(left, right) >= 0),
  between: { kind: 'comparison', fits: ordered, operand: 'range', holds: isBetween, margin: toNearerEnd },
  in: searching(single, 'list', isIn),
  notIn: searching(single, 'list', (left, right) => !isIn(left, right)),
  contains: searching(searchable, 'part', contains),
  doesNotContain: searching(searchable, 'part', (left, right) => !contains(left, right)),
}

/** Operators that ask for a state: known, none or unknown. */
export const stateTests: Readonly<Record<StateOperator, StateTest>> = {
  isKnown: stateTest((state) => whenSettled(state, state === 'known')),
  isNone: stateTest((state) => whenSettled(state, state === 'none')),
  isUnknown: stateTest((state) => (state === 'unknown' || state === 'error' ? 'true' : 'false')),
}

/** Operators that ask how a reading was made; a reading that states no method was made by none of them. */
export const methodTests: Readonly<Record<MethodOperator, MethodTest>> = {
  verified_by: {
    kind: 'method',
    fits: everyType,
    operand: 'methods',
    holds: (method, methods) => typeof method === 'string' && methods.includes(method),
  },
}

/** Operators over the elements of a list of objects. */
export const elementTests: Readonly<Record<ElementOperator, ElementTest>> = {
  some: { kind: 'elements', fits: lists, operand: 'condition', joins: 'any', empty: 'false' },
  every: { kind: 'elements', fits: lists, operand: 'condition', joins: 'all', empty: 'none' },
}

/** Every operator by name: which fact types it fits, what it takes as `value`, how it judges. */
export const operators = { ...comparisons, ...stateTests, ...methodTests, ...elementTests } as const

/** Names written in rule files for an operator with its value. */
export const shorthands: Readonly<
  Record<string, { readonly operator: 'isKnown' } | { readonly operator: 'verified_by'; value: string[] }>
> = {
  exists: { operator: 'isKnown' },
  ocr_verified: { operator: 'verified_by', value: ['ocr'] },
  bank_api_confirmed: { operator: 'verified_by', value: ['bank_api'] },
}

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
  const { operand } = comparisons[operator]
  if (operand === 'list' || operand === 'range') return toOperand('list', value, type)
  if (type === 'list') return toOperand(of ?? 'text', value)
  return toOperand(type, value)
}

function comparing(fits: ReadonlySet<FactType>, holds: Comparison['holds']): Comparison {
  return { kind: 'comparison', fits, operand: 'one', holds, margin: distance }
}

function searching(
  fits: ReadonlySet<FactType>,
  operand: 'list' | 'part',
  holds: Comparison['holds'],
): Comparison {
  return { kind: 'comparison', fits, operand, holds, margin: () => null }
}

function stateTest(judge: StateTest['judge']): StateTest {
  return { kind: 'state', fits: everyType, operand: 'nothing', judge }
}

function whenSettled(state: Computed['state'], holds: boolean): 'true' | 'false' | 'unknown' | 'error' {
  if (state === 'unknown' || state === 'error') return state
  return holds ? 'true' : 'false'
}

function isIn(left: Operand, right: Operand): boolean {
  return elements(right).some((element) => areEqual(element, left))
}

function contains(whole: Operand, part: Operand): boolean {
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part)
  return elements(whole).some((element) => areEqual(element, part))
}

function isBetween(left: Operand, right: Operand): boolean {
  const [low, high] = ends(right)
  return compareOperands(left, low) >= 0 && compareOperands(left, high) <= 0
}

function ends(range: Operand): [Operand, Operand] {
  const [low, high] = elements(range)
  if (low === undefined || high === undefined) throw new TypeError('two ends expected')
  return [low, high]
}

function elements(list: Operand): readonly Operand[] {
  if (!Array.isArray(list)) throw new TypeError('a list expected')
  return list as readonly Operand[]
}

function distance(left: Operand, right: Operand): string | null {
  if (left instanceof Decimal && right instanceof Decimal) return writeDecimal(left.minus(right).abs())
  const days = daysBetween(left, right)
  return days === null ? null : `P${days}D`
}

function toNearerEnd(left: Operand, right: Operand): string | null {
  const [low, high] = ends(right)
  if (left instanceof Decimal && low instanceof Decimal && high instanceof Decimal)
    return writeDecimal(Decimal.min(left.minus(low).abs(), left.minus(high).abs()))
  const toLow = daysBetween(left, low)
  const toHigh = daysBetween(left, high)
  return toLow === null || toHigh === null ? null : `P${Math.min(toLow, toHigh)}D`
}

function daysBetween(left: Operand, right: Operand): number | null {
  if (typeof left !== 'string' || typeof right !== 'string') return null
  const days = daysOf(left)
  const otherDays = daysOf(right)
  return days === undefined || otherDays === undefined ? null : Math.abs(days - otherDays)
}

function daysOf(text: string): number | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Math.round(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
  return durationDays(text)
}
