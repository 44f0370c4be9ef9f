import type { TableRow } from '../../domain/decision-table.ts'
import { decimalTypes, type FactValue } from '../../domain/fact.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { JsonNumber, type RawValue } from '../../domain/request.ts'
import type { PackContext } from '../pack-context.ts'
import type { SourceFile } from '../source-file.ts'
import { quote, typeValue, type ValueType } from '../typed-value.ts'
import { readCsvCell } from './read-cell.ts'
import { type CsvCell, readCsv } from './read-csv.ts'
import { type RowRead, refuseSameNames, rowOf } from './read-table-rows.ts'
import type { TableTypes } from './table-types.ts'

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
