import { type DecisionTable, type HitPolicy, rowLabel, type UnaryTest } from '../../domain/decision-table.ts'
import type { FactType } from '../../domain/fact.ts'
import { areEqual, compareOperands, type Operand, toOperand } from '../computed.ts'
import { columnAxis, type Ranges } from './column-axis.ts'

/** A column made ready: where a value lies, and what each row accepts, in numbered pieces. */
export interface CompiledColumn {
  readonly fact: string
  /** The piece in which a value lies. */
  readonly locate: (value: Operand) => number
  /** Pieces for which the table is made. */
  readonly domain: Ranges
  /** By row: 1 when its cell is more than `-`. */
  readonly tests: Uint8Array
  /** By row: first and last piece that its cell accepts. */
  readonly first: Int32Array
  readonly last: Int32Array
  /** Rows whose cell accepts not all between first and last. */
  readonly holed: ReadonlyMap<number, Ranges>
}

export interface CompiledRow {
  readonly label: string
  readonly output: Operand
  /** Of `priority`, `min` and `max`: the row with the smallest decides. Equal outputs have equal ranks. */
  readonly rank: number
}

/** A decision table made ready to decide. */
export interface CompiledTable {
  readonly name: string
  readonly hitPolicy: HitPolicy
  readonly columns: readonly CompiledColumn[]
  readonly rows: readonly CompiledRow[]
}

/** Makes a checked table ready; throws on content that does not fit the declared facts (a bug). */
export function compileTable(
  table: DecisionTable,
  declared: ReadonlyMap<string, { readonly declaration: { readonly type: FactType } }>,
): CompiledTable {
  const rankOf = ranking(table)
  return {
    name: table.table,
    hitPolicy: table.hit_policy,
    columns: table.inputs.map(({ fact, domain }, index) => {
      const type = declared.get(fact)?.declaration.type
      if (type === undefined) throw new TypeError(`there is no fact \`${fact}\``)
      return compileColumn(
        fact,
        type,
        table.rows.map((row) => row.when[index] ?? '-'),
        domain ?? '-',
      )
    }),
    rows: table.rows.map((row, index) => {
      const output = toOperand(table.output.type, row.then)
      return { label: rowLabel(row, index), output, rank: rankOf(output) }
    }),
  }
}

function compileColumn(
  fact: string,
  type: FactType,
  cells: readonly UnaryTest[],
  domain: UnaryTest,
): CompiledColumn {
  const axis = columnAxis(type, [domain, ...cells])
  const tests = new Uint8Array(cells.length)
  const first = new Int32Array(cells.length)
  const last = new Int32Array(cells.length)
  const holed = new Map<number, Ranges>()
  for (const [row, cell] of cells.entries()) {
    const ranges = axis.rangesOf(cell)
    tests[row] = cell === '-' ? 0 : 1
    first[row] = ranges[0]?.[0] ?? 0
    last[row] = ranges.at(-1)?.[1] ?? -1
    if (ranges.length > 1) holed.set(row, ranges)
  }
  return { fact, locate: axis.locate, domain: axis.rangesOf(domain), tests, first, last, holed }
}

/** Whether a row's cell accepts the values of a piece. */
export function accepts(column: CompiledColumn, row: number, piece: number): boolean {
  if (piece < (column.first[row] ?? 0) || piece > (column.last[row] ?? -1)) return false
  const ranges = column.holed.size === 0 ? undefined : column.holed.get(row)
  return ranges === undefined || isWithin(ranges, piece)
}

export function isWithin(ranges: Ranges, piece: number): boolean {
  return ranges.some(([first, last]) => first <= piece && piece <= last)
}

function ranking(table: DecisionTable): (output: Operand) => number {
  const { hit_policy: policy } = table
  if (policy !== 'priority' && policy !== 'min' && policy !== 'max') return () => 0
  const ranks = new Map<unknown, number>()
  const type = table.output.type
  const values = policy === 'priority' ? (table.order ?? []) : table.rows.map((row) => row.then)
  const order = values.map((value) => toOperand(type, value))
  const sign = policy === 'max' ? -1 : 1
  if (policy !== 'priority') order.sort((one, other) => compareOperands(one, other) * sign)
  for (const [rank, value] of order.entries()) if (!ranks.has(String(value))) ranks.set(String(value), rank)
  return (output) => {
    const rank = ranks.get(String(output)) ?? order.findIndex((each) => areEqual(each, output))
    if (rank < 0) throw new TypeError(`\`${String(output)}\` has no place in the order`)
    return rank
  }
}
