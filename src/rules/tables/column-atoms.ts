import { Decimal, writeDecimal } from '../../domain/decimal.ts'
import type { UnaryTest } from '../../domain/decision-table.ts'
import { decimalTypes, type FactType, type FactValue } from '../../domain/fact.ts'
import { dayMs, readInstant, writeInstant } from '../../domain/time.ts'
import { durationDays } from '../computed.ts'
import type { ValueType } from '../typed-value.ts'
import { type Axis, columnAxis, mergeRanges, type Ranges } from './column-axis.ts'
import { orderedTypes } from './parse-unary-test.ts'

/**
 * Pieces of a column that can occur, numbered anew: how many there are, an example value of each, and which of them
 * each row's cell accepts. Within a piece no cell changes its answer.
 */
export interface ColumnAtoms {
  readonly size: number
  readonly exampleOf: (atom: number) => FactValue
  readonly rows: readonly Ranges[]
}

/** Cuts a column at every bound its cells name, within the values that the fact and the table's domain allow. */
export function columnAtoms(
  type: ValueType,
  cells: readonly UnaryTest[],
  domain: UnaryTest = '-',
): ColumnAtoms {
  const isOrdered = orderedTypes.has(type.type)
  const limits = isOrdered ? limitsOf(type) : {}
  const declared = type.type === 'boolean' ? [true, false] : Object.keys(type.values ?? {})
  const axis = columnAxis(type.type, [domain, ...cells], isOrdered ? Object.values(limits) : declared)
  const pieces = isOrdered
    ? orderedPieces(axis, limits, scaleOf(type.type))
    : listedPieces(axis, type.type === 'boolean' || type.values !== undefined)
  const isInside = new Uint8Array(axis.last + 2)
  for (const [first, last] of axis.rangesOf(domain)) isInside.fill(1, first, last + 1)
  const kept: number[] = []
  const ranks = new Int32Array(axis.last + 2)
  for (let piece = 0; piece <= axis.last; piece += 1) {
    ranks[piece] = kept.length
    if (isInside[piece] === 1 && pieces.occurs(piece)) kept.push(piece)
  }
  ranks[axis.last + 1] = kept.length
  const narrow = ([first, last]: readonly [number, number]): [number, number] => [
    ranks[first] ?? 0,
    (ranks[last + 1] ?? 0) - 1,
  ]
  return {
    size: kept.length,
    exampleOf: (atom) => pieces.exampleOf(kept[atom] ?? 0),
    rows: cells.map((cell) => mergeRanges(axis.rangesOf(cell).map(narrow))),
  }
}

/** The pieces of an axis: whether a value lies in one, and such a value. */
interface Pieces {
  readonly occurs: (piece: number) => boolean
  readonly exampleOf: (piece: number) => FactValue
}

function listedPieces(axis: Axis, isClosed: boolean): Pieces {
  let other = 'any other text'
  while (axis.points.includes(other)) other += ' '
  return {
    occurs: (piece) => piece < axis.last || !isClosed,
    exampleOf: (piece) => axis.points[piece] ?? other,
  }
}

/** First and last value that can occur; without one there is no end. */
interface Limits {
  readonly low?: string
  readonly high?: string
}

function orderedPieces(axis: Axis, limits: Limits, scale: Scale): Pieces {
  const points = axis.points.map(String)
  const first = limits.low === undefined ? 0 : 2 * points.indexOf(limits.low) + 1
  const last = limits.high === undefined ? axis.last : 2 * points.indexOf(limits.high) + 1
  const one = new Decimal(1)
  const example = (piece: number): string | null => {
    const left = points[(piece >> 1) - 1]
    const right = points[piece >> 1]
    if (piece % 2 === 1) return right ?? null
    if (left !== undefined && right !== undefined) return exampleBetween(left, right, limits, scale)
    if (left !== undefined) return scale.write(scale.position(left).plus(one))
    return scale.write(right === undefined ? new Decimal(0) : scale.position(right).minus(one))
  }
  const isClearlyApart = (piece: number): boolean => {
    const left = scale.near(points[(piece >> 1) - 1] ?? '')
    const right = scale.near(points[piece >> 1] ?? '')
    return scale.isDiscrete ? right - left > 4 && Math.max(-left, right) < 2 ** 50 : right > left
  }
  return {
    occurs: (piece) => {
      if (piece < first || piece > last) return false
      return piece % 2 === 1 || isClearlyApart(piece) || example(piece) !== null
    },
    exampleOf: (piece) => example(piece) ?? '',
  }
}

/** A value strictly between two bounds, as plain as can be, near the bound that somebody wrote; null: there is none. */
function exampleBetween(left: string, right: string, limits: Limits, scale: Scale): string | null {
  const one = new Decimal(1)
  const [low, high] = [scale.position(left), scale.position(right)]
  const gap = high.minus(low)
  if (scale.isDiscrete && gap.lessThanOrEqualTo(1)) return null
  if (gap.greaterThan(1) && right === limits.high) return scale.write(low.plus(one))
  if (gap.greaterThan(1) && left === limits.low) return scale.write(high.minus(one))
  const middle = low.plus(gap.dividedBy(2))
  if (scale.isDiscrete) return scale.write(middle.floor())
  for (let digits = 0; digits <= 34; digits += 1) {
    const rounded = middle.toDecimalPlaces(digits)
    if (rounded.greaterThan(low) && rounded.lessThan(high)) return scale.write(rounded)
  }
  return null
}

interface Scale {
  /** Whether values are whole steps, so that nothing lies between 5 and 6. */
  readonly isDiscrete: boolean
  /** A double near the position; NaN where there is no value. */
  readonly near: (text: string) => number
  readonly position: (text: string) => Decimal
  readonly write: (position: Decimal) => string
}

function scaleOf(type: FactType): Scale {
  if (decimalTypes.has(type)) {
    return {
      isDiscrete: type === 'integer',
      near: (text) => (text === '' ? Number.NaN : Number(text)),
      position: (text) => new Decimal(text),
      write: writeDecimal,
    }
  }
  if (type === 'date') {
    return {
      isDiscrete: true,
      near: dayNumber,
      position: (text) => new Decimal(dayNumber(text)),
      write: (day) => writeInstant(day.toNumber() * dayMs).slice(0, 10),
    }
  }
  if (type === 'instant') {
    return {
      isDiscrete: true,
      near: (text) => readInstant(text) ?? Number.NaN,
      position: (text) => new Decimal(readInstant(text) ?? 0),
      write: (atMs) => writeInstant(atMs.toNumber()),
    }
  }
  return {
    isDiscrete: true,
    near: (text) => durationDays(text) ?? Number.NaN,
    position: (text) => new Decimal(durationDays(text) ?? 0),
    write: (days) => `P${days.toFixed()}D`,
  }
}

function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / dayMs)
}

function limitsOf({ type, min, max }: ValueType): Limits {
  if (type === 'date') return { low: '0000-01-01', high: '9999-12-31' }
  if (type === 'instant') return { low: '1900-01-01T00:00:00.000Z', high: '9999-12-31T23:59:59.999Z' }
  if (type === 'duration') return { low: 'P0D', high: 'P999999D' }
  return { ...(min === undefined ? {} : { low: min }), ...(max === undefined ? {} : { high: max }) }
}
