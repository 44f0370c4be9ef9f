import type { TestPart, UnaryTest } from '../../domain/decision-table.ts'
import type { FactValue } from '../../domain/fact.ts'
import { compareOperands, toOperand } from '../computed.ts'
import { describeNode } from '../read-shape.ts'
import type { FaultList } from '../source-file.ts'
import { quote, type ValueType } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import { field, type YamlNode } from '../yaml-node.ts'
import { orderedTypes } from './parse-unary-test.ts'
import { readYamlCell } from './read-cell.ts'

/**
 * Values for which a table is made: `{min: 0, max: 120}` (both belong to it), `{values: [a, b]}`, or a test such as
 * `'[0..1)'`.
 */
export function readDomain(
  node: YamlNode,
  type: ValueType,
  zone: string,
  faults: FaultList,
): UnaryTest | undefined {
  if (node.kind !== 'map') return readYamlCell(node, type, zone, faults)
  const names = new Set(node.entries.map((entry) => entry.key))
  const values = field(node, 'values')
  if (values !== undefined && names.size === 1) return readValues(values, type, zone, faults)
  const isBounds = names.size > 0 && [...names].every((name) => name === 'min' || name === 'max')
  if (!isBounds) {
    faults.add(node.place, 'expected `{min: …, max: …}`, `{values: […]}` or a test such as `[0..1)`')
    return undefined
  }
  return readBounds(node, type, zone, faults)
}

function readValues(node: YamlNode, type: ValueType, zone: string, faults: FaultList): UnaryTest | undefined {
  if (node.kind !== 'list' || node.items.length === 0) {
    faults.add(
      node.place,
      `expected a list of values; got ${node.kind === 'list' ? 'an empty one' : describeNode(node)}`,
    )
    return undefined
  }
  const parts: TestPart[] = []
  for (const item of node.items) {
    const value = readOne(item, type, zone, faults)
    if (typeof value === 'string' || typeof value === 'boolean') parts.push({ equal: value })
  }
  return parts.length === node.items.length ? { in: parts } : undefined
}

function readBounds(node: YamlNode, type: ValueType, zone: string, faults: FaultList): UnaryTest | undefined {
  if (!orderedTypes.has(type.type)) {
    faults.add(node.place, `\`min\` and \`max\` need values with an order; this input is ${quote(type.type)}`)
    return undefined
  }
  const [min, max] = ['min', 'max'].map((name) => {
    const bound = field(node, name)
    return bound === undefined ? null : readOne(bound, type, zone, faults)
  })
  if (min === undefined || max === undefined) return undefined
  if (typeof min === 'string' && typeof max === 'string') {
    if (compareOperands(toOperand(type.type, min), toOperand(type.type, max)) > 0) {
      faults.add(node.place, `\`max\` ${quote(max)} lies below \`min\` ${quote(min)}`)
      return undefined
    }
    return { in: [{ from: min, to: max }] }
  }
  return { in: [typeof min === 'string' ? { from: min } : { to: String(max) }] }
}

function readOne(node: YamlNode, type: ValueType, zone: string, faults: FaultList): FactValue | undefined {
  const value = typeYaml(type, node, zone, faults)
  if (value !== null) return value
  faults.add(node.place, 'expected a value; got nothing')
  return undefined
}
