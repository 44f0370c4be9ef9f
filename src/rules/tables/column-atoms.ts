import { Decimal, writeDecimal } from '../../domain/decimal.ts'
import type { UnaryTest } from '../../domain/decision-table.ts'
import { decimalTypes, type FactType, type FactValue } from '../../domain/fact.ts'
import { dayMs, readInstant, writeInstant } from '../../domain/time.ts'
import { durationDays } from '../computed.ts'
import type { ValueType } from '../typed-value.ts'
import { type Axis, columnAxis, mergeRanges, type Ranges } from './column-axis.ts'
import { orderedTypes } from './parse-unary-test.ts'

/**
 * Pieces of a column that can occur: an example value of each, and which of them each row's cell accepts. Within a
 * piece no cell changes its answer.
 */
export interface ColumnAtoms {
  readonly examples: readonly FactValue[]
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
  const more = isOrdered ? Object.values(limits) : declared
  const axis = columnAxis(type.type, [domain, ...cells], more)
  const examples = isOrdered
    ? orderedExamples(axis, limits, scaleOf(type.type))
    : listedExamples(axis, type.type === 'boolean' || type.values !== undefined)
  const isInside = new Uint8Array(axis.last + 2)
  for (const [first, last] of axis.rangesOf(domain)) isInside.fill(1, first, last + 1)
  const kept: FactValue[] = []
  const ranks = new Int32Array(axis.last + 2)
  for (let piece = 0; piece <= axis.last; piece += 1) {
    ranks[piece] = kept.length
    const example = examples[piece] ?? null
    if (example !== null && isInside[piece] === 1) kept.push(example)
  }
  ranks[axis.last + 1] = kept.length
  const narrow = ([first, last]: readonly [number, number]): [number, number] => [
    ranks[first] ?? 0,
    (ranks[last + 1] ?? 0) - 1,
  ]
  return { examples: kept, rows: cells.map((cell) => mergeRanges(axis.rangesOf(cell).map(narrow))) }
}

/** An example for each piece; null: there is no such value. */
type Examples = readonly (FactValue | null)[]

function listedExamples(axis: Axis, isClosed: boolean): Examples {
  if (isClosed) return axis.points
  let other = 'any other text'
  while (axis.points.includes(other)) other += ' '
  return [...axis.points, other]
}

/** First and last value that can occur; without one there is no end. */
interface Limits {
  readonly low?: string
  readonly high?: string
}

function orderedExamples(axis: Axis, limits: Limits, scale: Scale): Examples {
  const points = axis.points.map((value) => ({ text: String(value), at: scale.position(String(value)) }))
  const [first] = points
  const one = new Decimal(1)
  const before = first === undefined ? new Decimal(0) : first.at.minus(one)
  const examples: (FactValue | null)[] = [limits.low === undefined ? scale.write(before) : null]
  let isPast = false
  let hasBegun = limits.low === undefined
  for (const [index, point] of points.entries()) {
    hasBegun ||= point.text === limits.low
    examples.push(hasBegun && !isPast ? point.text : null)
    isPast ||= point.text === limits.high
    const between = exampleBetween(point, points[index + 1], limits, scale)
    examples.push(hasBegun && !isPast ? between : null)
  }
  return examples
}

interface Point {
  readonly text: string
  readonly at: Decimal
}

/** A value strictly between two bounds, as plain as can be, near the bound that somebody wrote; null: there is none. */
function exampleBetween(left: Point, right: Point | undefined, limits: Limits, scale: Scale): string | null {
  const one = new Decimal(1)
  if (right === undefined) return scale.write(left.at.plus(one))
  const gap = right.at.minus(left.at)
  if (scale.isDiscrete && gap.lessThanOrEqualTo(1)) return null
  if (gap.greaterThan(1) && right.text === limits.high) return scale.write(left.at.plus(one))
  if (gap.greaterThan(1) && left.text === limits.low) return scale.write(right.at.minus(one))
  const middle = left.at.plus(gap.dividedBy(2))
  if (scale.isDiscrete) return scale.write(middle.floor())
  for (let digits = 0; digits <= 34; digits += 1) {
    const rounded = middle.toDecimalPlaces(digits)
    if (rounded.greaterThan(left.at) && rounded.lessThan(right.at)) return scale.write(rounded)
  }
  return null
}

interface Scale {
  /** Whether values are whole steps, so that nothing lies between 5 and 6. */
  readonly isDiscrete: boolean
  readonly position: (text: string) => Decimal
  readonly write: (position: Decimal) => string
}

function scaleOf(type: FactType): Scale {
  if (decimalTypes.has(type)) {
    return { isDiscrete: type === 'integer', position: (text) => new Decimal(text), write: writeDecimal }
  }
  if (type === 'date') {
    return {
      isDiscrete: true,
      position: (text) => new Decimal(Math.round(Date.parse(`${text}T00:00:00Z`) / dayMs)),
      write: (day) => writeInstant(day.toNumber() * dayMs).slice(0, 10),
    }
  }
  if (type === 'instant') {
    return {
      isDiscrete: true,
      position: (text) => new Decimal(readInstant(text) ?? 0),
      write: (atMs) => writeInstant(atMs.toNumber()),
    }
  }
  return {
    isDiscrete: true,
    position: (text) => new Decimal(durationDays(text) ?? 0),
    write: (days) => `P${days.toFixed()}D`,
  }
}

function limitsOf({ type, min, max }: ValueType): Limits {
  if (type === 'date') return { low: '0000-01-01', high: '9999-12-31' }
  if (type === 'instant') return { low: '1900-01-01T00:00:00.000Z', high: '9999-12-31T23:59:59.999Z' }
  if (type === 'duration') return { low: 'P0D', high: 'P999999D' }
  return { ...(min === undefined ? {} : { low: min }), ...(max === undefined ? {} : { high: max }) }
}
