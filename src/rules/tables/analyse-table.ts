import { type DecisionTable, rowLabel, type UnaryTest } from '../../domain/decision-table.ts'
import type { FactValue } from '../../domain/fact.ts'
import type { ValueType } from '../typed-value.ts'
import { type ColumnAtoms, columnAtoms } from './column-atoms.ts'
import { type Budget, exploreRows } from './explore-rows.ts'
import { findOverlaps } from './find-overlaps.ts'

/** Steps that the analysis of one table may take: about half a second. */
export const stepsMax = 500_000

/** Values of an applicant, by input. */
export type Example = Readonly<Record<string, FactValue>>

/** Something that a table's rows do or leave undone, with an applicant that falls in. Rows count from 0. */
export type TableFinding =
  | { readonly kind: 'overlap'; readonly rows: readonly [number, number]; readonly example: Example }
  | { readonly kind: 'counted_twice'; readonly rows: readonly [number, number]; readonly example: Example }
  | { readonly kind: 'gap'; readonly example: Example }
  | { readonly kind: 'never_matches' | 'never_decides'; readonly row: number }
  | { readonly kind: 'not_decided'; readonly what: 'overlaps' | 'gaps' | 'reach' }

const overlapsMost = 10
const gapsMost = 3

/**
 * What can be said of a table without an applicant, exact over its columns: rows that can both match where the hit
 * policy forbids it, values for which no row is written, rows that never match or never decide. `types` are those
 * of the inputs, with the facts' own bounds. Past the steps that `budget` allows it says `not_decided`.
 */
export function analyseTable(
  table: DecisionTable,
  types: readonly ValueType[],
  budget: Budget = { left: stepsMax },
): TableFinding[] {
  const columns = table.inputs.map(({ domain }, index) =>
    columnAtoms(types[index] ?? { type: 'text' }, cellsOf(table, index), domain),
  )
  const dead = table.rows.flatMap((_, row) =>
    columns.some((column) => (column.rows[row] ?? []).length === 0) ? [row] : [],
  )
  const alive = [...table.rows.keys()].filter((row) => !dead.includes(row))
  return [
    ...dead.map((row): TableFinding => ({ kind: 'never_matches', row })),
    ...overlapsOf(table, columns, budget),
    ...(table.hit_policy === 'sum'
      ? missingPoints(table, columns, budget)
      : gapsAndReach(table, columns, alive, budget)),
  ]
}

function undecided(what: 'overlaps' | 'gaps' | 'reach'): TableFinding {
  return { kind: 'not_decided', what }
}

function cellsOf(table: DecisionTable, column: number): UnaryTest[] {
  return table.rows.map((row) => row.when[column] ?? '-')
}

function exampleOf(
  table: DecisionTable,
  columns: readonly ColumnAtoms[],
  atoms: readonly number[],
  shown: readonly number[] = columns.map((_, index) => index),
): Example {
  return Object.fromEntries(
    shown.map((column) => [
      table.inputs[column]?.fact ?? '',
      columns[column]?.exampleOf(atoms[column] ?? 0) ?? '',
    ]),
  )
}

/** Pairs that a `unique` table forbids, or `any` with different outputs; of a sum, two rows of one characteristic. */
function overlapsOf(table: DecisionTable, columns: readonly ColumnAtoms[], budget: Budget): TableFinding[] {
  const { hit_policy: policy, rows } = table
  if (policy !== 'unique' && policy !== 'any' && policy !== 'sum') return []
  const groups = policy === 'sum' ? rows.map(({ when }) => testedColumns(when).join()) : []
  const matters = (one: number, other: number): boolean => {
    if (policy === 'any') return rows[one]?.then !== rows[other]?.then
    return policy === 'unique' || groups[one] === groups[other]
  }
  const found = findOverlaps(columns, rows.length, matters, overlapsMost, budget)
  const kind = policy === 'sum' ? 'counted_twice' : 'overlap'
  return [
    ...found.overlaps.map(
      ({ rows: pair, atoms }): TableFinding => ({
        kind,
        rows: pair,
        example: exampleOf(table, columns, atoms),
      }),
    ),
    ...(found.complete ? [] : [undecided('overlaps')]),
  ]
}

function testedColumns(when: readonly UnaryTest[]): number[] {
  return when.flatMap((cell, column) => (cell === '-' ? [] : [column]))
}

/** Values that no row accepts; of `first` and `priority`, rows that never decide since better ones match before. */
function gapsAndReach(
  table: DecisionTable,
  columns: readonly ColumnAtoms[],
  alive: readonly number[],
  budget: Budget,
): TableFinding[] {
  const { hit_policy: policy, order = [] } = table
  const isRanked = policy === 'first' || policy === 'priority'
  if (table.gaps === 'allowed' && !isRanked) return []
  const ranks = table.rows.map((row, index) => {
    if (policy === 'first') return index
    return policy === 'priority' ? order.indexOf(row.then) : 0
  })
  const gapsWanted = table.gaps === 'allowed' ? 0 : gapsMost
  const rankOf = isRanked ? (row: number) => ranks[row] ?? 0 : undefined
  const found = exploreRows(columns, alive, { gapsMost: gapsWanted, rankOf }, budget)
  const idle = isRanked && found.isWhole ? alive.filter((row) => !found.deciding.has(row)) : []
  const isOpen = (what: boolean) => what && !found.isWhole
  return [
    ...(isOpen(found.gaps.length < gapsWanted) ? [undecided('gaps')] : []),
    ...(isOpen(isRanked) ? [undecided('reach')] : []),
    ...idle.map((row): TableFinding => ({ kind: 'never_decides', row })),
    ...found.gaps.map((atoms): TableFinding => ({ kind: 'gap', example: exampleOf(table, columns, atoms) })),
  ]
}

/**
 * In a `sum` the rows that test the same columns are one characteristic, and each has to say something for every
 * value: otherwise points would be missing without a word.
 */
function missingPoints(
  table: DecisionTable,
  columns: readonly ColumnAtoms[],
  budget: Budget,
): TableFinding[] {
  if (table.gaps === 'allowed') return []
  const groups = new Map<string, { shown: readonly number[]; rows: number[] }>()
  for (const [row, { when }] of table.rows.entries()) {
    const shown = testedColumns(when)
    const group = groups.get(shown.join())
    if (group === undefined) groups.set(shown.join(), { shown, rows: [row] })
    else group.rows.push(row)
  }
  return [...groups.values()].flatMap(({ shown, rows }): TableFinding[] => {
    const found = exploreRows(columns, rows, { gapsMost, rankOf: undefined }, budget)
    const open = found.isWhole || found.gaps.length >= gapsMost ? [] : [undecided('gaps')]
    const gaps = found.gaps.map((atoms): TableFinding => {
      return { kind: 'gap', example: exampleOf(table, columns, atoms, shown) }
    })
    return [...open, ...gaps]
  })
}

/** How the row is called in a sentence. */
export function namedRow(table: DecisionTable, row: number): string {
  const found = table.rows[row]
  return found === undefined ? `row ${row + 1}` : `row \`${rowLabel(found, row)}\``
}
