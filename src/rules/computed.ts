import { compareText } from '../domain/compare-text.ts'
import { Decimal, readDecimal, writeDecimal } from '../domain/decimal.ts'
import { decimalTypes, type FactState, type FactType, type FactValue } from '../domain/fact.ts'

/** A value while it is reckoned with: decimals as Decimal, everything else as the fact holds it. */
export type Operand =
  | Decimal
  | string
  | boolean
  | readonly Operand[]
  | { readonly [field: string]: FactValue }

/** A fact's state while it is reckoned with; `weakest` is the base fact whose confidence it has. */
export type Computed =
  | {
      readonly state: 'known'
      readonly value: Operand
      readonly confidence: number
      readonly weakest: string | null
      /** How the believed reading was made; absent of what is worked out. */
      readonly method?: string | null
      /** Rows of the decision table that matched. */
      readonly rows?: readonly string[]
    }
  | { readonly state: 'none'; readonly confidence: number; readonly weakest: string | null }
  | { readonly state: 'unknown'; readonly why: string; readonly missing: readonly string[] }
  | { readonly state: 'error'; readonly why: string }

/** How far something is to be trusted, and the base fact that decides it (null: nothing but constants). */
export interface Trust {
  readonly confidence: number
  readonly weakest: string | null
}

export const certain: Trust = { confidence: 1, weakest: null }

/** The smaller of two confidences; equal ones go to a named fact, then to the smaller name. */
export function weaker(left: Trust, right: Trust): Trust {
  if (left.confidence !== right.confidence) return left.confidence < right.confidence ? left : right
  return byName(left, right)
}

/** The larger of two confidences; equal ones as in `weaker`. */
export function stronger(left: Trust, right: Trust): Trust {
  if (left.confidence !== right.confidence) return left.confidence > right.confidence ? left : right
  return byName(left, right)
}

function byName(left: Trust, right: Trust): Trust {
  if (left.weakest === null) return right
  if (right.weakest === null) return left
  return compareText(left.weakest, right.weakest) <= 0 ? left : right
}

export function weakestOf(list: readonly Trust[]): Trust {
  return list.reduce(weaker, certain)
}

/** The most trusted of a list that is not empty. */
export function strongestOf(list: readonly Trust[]): Trust {
  return list.length === 0 ? certain : list.reduce(stronger)
}

/** A fact's checked value made ready to reckon with; throws on a value that does not fit its type (a bug). */
export function toOperand(type: FactType, value: FactValue, of: FactType = 'text'): Operand {
  if (decimalTypes.has(type)) {
    const decimal = typeof value === 'string' ? readDecimal(value) : undefined
    if (decimal === undefined) throw new TypeError(`\`${String(value)}\` is no decimal`)
    return decimal
  }
  if (type === 'list') {
    if (!Array.isArray(value)) throw new TypeError('expected a list')
    return value.map((element: FactValue) => toOperand(of, element))
  }
  if (type === 'boolean' ? typeof value !== 'boolean' : type !== 'object' && typeof value !== 'string') {
    throw new TypeError(`\`${String(value)}\` is no ${type}`)
  }
  return value as Operand
}

export function toFactValue(operand: Operand): FactValue {
  if (operand instanceof Decimal) return writeDecimal(operand)
  if (Array.isArray(operand)) return operand.map(toFactValue)
  return operand as FactValue
}

export function toFactState(computed: Computed): FactState {
  switch (computed.state) {
    case 'known':
      return {
        state: 'known',
        value: toFactValue(computed.value),
        confidence: computed.confidence,
        ...(computed.method ? { method: computed.method } : {}),
        ...(computed.rows === undefined ? {} : { rows: computed.rows }),
      }
    case 'none':
      return { state: 'none', confidence: computed.confidence }
    default:
      return computed
  }
}

/** Names of several lists, each once, sorted. */
export function mergeNames(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort(compareText)
}

/** Order of two operands of one type: decimals by value, days, times and durations by time. */
export function compareOperands(left: Operand, right: Operand): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.comparedTo(right)
  if (typeof left === 'string' && typeof right === 'string') {
    const days = durationDays(left)
    const otherDays = durationDays(right)
    if (days !== undefined && otherDays !== undefined) return Math.sign(days - otherDays)
    return compareText(left, right)
  }
  throw new TypeError('these two values have no order')
}

export function durationDays(text: string): number | undefined {
  const days = /^P(\d{1,6})D$/.exec(text)?.[1]
  return days === undefined ? undefined : Number(days)
}

export function areEqual(left: Operand, right: Operand): boolean {
  if (left instanceof Decimal && right instanceof Decimal) return left.equals(right)
  if (typeof left === 'string' || typeof left === 'boolean') return left === right
  throw new TypeError('only single values are compared')
}
