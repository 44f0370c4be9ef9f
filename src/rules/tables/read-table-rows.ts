import { JsonNumber, type RawValue } from '../../domain/decision.ts'
import type { TableRow, UnaryTest } from '../../domain/decision-table.ts'
import { decimalTypes, type FactValue } from '../../domain/fact.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { PackContext } from '../pack-context.ts'
import { describeNode } from '../read-shape.ts'
import type { Place, SourceFile } from '../source-file.ts'
import { quote, typeValue, type ValueType } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import { field, lineText, type YamlList, type YamlMap, type YamlNode } from '../yaml-node.ts'
import { readCsvCell, readYamlCell } from './read-cell.ts'
import { type CsvCell, readCsv } from './read-csv.ts'
import type { TableTypes } from './table-types.ts'

export interface RowRead {
  readonly row: TableRow
  readonly place: Place
}

const rowForms = 'expected a row: its cells and the output in a list, or `{when: {…}, then: …}`'

/** Reads `rows`: lists of cells with the output last, or maps that name the inputs they test. */
export function readYamlRows(types: TableTypes, context: PackContext): RowRead[] | undefined {
  const node = field(types.frame.node, 'rows')
  if (node?.kind !== 'list' || node.items.length === 0) {
    const got = node === undefined ? 'nothing' : node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add((node ?? types.frame.node).place, `expected a list of rows; got ${got}`)
    return undefined
  }
  const rows: RowRead[] = []
  for (const item of node.items) {
    const row =
      item.kind === 'list'
        ? readListRow(item, types, context)
        : item.kind === 'map'
          ? readMapRow(item, types, context)
          : context.faults.add(item.place, `${rowForms}; got ${describeNode(item)}`)
    if (row !== undefined) rows.push({ row, place: item.place })
  }
  refuseSameNames(rows, context)
  return rows.length === node.items.length ? rows : undefined
}

function readListRow(node: YamlList, types: TableTypes, context: PackContext): TableRow | undefined {
  const { columns, frame } = types
  if (node.items.length !== columns.length + 1) {
    const names = [...frame.inputs.map(({ fact }) => fact), 'output'].map(quote).join(', ')
    context.faults.add(
      node.place,
      `expected ${columns.length + 1} cells (${names}); got ${node.items.length}`,
    )
    return undefined
  }
  const when = columns.map((column, index) => {
    const cell = node.items[index]
    return cell === undefined ? undefined : readYamlCell(cell, column, context.zone, context.faults)
  })
  return rowOf(when, readYamlOutput(node.items[columns.length], node, types, context))
}

function readMapRow(node: YamlMap, types: TableTypes, context: PackContext): TableRow | undefined {
  const { columns, frame } = types
  const { faults, zone } = context
  const before = faults.faults.length
  const fields = ['name', 'when', 'then']
  for (const entry of node.entries) {
    if (fields.includes(entry.key)) continue
    faults.add(entry.keyPlace, `there is no field ${quote(entry.key)} here${suggestion(entry.key, fields)}`)
  }
  const nameNode = field(node, 'name')
  const name = nameNode?.kind === 'scalar' && typeof nameNode.value === 'string' ? nameNode.text : undefined
  if (nameNode !== undefined && (name === undefined || name === '' || name.length > 100)) {
    faults.add(
      nameNode.place,
      `expected a name of at most 100 characters, as text; got ${describeNode(nameNode)}`,
    )
  }
  const whenNode = field(node, 'when')
  const when: (UnaryTest | undefined)[] = columns.map(() => '-')
  if (whenNode === undefined)
    faults.add(node.place, 'the field `when` is missing; `when: {}` accepts everything')
  else if (whenNode.kind !== 'map') {
    faults.add(whenNode.place, `expected inputs with their tests; got ${describeNode(whenNode)}`)
  } else {
    const names = frame.inputs.map(({ fact }) => fact)
    for (const { key, keyPlace, value } of whenNode.entries) {
      const index = names.indexOf(key)
      const column = columns[index]
      if (column === undefined)
        faults.add(keyPlace, `${quote(key)} is no input of this table${suggestion(key, names)}`)
      else when[index] = readYamlCell(value, column, zone, faults)
    }
  }
  const then = readYamlOutput(field(node, 'then'), node, types, context)
  if (faults.faults.length > before) return undefined
  return rowOf(when, then, name)
}

function readYamlOutput(
  node: YamlNode | undefined,
  row: YamlNode,
  types: TableTypes,
  context: PackContext,
): FactValue | undefined {
  const value = node === undefined ? null : typeYaml(types.output, node, context.zone, context.faults)
  if (value !== null) return value
  context.faults.add((node ?? row).place, 'expected the output of this row; got nothing')
  return undefined
}

function rowOf(
  when: readonly (UnaryTest | undefined)[],
  then: FactValue | undefined,
  name?: string,
): TableRow | undefined {
  const cells = when.filter((cell) => cell !== undefined)
  if (cells.length < when.length || then === undefined) return undefined
  return { ...(name === undefined ? {} : { name }), when: cells, then }
}

/** Reads a CSV file: a header with the inputs, `output` and perhaps `name`, in any order, and a row a line. */
export function readCsvRows(
  types: TableTypes,
  file: SourceFile,
  context: PackContext,
): RowRead[] | undefined {
  const { faults } = context
  const before = faults.faults.length
  const [header, ...records] = readCsv(file, faults)
  if (faults.faults.length > before) return undefined
  if (header === undefined || records.length === 0) {
    faults.add({ file, offset: 0 }, 'expected a header and at least one row')
    return undefined
  }
  const layout = readHeader(header, types, context)
  if (layout === undefined) return undefined
  const rows: RowRead[] = []
  for (const record of records) {
    const place = record[0]?.place ?? { file, offset: 0 }
    if (record.length !== header.length) {
      faults.add(
        place,
        `expected ${header.length} values, as in the header; got ${record.length}; a list of values stands in quotes`,
      )
      continue
    }
    const row = readRecord(record, layout, types, context)
    if (row !== undefined) rows.push({ row, place })
  }
  refuseSameNames(rows, context)
  return rows.length === records.length ? rows : undefined
}

/** Column of each input, of the output, and of the rows' names (-1: none). */
interface Layout {
  readonly inputs: readonly number[]
  readonly output: number
  readonly name: number
}

function readHeader(header: readonly CsvCell[], types: TableTypes, context: PackContext): Layout | undefined {
  const { faults } = context
  const before = faults.faults.length
  const inputs = types.frame.inputs.map(({ fact }) => fact)
  const known = [...inputs, 'output', 'name']
  const places = new Map<string, number>()
  for (const [index, { text, place }] of header.entries()) {
    if (!known.includes(text)) {
      const hint = header.length === 1 && text.includes(';') ? '; separate the values with commas' : ''
      faults.add(
        place,
        `${quote(text)} is no input of table ${quote(types.frame.table)}${hint || suggestion(text, known)}`,
      )
    } else if (places.has(text)) faults.add(place, `a second column is named ${quote(text)}`)
    places.set(text, index)
  }
  const start = header[0]?.place
  if (start === undefined || faults.faults.length > before) return undefined
  for (const name of [...inputs, 'output']) {
    if (!places.has(name)) faults.add(start, `there is no column ${quote(name)}`)
  }
  for (const reserved of ['output', 'name']) {
    if (inputs.includes(reserved)) {
      faults.add(start, `an input is named ${quote(reserved)}; such a table is written with \`rows\` in YAML`)
    }
  }
  if (faults.faults.length > before) return undefined
  const column = (name: string) => places.get(name) ?? -1
  return { inputs: inputs.map(column), output: column('output'), name: column('name') }
}

function readRecord(
  record: readonly CsvCell[],
  layout: Layout,
  types: TableTypes,
  context: PackContext,
): TableRow | undefined {
  const when = layout.inputs.map((index, column) => {
    const cell = record[index]
    const type = types.columns[column]
    return cell === undefined || type === undefined
      ? undefined
      : readCsvCell(cell, type, context.zone, context.faults)
  })
  const output = record[layout.output]
  const then = output === undefined ? undefined : readCsvOutput(output, types.output, context)
  const nameCell = record[layout.name]
  if (nameCell === undefined || nameCell.text === '') return rowOf(when, then)
  if (nameCell.text.length <= 100) return rowOf(when, then, nameCell.text)
  context.faults.add(nameCell.place, 'expected a name of at most 100 characters')
  return undefined
}

function readCsvOutput(cell: CsvCell, type: ValueType, context: PackContext): FactValue | undefined {
  const { text, place } = cell
  if (text === '') {
    context.faults.add(place, 'expected the output of this row; got nothing')
    return undefined
  }
  const bare = /^"(.*)"$/s.exec(text)?.[1] ?? text
  const raw: RawValue = decimalTypes.has(type.type)
    ? new JsonNumber(text)
    : type.type === 'boolean' && (text === 'true' || text === 'false')
      ? text === 'true'
      : bare
  const typed = typeValue(type, raw, context.zone)
  if ('value' in typed && typed.value !== null) return typed.value
  const hint = type.values === undefined ? '' : suggestion(text, Object.keys(type.values))
  context.faults.add(place, ('why' in typed ? typed.why : `${quote(text)} is none of the values`) + hint)
  return undefined
}

function refuseSameNames(rows: readonly RowRead[], context: PackContext): void {
  const seen = new Map<string, Place>()
  for (const { row, place } of rows) {
    if (row.name === undefined) continue
    const first = seen.get(row.name)
    if (first === undefined) seen.set(row.name, place)
    else
      context.faults.add(place, `a second row is named ${quote(row.name)}; the first is ${lineText(first)}`)
  }
}
