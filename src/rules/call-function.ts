import { Decimal } from '../domain/decimal.ts'
import { dateInZone, readInstant } from '../domain/time.ts'
import { calculate, decimal } from './calculate.ts'
import { compareOperands, type Operand } from './computed.ts'
import type { FunctionName } from './expression-tree.ts'

/** Result of a function on known values; `zone` is where an instant's day is taken. Throws a sentence. */
export function callOn(name: FunctionName, values: readonly Operand[], zone: string): Operand {
  const [first, second] = values
  if (first === undefined) throw new TypeError('no argument')
  const elements = Array.isArray(first) ? (first as readonly Operand[]) : values
  switch (name) {
    case 'sum':
      return elements.map(decimal).reduce((sum, each) => calculate('+', sum, each), new Decimal(0))
    case 'count':
      return new Decimal(elements.length)
    case 'min':
    case 'max':
      return outermost(name, elements)
    case 'abs':
      return decimal(first).abs()
    case 'floor':
      return decimal(first).floor()
    case 'ceil':
      return decimal(first).ceil()
    case 'round':
      // Half away from zero, as amounts are rounded by hand.
      return decimal(first).toDecimalPlaces(
        second === undefined ? 0 : decimal(second).toNumber(),
        Decimal.ROUND_HALF_UP,
      )
    case 'days':
      return new Decimal(dayNumber(dayOf(second, zone)) - dayNumber(dayOf(first, zone)))
    case 'months':
      return new Decimal(wholeMonths(dayOf(first, zone), dayOf(second, zone)))
    case 'years':
      return new Decimal(Math.trunc(wholeMonths(dayOf(first, zone), dayOf(second, zone)) / 12))
    default:
      throw new TypeError(`no function ${name}`)
  }
}

function outermost(name: 'min' | 'max', elements: readonly Operand[]): Operand {
  const [first] = elements
  if (first === undefined) throw new Error(`an empty list has no ${name}`)
  const sign = name === 'min' ? 1 : -1
  return elements.reduce((best, each) => (compareOperands(each, best) * sign < 0 ? each : best), first)
}

function dayOf(value: Operand | undefined, zone: string): string {
  if (typeof value !== 'string') throw new TypeError('a day expected')
  const atMs = readInstant(value)
  return atMs === undefined ? value : dateInZone(atMs, zone)
}

function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000)
}

/**
 * Months completed from one day to another: one is complete on the day of the month on which it began, and where
 * that month has no such day, on the first of the next. Negative the other way round.
 */
function wholeMonths(from: string, to: string): number {
  if (to < from) return 0 - wholeMonths(to, from)
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0, toDay = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + (toMonth - fromMonth) - (toDay < fromDay ? 1 : 0)
}
