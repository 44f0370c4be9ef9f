import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FactType } from '../../src/domain/fact.ts'
import { type Computed, toFactState, toOperand } from '../../src/rules/computed.ts'
import { analyseTable, type Example, type TableFinding } from '../../src/rules/tables/analyse-table.ts'
import { compileTable } from '../../src/rules/tables/compile-table.ts'
import { decideTable } from '../../src/rules/tables/decide-table.ts'
import { randomCases } from '../support/cases.ts'
import { contentOf, typesOf } from '../support/oracle-content.ts'
import {
  anOracleTable,
  everyApplicant,
  hitPolicies,
  matchingRows,
  type OracleColumn,
  type OracleState,
  type OracleTable,
  type OracleValue,
  plainConfidence,
  plainReading,
} from '../support/table-oracle.ts'

const confidence = fc.constantFrom(1, 0.95, 0.9, 0.8, 0.7)

function aState(column: OracleColumn): fc.Arbitrary<OracleState> {
  const known = (values: readonly OracleValue[]) =>
    fc.record({ state: fc.constant('known' as const), value: fc.constantFrom(...values), confidence })
  return fc.oneof(
    { weight: 8, arbitrary: known(column.inside) },
    { weight: 1, arbitrary: known([...column.inside, ...column.outside]) },
    { weight: 2, arbitrary: fc.constant({ state: 'unknown' as const }) },
    { weight: 1, arbitrary: fc.constant({ state: 'none' as const }) },
    { weight: 1, arbitrary: fc.constant({ state: 'error' as const }) },
  )
}

function computed(state: OracleState, column: OracleColumn, name: string): Computed {
  if (state.state === 'known') {
    const value = toOperand(column.type as FactType, column.write(state.value))
    return { state: 'known', value, confidence: state.confidence, weakest: name }
  }
  if (state.state === 'unknown') return { state: 'unknown', why: 'not given', missing: [name] }
  return state.state === 'none'
    ? { state: 'none', confidence: 1, weakest: name }
    : { state: 'error', why: 'broken' }
}

function decide(table: OracleTable, states: readonly OracleState[]) {
  const declared = new Map(typesOf(table).map((declaration, index) => [`i${index}`, { declaration }]))
  const given = new Map(
    table.columns.map((column, index) => [
      `i${index}`,
      computed(states[index] ?? { state: 'unknown' }, column, `i${index}`),
    ]),
  )
  const read = (name: string): Computed => given.get(name) ?? { state: 'error', why: 'not asked for' }
  return toFactState(decideTable('result', compileTable(contentOf(table), declared), read))
}

const tableAndStates = anOracleTable(hitPolicies, 6).chain((table) =>
  fc.tuple(fc.constant(table), fc.tuple(...table.columns.map(aState))),
)

describe('decision tables', () => {
  it('decide as a plain reading row by row, under every hit policy, and are as sure', () => {
    fc.assert(
      fc.property(tableAndStates, ([table, states]) => {
        const result = decide(table, states)
        const plain = plainReading(table, states)
        assert.equal(result.state, plain.state)
        if (result.state !== 'known' || plain.state !== 'known') return
        const value = Array.isArray(result.value) ? `[${result.value.join(',')}]` : String(result.value)
        assert.equal(value, plain.value)
        assert.equal(result.confidence, plainConfidence(table, states, plain.value))
      }),
      randomCases('tables against a plain reading', 20_000),
    )
  })

  it('know no less and are no less sure when an input becomes known or surer, and never differ', () => {
    fc.assert(
      fc.property(tableAndStates, fc.nat(), ([table, states], pick) => {
        const index = pick % states.length
        const less = states.map((state, at): OracleState => (at === index ? { state: 'unknown' } : state))
        const [more, fewer] = [decide(table, states), decide(table, less)]
        if (fewer.state !== 'known' && fewer.state !== 'none') return
        if (fewer.state === 'none') return assert.equal(more.state, 'none')
        assert.ok(more.state === 'known')
        assert.deepEqual(more.value, fewer.value)
        assert.ok(more.confidence >= fewer.confidence)
      }),
      randomCases('tables with an input taken away', 20_000),
    )
  })

  it('are found to overlap and to have gaps exactly where brute force finds it', () => {
    fc.assert(
      fc.property(anOracleTable(hitPolicies, 5), (table) => {
        const found = analyseTable(contentOf(table), typesOf(table))
        assert.ok(found.every((finding) => finding.kind !== 'not_decided'))
        checkOverlaps(table, found)
        checkGaps(table, found)
        checkReach(table, found)
      }),
      randomCases('tables analysed and by brute force', 20_000),
    )
  })
})

function applicantOf(table: OracleTable, example: Example): OracleValue[] {
  return table.columns.map(({ type }, index) => {
    const value = example[`i${index}`]
    return type === 'integer' || type === 'ratio' ? Number(value) : (value as OracleValue)
  })
}

/** Columns that a row tests. */
function tested(table: OracleTable, row: number): string {
  return (table.rows[row]?.cells ?? []).flatMap((cell, index) => (cell.isAny ? [] : [index])).join()
}

function checkOverlaps(table: OracleTable, found: readonly TableFinding[]): void {
  const outputOf = (row: number) => table.rows[row]?.output
  const forbidden = new Set<string>()
  for (const applicant of everyApplicant(table)) {
    const rows = matchingRows(table, applicant)
    for (const one of rows) {
      for (const other of rows.filter((row) => row > one)) {
        const isForbidden =
          table.policy === 'unique' ||
          (table.policy === 'any' && outputOf(one) !== outputOf(other)) ||
          (table.policy === 'sum' && tested(table, one) === tested(table, other))
        if (isForbidden) forbidden.add(`${one},${other}`)
      }
    }
  }
  const told = found.flatMap((each) =>
    each.kind === 'overlap' || each.kind === 'counted_twice' ? [each] : [],
  )
  assert.deepEqual(new Set(told.map(({ rows }) => rows.join())), forbidden)
  for (const { rows, example } of told) {
    const matching = matchingRows(table, applicantOf(table, example))
    assert.ok(rows.every((row) => matching.includes(row)))
  }
}

function checkGaps(table: OracleTable, found: readonly TableFinding[]): void {
  const told = found.flatMap((each) => (each.kind === 'gap' ? [each] : []))
  const groups =
    table.policy === 'sum' ? new Set(table.rows.keys().map((row) => tested(table, row))) : ['all']
  const applicants = everyApplicant(table)
  const left = [...groups].filter((group) =>
    applicants.some(
      (applicant) =>
        !matchingRows(table, applicant).some((row) => group === 'all' || tested(table, row) === group),
    ),
  )
  assert.equal(told.length > 0, left.length > 0)
  if (table.policy === 'sum') return
  for (const { example } of told) assert.deepEqual(matchingRows(table, applicantOf(table, example)), [])
}

function checkReach(table: OracleTable, found: readonly TableFinding[]): void {
  const applicants = everyApplicant(table)
  const rank = (row: number) =>
    table.policy === 'first' ? row : table.order.indexOf(table.rows[row]?.output ?? 0)
  for (const row of table.rows.keys()) {
    const those = applicants.filter((applicant) => matchingRows(table, applicant).includes(row))
    const isDead = those.length === 0
    const ranked = table.policy === 'first' || table.policy === 'priority'
    const decides = those.some(
      (applicant) => !matchingRows(table, applicant).some((other) => rank(other) < rank(row)),
    )
    const told = found.flatMap((each) => ('row' in each && each.row === row ? [each.kind] : []))
    assert.deepEqual(told, isDead ? ['never_matches'] : ranked && !decides ? ['never_decides'] : [])
  }
}
