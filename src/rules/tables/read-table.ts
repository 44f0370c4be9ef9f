import type { DecisionTable, TableInput, TableRow } from '../../domain/decision-table.ts'
import type { FactValue } from '../../domain/fact.ts'
import { factNamed, type PackContext } from '../pack-context.ts'
import { describeNode } from '../read-shape.ts'
import type { Place, SourceFile } from '../source-file.ts'
import { quote, type ValueType } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import { field } from '../yaml-node.ts'
import { readCsvRows } from './read-csv-rows.ts'
import { readDomain } from './read-domain.ts'
import type { TableFrame } from './read-table-frame.ts'
import { readYamlRows } from './read-table-rows.ts'
import { readTableTests } from './read-table-tests.ts'
import type { TableTypes } from './table-types.ts'

/** A table as read, whole only when nothing was found wrong, and where its rows stand. */
export interface TableRead {
  readonly frame: TableFrame
  readonly table: DecisionTable | undefined
  readonly columns: readonly ValueType[]
  readonly rowPlaces: readonly Place[]
}

/** Reads inputs, rows, order and tests of a table, typed by the declared facts; tells every fault. */
export function readTable(
  frame: TableFrame,
  csvFiles: ReadonlyMap<string, SourceFile>,
  context: PackContext,
): TableRead {
  const { faults, zone } = context
  const before = faults.faults.length
  const columns = frame.inputs.map((input) => readColumn(input, context))
  const types: TableTypes = {
    frame,
    columns: columns.map((each) => each ?? unreadable),
    output: outputType(frame),
  }
  const unread: TableRead = { frame, table: undefined, columns: types.columns, rowPlaces: [] }
  if (columns.includes(undefined)) return unread
  const inputs = frame.inputs.map(({ fact, domain }, index): TableInput => {
    const test =
      domain === undefined ? '-' : readDomain(domain, types.columns[index] ?? unreadable, zone, faults)
    return test === undefined || test === '-' ? { fact } : { fact, domain: test }
  })
  const rows = readRows(types, csvFiles, context)
  const order = readOrder(types, rows?.map(({ row }) => row) ?? [], context)
  const tests = readTableTests(types, rows?.map(({ row }) => row) ?? [], context)
  if (rows === undefined || faults.faults.length > before) return unread
  const table: DecisionTable = {
    table: frame.table,
    description: frame.description,
    inputs,
    output: frame.output,
    hit_policy: frame.hitPolicy,
    ...(order === undefined ? {} : { order }),
    ...(frame.gapsAllowed ? { gaps: 'allowed' } : {}),
    rows: rows.map(({ row }) => row),
    ...(tests === undefined ? {} : { tests }),
  }
  return { ...unread, table, rowPlaces: rows.map(({ place }) => place) }
}

const unreadable: ValueType = { type: 'text' }

function readColumn(input: TableFrame['inputs'][number], context: PackContext): ValueType | undefined {
  const fact = factNamed(input.fact, input.node.place, context)
  if (fact === undefined) return undefined
  const { type, values } = fact.declaration
  if (type === 'list' || type === 'object') {
    context.faults.add(
      input.node.place,
      `a table tests single values; ${quote(fact.name)} is ${quote(type)}; derive a fact from it first`,
    )
    return undefined
  }
  return { type, ...(values === undefined ? {} : { values }) }
}

function outputType({ output }: TableFrame): ValueType {
  const { type, values } = output
  return {
    type,
    ...(values === undefined ? {} : { values: Object.fromEntries(values.map((each) => [each, []])) }),
  }
}

function readRows(
  types: TableTypes,
  csvFiles: ReadonlyMap<string, SourceFile>,
  context: PackContext,
): readonly { row: TableRow; place: Place }[] | undefined {
  const { frame } = types
  if (frame.csv === undefined) return readYamlRows(types, context)
  const path = `${frame.path.slice(0, frame.path.lastIndexOf('/') + 1)}${frame.csv}`
  const file = csvFiles.get(path)
  if (file !== undefined) return readCsvRows(types, file, context)
  const names = [...csvFiles.keys()].sort()
  const known = names.length === 0 ? '' : `; there are ${names.map(quote).join(', ')}`
  context.faults.add(
    field(frame.node, 'csv')?.place ?? frame.node.place,
    `there is no file ${quote(path)}${known}`,
  )
  return undefined
}

/** The outputs of a `priority` table, the one that wins first: each output of a row once. */
function readOrder(
  types: TableTypes,
  rows: readonly TableRow[],
  context: PackContext,
): FactValue[] | undefined {
  const node = field(types.frame.node, 'order')
  if (node === undefined) return undefined
  if (node.kind !== 'list' || node.items.length === 0) {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add(node.place, `expected the outputs, the one that wins first; got ${got}`)
    return undefined
  }
  const order: FactValue[] = []
  for (const item of node.items) {
    const value = typeYaml(types.output, item, context.zone, context.faults)
    if (value === undefined) continue
    if (value === null) context.faults.add(item.place, 'expected an output; got nothing')
    else if (order.includes(value))
      context.faults.add(item.place, `${quote(String(value))} stands in \`order\` twice`)
    else order.push(value)
  }
  const left = [...new Set(rows.map(({ then }) => then))].filter((then) => !order.includes(then))
  if (left.length > 0) {
    const names = left.map((value) => quote(String(value))).join(', ')
    context.faults.add(node.place, `\`order\` lacks ${names}, which rows yield`)
  }
  return order
}
