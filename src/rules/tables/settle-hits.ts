import { Decimal } from '../../domain/decimal.ts'
import { calculate, decimal } from '../calculate.ts'
import { areEqual, type Operand } from '../computed.ts'
import type { CompiledRow, CompiledTable } from './compile-table.ts'

/** One sufficient ground of a result: rows that match, and those that would change it did they match too. */
export interface Ground {
  readonly matched: readonly number[]
  readonly overrules: (row: number) => boolean
}

export type Decided =
  | {
      readonly kind: 'value'
      readonly value: Operand
      /** All rows that match. */
      readonly rows: readonly number[]
      readonly grounds: readonly Ground[]
    }
  | { readonly kind: 'open'; readonly rows: readonly number[] }
  | { readonly kind: 'violated'; readonly rows: readonly number[] }
  | { readonly kind: 'nothing' }

/** The rows that match and those that nobody can tell, in order, and the table they stand in. */
interface Hits {
  readonly table: CompiledTable
  readonly matched: readonly number[]
  readonly open: readonly number[]
}

/**
 * Result of the hit policy over the rows that match. Open rows count only where they could change it. The grounds
 * are such that losing an input never makes the strongest of them stronger.
 */
export function settleHits(
  table: CompiledTable,
  matched: readonly number[],
  open: readonly number[],
): Decided {
  const hits: Hits = { table, matched, open }
  const [first] = matched
  if (first === undefined) return open.length > 0 ? { kind: 'open', rows: open } : { kind: 'nothing' }
  switch (table.hitPolicy) {
    case 'unique':
      if (matched.length > 1) return { kind: 'violated', rows: matched }
      return settle(hits, outputOf(table, first), () => true, [matched])
    case 'any':
      return settleAny(hits, outputOf(table, first))
    case 'first':
      return settleFirst(hits, first)
    case 'priority':
    case 'min':
    case 'max':
      return settleRanked(hits)
    case 'collect':
      return settle(
        hits,
        matched.map((row) => outputOf(table, row)),
        () => true,
        [matched],
      )
    case 'count':
      return settle(hits, new Decimal(matched.length), () => true, [matched])
    case 'sum':
      return settleSum(hits)
  }
}

/** The value, or the open rows that could overrule it. */
function settle(
  { table, matched, open }: Hits,
  value: Operand,
  overrules: (row: CompiledRow) => boolean,
  grounds: readonly (readonly number[])[],
): Decided {
  const overrulesAt = (row: number) => overrules(rowOf(table, row))
  const inTheWay = open.filter(overrulesAt)
  if (inTheWay.length > 0) return { kind: 'open', rows: inTheWay }
  return {
    kind: 'value',
    value,
    rows: matched,
    grounds: grounds.map((rows) => ({ matched: rows, overrules: overrulesAt })),
  }
}

function settleAny(hits: Hits, output: Operand): Decided {
  const differs = (row: CompiledRow) => !areEqual(row.output, output)
  if (hits.matched.some((row) => differs(rowOf(hits.table, row)))) {
    return { kind: 'violated', rows: hits.matched }
  }
  return settle(
    hits,
    output,
    differs,
    hits.matched.map((row) => [row]),
  )
}

/** A row above with the same result changes nothing, whether it matches or not. */
function settleFirst({ table, matched, open }: Hits, first: number): Decided {
  const output = outputOf(table, first)
  const differs = (row: number) => !areEqual(outputOf(table, row), output)
  const lastInTheWay = open.findLast((row) => row < first && differs(row))
  if (lastInTheWay !== undefined) {
    // Invariant: a row above one in the way decides whether that one counts, so it is waited for, whatever it yields.
    return { kind: 'open', rows: open.filter((row) => row <= lastInTheWay) }
  }
  const grounds: Ground[] = []
  for (const row of matched) {
    if (differs(row) || open.some((other) => other < row && differs(other))) break
    grounds.push({ matched: [row], overrules: (other) => other < row && differs(other) })
  }
  return { kind: 'value', value: output, rows: matched, grounds }
}

function settleRanked(hits: Hits): Decided {
  const { table, matched } = hits
  const best = Math.min(...matched.map((row) => rowOf(table, row).rank))
  const winners = matched.filter((row) => rowOf(table, row).rank === best)
  return settle(
    hits,
    outputOf(table, winners[0] ?? 0),
    ({ rank }) => rank < best,
    winners.map((row) => [row]),
  )
}

/** A row that adds 0 changes nothing, but one row has to match. */
function settleSum(hits: Hits): Decided {
  const { table, matched } = hits
  const adds = (row: CompiledRow) => !decimal(row.output).isZero()
  const adding = matched.filter((row) => adds(rowOf(table, row)))
  const value = matched.reduce(
    (sum, row) => calculate('+', sum, decimal(outputOf(table, row))),
    new Decimal(0),
  )
  return settle(hits, value, adds, adding.length > 0 ? [adding] : matched.map((row) => [row]))
}

function rowOf(table: CompiledTable, row: number): CompiledRow {
  const found = table.rows[row]
  if (found === undefined) throw new TypeError(`there is no row ${row}`)
  return found
}

function outputOf(table: CompiledTable, row: number): Operand {
  return rowOf(table, row).output
}
