import type { PackContext } from '../pack-context.ts'
import type { FaultList, Place } from '../source-file.ts'
import { quote, type ValueType } from '../typed-value.ts'
import { field, lineText } from '../yaml-node.ts'
import { analyseTable, type Example, namedRow, type TableFinding } from './analyse-table.ts'
import type { Budget } from './explore-rows.ts'
import type { TableRead } from './read-table.ts'
import { writeUnaryTest } from './write-unary-test.ts'

/**
 * Tells what a whole table's rows do wrong: rows that can both match, gaps, rows without effect; each with an
 * applicant that falls in. What is lawful but likely no intention, and what could not be decided, goes to `warnings`.
 */
export function checkTable(read: TableRead, context: PackContext, warnings: FaultList, budget: Budget): void {
  const { table } = read
  if (table === undefined) return
  const types = table.inputs.map(({ fact }, index): ValueType => {
    const { min, max } = context.declared.get(fact)?.declaration ?? {}
    const type = read.columns[index] ?? { type: 'text' }
    return { ...type, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  })
  for (const finding of analyseTable(table, types, budget)) {
    const isWarning = finding.kind === 'not_decided' || finding.kind === 'counted_twice'
    const { place, sentence } = describe(finding, read)
    ;(isWarning ? warnings : context.faults).add(place, sentence)
  }
}

function describe(finding: TableFinding, read: TableRead): { place: Place; sentence: string } {
  const { table, frame, rowPlaces } = read
  if (table === undefined) throw new TypeError('only a whole table is analysed')
  const whole = (field(frame.node, 'rows') ?? field(frame.node, 'csv') ?? frame.node).place
  const placeOf = (row: number): Place => rowPlaces[row] ?? whole
  const name = `table ${quote(table.table)}`
  switch (finding.kind) {
    case 'overlap':
    case 'counted_twice': {
      const [one, other] = finding.rows
      const both = `${namedRow(table, one)} (${lineText(placeOf(one))}) and this ${namedRow(table, other)} of ${name} both match ${show(finding.example)}`
      return { place: placeOf(other), sentence: `${both}; ${overlapHint(finding.kind, table.hit_policy)}` }
    }
    case 'gap': {
      const sum = table.hit_policy === 'sum' && Object.keys(finding.example).length < table.inputs.length
      const hint = sum
        ? 'so nothing would be added for it; write a row, with 0 where nothing counts'
        : 'write a row'
      const sentence = `no row of ${name} matches ${show(finding.example)}, ${hint}, or \`gaps: allowed\``
      return { place: whole, sentence: sum ? sentence : sentence.replace(`, ${hint}`, `; ${hint}`) }
    }
    case 'never_matches': {
      const row = table.rows[finding.row]
      const cells = (row?.when ?? []).flatMap((cell, column) =>
        cell === '-' ? [] : [`${writeUnaryTest(cell)} of ${quote(table.inputs[column]?.fact ?? '')}`],
      )
      const sentence = `${namedRow(table, finding.row)} of ${name} can never match: nothing that can occur passes ${cells.join(', ')}`
      return { place: placeOf(finding.row), sentence }
    }
    case 'never_decides': {
      const before =
        table.hit_policy === 'first' ? 'rows above it' : 'rows whose outputs stand before its own in `order`'
      const sentence = `${namedRow(table, finding.row)} of ${name} never decides: ${before} match whatever it matches`
      return { place: placeOf(finding.row), sentence }
    }
    case 'not_decided': {
      const what = { overlaps: 'rows overlap', gaps: 'there are gaps', reach: 'every row can decide' }[
        finding.what
      ]
      return { place: whole, sentence: `whether ${what} in ${name} was not decided: too many combinations` }
    }
  }
}

function overlapHint(kind: 'overlap' | 'counted_twice', policy: string): string {
  if (kind === 'counted_twice') return 'both are added'
  return policy === 'any' ? 'with different outputs, which `any` forbids' : '`hit_policy: unique` allows one'
}

/** `age` `17`, `status` `S` */
function show(example: Example): string {
  return Object.entries(example)
    .map(([fact, value]) => `${fact} ${quote(String(value))}`)
    .join(', ')
}
