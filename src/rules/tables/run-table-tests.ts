import { canonicalJson } from '../../audit/canonical.ts'
import { type DecisionTable, rowLabel, type TableTest } from '../../domain/decision-table.ts'
import type { FactState, FactValue } from '../../domain/fact.ts'
import { type Computed, toFactState } from '../computed.ts'
import { computedOf } from '../given-state.ts'
import type { DeclaredFact } from '../rule-set.ts'
import { compileTable } from './compile-table.ts'
import { decideTable } from './decide-table.ts'

/** A test of a table that came out otherwise. */
export interface TableTestFailure {
  /** Path of the table in its pack. */
  readonly table: string
  readonly test: string
  readonly expected: string
  readonly got: string
}

/** Runs the `tests:` of every table: inputs given have confidence 1, all others are unknown. */
export function runTableTests(
  tables: Readonly<Record<string, DecisionTable>>,
  declared: ReadonlyMap<string, DeclaredFact>,
): TableTestFailure[] {
  return Object.entries(tables).flatMap(([path, table]) => {
    if (table.tests === undefined) return []
    const compiled = compileTable(table, declared)
    return table.tests.flatMap((test) => {
      const read = (name: string): Computed => computedOf(name, declared.get(name), stateOf(test, name))
      const result = toFactState(decideTable(table.table, compiled, read))
      const expected = wanted(test, result)
      if (expected === undefined) return []
      return [{ table: path, test: test.name, expected, got: describe(result) }]
    })
  })
}

function stateOf(test: TableTest, name: string): FactState | undefined {
  const value = Object.hasOwn(test.given, name) ? test.given[name] : undefined
  if (value === undefined) return undefined
  return value === null ? { state: 'none', confidence: 1 } : { state: 'known', value, confidence: 1 }
}

/** What a test wanted, in words; `undefined` when it came out so. */
function wanted({ expect }: TableTest, result: FactState): string | undefined {
  const { value, outcome, rows } = expect
  const isRight =
    (value === undefined ||
      (result.state === 'known' && canonicalJson(result.value) === canonicalJson(value))) &&
    (outcome === undefined || outcome === result.state) &&
    (rows === undefined ||
      (result.state === 'known' && canonicalJson(result.rows ?? []) === canonicalJson(rows)))
  if (isRight) return undefined
  return [
    ...(value === undefined ? [] : [show(value)]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(rows === undefined ? [] : [`rows ${rows.join(', ')}`]),
  ].join(', ')
}

function describe(result: FactState): string {
  if (result.state === 'known') return `${show(result.value)} by rows ${(result.rows ?? []).join(', ')}`
  return 'why' in result ? `${result.state}: ${result.why}` : result.state
}

function show(value: FactValue): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** Rows that no test of the table reaches, by name or number. */
export function untestedRows(table: DecisionTable, declared: ReadonlyMap<string, DeclaredFact>): string[] {
  const compiled = compileTable(table, declared)
  const reached = new Set<string>()
  for (const test of table.tests ?? []) {
    const read = (name: string): Computed => computedOf(name, declared.get(name), stateOf(test, name))
    const result = decideTable(table.table, compiled, read)
    if (result.state === 'known') for (const row of result.rows ?? []) reached.add(row)
  }
  return table.rows.map(rowLabel).filter((label) => !reached.has(label))
}
