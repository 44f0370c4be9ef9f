import { z } from 'zod'
import { rowLabel, type TableRow, TableTest } from '../../domain/decision-table.ts'
import type { FactValue } from '../../domain/fact.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { PackContext } from '../pack-context.ts'
import { describeNode, readShape } from '../read-shape.ts'
import { quote, type ValueType } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import { field, type YamlNode } from '../yaml-node.ts'
import type { TableTypes } from './table-types.ts'

const unread = z.unknown().optional()
const TestShape = TableTest.extend({ given: unread, expect: unread })
const ExpectShape = TableTest.shape.expect.extend({ value: unread, rows: unread })

/** Reads the tests of a table, values typed by its inputs and its output. */
export function readTableTests(
  types: TableTypes,
  rows: readonly TableRow[],
  context: PackContext,
): TableTest[] | undefined {
  const node = field(types.frame.node, 'tests')
  if (node === undefined) return undefined
  if (node.kind !== 'list' || node.items.length === 0) {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add(node.place, `expected a list under \`tests\`; got ${got}`)
    return undefined
  }
  const labels = rows.map(rowLabel)
  const names = new Set<string>()
  return node.items.flatMap((item) => {
    const shape = readShape(TestShape, item, context.faults)
    if (shape === undefined) return []
    if (names.has(shape.name)) context.faults.add(item.place, `a second test is named ${quote(shape.name)}`)
    names.add(shape.name)
    const given = readGiven(field(item, 'given'), item, types, context)
    const expect = readExpect(field(item, 'expect'), item, types, labels, context)
    return given === undefined || expect === undefined ? [] : [{ name: shape.name, given, expect }]
  })
}

function readGiven(
  node: YamlNode | undefined,
  test: YamlNode,
  types: TableTypes,
  context: PackContext,
): TableTest['given'] | undefined {
  if (node?.kind !== 'map') {
    context.faults.add((node ?? test).place, 'expected `given` with inputs and their values')
    return undefined
  }
  const names = types.frame.inputs.map(({ fact }) => fact)
  const given: Record<string, FactValue | null> = {}
  for (const { key, keyPlace, value: valueNode } of node.entries) {
    const declaration = context.declared.get(key)?.declaration
    if (!names.includes(key) || declaration === undefined) {
      context.faults.add(keyPlace, `${quote(key)} is no input of this table${suggestion(key, names)}`)
      continue
    }
    const value = typeYaml(declaration, valueNode, context.zone, context.faults)
    if (value === null && declaration.may_be_none !== true) {
      context.faults.add(
        valueNode.place,
        `${quote(key)} is not marked \`may_be_none\`; leave it out for unknown`,
      )
    } else if (value !== undefined) given[key] = value
  }
  return given
}

/** `expect: 35` is short for `expect: {value: 35}`. */
function readExpect(
  node: YamlNode | undefined,
  test: YamlNode,
  types: TableTypes,
  labels: readonly string[],
  context: PackContext,
): TableTest['expect'] | undefined {
  if (node === undefined || (node.kind === 'map' && node.entries.length === 0)) {
    context.faults.add(
      (node ?? test).place,
      'expected the result, or `value`, `outcome` or `rows`; got nothing',
    )
    return undefined
  }
  const result = resultValueType(types)
  if (node.kind !== 'map') {
    const value = readResult(node, result, context)
    return value === undefined ? undefined : { value }
  }
  const shape = readShape(ExpectShape, node, context.faults)
  if (shape === undefined) return undefined
  const valueNode = field(node, 'value')
  const value = valueNode === undefined ? undefined : readResult(valueNode, result, context)
  const rows = readRowNames(field(node, 'rows'), labels, context)
  return {
    ...(value === undefined ? {} : { value }),
    ...(shape.outcome === undefined ? {} : { outcome: shape.outcome }),
    ...(rows === undefined ? {} : { rows }),
  }
}

function resultValueType({ frame, output }: TableTypes): ValueType {
  if (frame.hitPolicy === 'count') return { type: 'integer' }
  return frame.hitPolicy === 'collect' ? { ...output, type: 'list', of: output.type } : output
}

function readResult(node: YamlNode, type: ValueType, context: PackContext): FactValue | undefined {
  const value = typeYaml(type, node, context.zone, context.faults)
  if (value !== null) return value
  context.faults.add(
    node.place,
    'expected a value; `{outcome: none}` or `{outcome: unknown}` says that there is none',
  )
  return undefined
}

function readRowNames(
  node: YamlNode | undefined,
  labels: readonly string[],
  context: PackContext,
): string[] | undefined {
  if (node === undefined) return undefined
  if (node.kind !== 'list') {
    context.faults.add(
      node.place,
      `expected the rows that match, by name or number; got ${describeNode(node)}`,
    )
    return undefined
  }
  return node.items.flatMap((item) => {
    if (item.kind === 'scalar' && labels.includes(item.text)) return [item.text]
    // Where rows could not be read, nothing is known of their names.
    if (labels.length > 0) {
      context.faults.add(
        item.place,
        `there is no row ${describeNode(item)}${item.kind === 'scalar' ? suggestion(item.text, labels) : ''}`,
      )
    }
    return []
  })
}
