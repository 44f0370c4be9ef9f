import { Decimal } from '../../domain/decimal.ts'
import type { TestPart, UnaryTest } from '../../domain/decision-table.ts'
import type { FactType, FactValue } from '../../domain/fact.ts'
import { compareOperands, type Operand, toOperand } from '../computed.ts'
import { orderedTypes } from './parse-unary-test.ts'

/** Whole ranges of pieces, first and last belonging to it, ascending and apart. */
export type Ranges = readonly (readonly [number, number])[]

/**
 * The values of a column cut into numbered pieces within which no cell changes its answer. Of values with an order,
 * piece 2i + 1 is the i-th bound itself, and the even ones lie between, before and after the bounds. Of others, each
 * named value is a piece, and the last one is all the rest.
 */
export interface Axis {
  /** Bounds or named values, in order. */
  readonly points: readonly FactValue[]
  /** Number of the last piece. */
  readonly last: number
  readonly rangesOf: (cell: UnaryTest) => Ranges
  /** The piece in which a value lies. */
  readonly locate: (value: Operand) => number
}

/** Cuts a column at every value that its cells name, and at `more`. */
export function columnAxis(type: FactType, cells: Iterable<UnaryTest>, more: Iterable<FactValue> = []): Axis {
  const values = new Set<FactValue>(more)
  for (const cell of cells) {
    if (cell === '-') continue
    for (const part of 'in' in cell ? cell.in : cell.not_in) {
      for (const value of Object.values(part)) if (value !== undefined) values.add(value)
    }
  }
  return orderedTypes.has(type) ? orderedAxis(type, values) : listedAxis(values)
}

function orderedAxis(type: FactType, values: ReadonlySet<FactValue>): Axis {
  const points = [...values]
    .map((value) => {
      const operand = toOperand(type, value)
      return { value, operand, near: operand instanceof Decimal ? Number(value) : 0 }
    })
    // Doubles that differ decide, which is quicker; where they are equal the values do.
    .sort((one, other) => one.near - other.near || compareOperands(one.operand, other.operand))
  const places = new Map(points.map(({ value }, index) => [value, 2 * index + 1]))
  const at = (value: FactValue): number => places.get(value) ?? 0
  const last = 2 * points.length
  return {
    points: points.map(({ value }) => value),
    last,
    rangesOf: rangesBy(last, (part) => {
      if ('equal' in part) return [at(part.equal), at(part.equal)]
      const { from, above, to, below } = part
      const start = from !== undefined ? at(from) : above !== undefined ? at(above) + 1 : 0
      const end = to !== undefined ? at(to) : below !== undefined ? at(below) - 1 : last
      return [start, end]
    }),
    locate: (value) => {
      let low = 0
      let high = points.length
      while (low < high) {
        const middle = (low + high) >> 1
        const order = compareOperands(value, points[middle]?.operand ?? value)
        if (order === 0) return 2 * middle + 1
        if (order < 0) high = middle
        else low = middle + 1
      }
      return 2 * low
    },
  }
}

function listedAxis(values: ReadonlySet<FactValue>): Axis {
  const points = [...values]
  const places = new Map<unknown, number>(points.map((value, index) => [value, index]))
  return {
    points,
    last: points.length,
    rangesOf: rangesBy(points.length, (part) => {
      const place = 'equal' in part ? places.get(part.equal) : undefined
      if (place === undefined) throw new TypeError('these values have no order')
      return [place, place]
    }),
    locate: (value) => places.get(value) ?? points.length,
  }
}

function rangesBy(
  last: number,
  rangeOf: (part: TestPart) => readonly [number, number],
): (cell: UnaryTest) => Ranges {
  return (cell) => {
    if (cell === '-') return [[0, last]]
    const isIn = 'in' in cell
    const ranges = mergeRanges((isIn ? cell.in : cell.not_in).map(rangeOf))
    return isIn ? ranges : complement(ranges, last)
  }
}

/** Ranges put in order, those that touch made one, empty ones left out. */
export function mergeRanges(ranges: readonly (readonly [number, number])[]): Ranges {
  const merged: [number, number][] = []
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (first > last) continue
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

function complement(ranges: Ranges, last: number): Ranges {
  const result: [number, number][] = []
  let next = 0
  for (const [first, end] of ranges) {
    if (first > next) result.push([next, first - 1])
    next = end + 1
  }
  if (next <= last) result.push([next, last])
  return result
}
