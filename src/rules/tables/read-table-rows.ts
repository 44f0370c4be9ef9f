import type { TableRow, UnaryTest } from '../../domain/decision-table.ts'
import type { FactValue } from '../../domain/fact.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { PackContext } from '../pack-context.ts'
import { describeNode } from '../read-shape.ts'
import type { Place } from '../source-file.ts'
import { quote } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import { field, lineText, type YamlList, type YamlMap, type YamlNode } from '../yaml-node.ts'
import { readYamlCell } from './read-cell.ts'
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

/** A row of whole cells and an output; `undefined` where one could not be read. */
export function rowOf(
  when: readonly (UnaryTest | undefined)[],
  then: FactValue | undefined,
  name?: string,
): TableRow | undefined {
  const cells = when.filter((cell) => cell !== undefined)
  if (cells.length < when.length || then === undefined) return undefined
  return { ...(name === undefined ? {} : { name }), when: cells, then }
}

/** Tells rows that have a name which stands for an earlier one. */
export function refuseSameNames(rows: readonly RowRead[], context: PackContext): void {
  const seen = new Map<string, Place>()
  for (const { row, place } of rows) {
    if (row.name === undefined) continue
    const first = seen.get(row.name)
    if (first === undefined) seen.set(row.name, place)
    else
      context.faults.add(place, `a second row is named ${quote(row.name)}; the first is ${lineText(first)}`)
  }
}
