import type { TestPart, UnaryTest } from '../../domain/decision-table.ts'
import { describeNode } from '../read-shape.ts'
import type { FaultList, Place } from '../source-file.ts'
import type { ValueType } from '../typed-value.ts'
import { typeYaml } from '../yaml-fact-value.ts'
import type { YamlNode } from '../yaml-node.ts'
import { CellFault, hasTestSyntax, parseUnaryTest } from './parse-unary-test.ts'
import type { CsvCell } from './read-csv.ts'

/**
 * Reads a cell written in YAML: a scalar with a test or a plain value (which must not be one that YAML changes), or
 * a list of them, any of which is accepted.
 */
export function readYamlCell(
  node: YamlNode,
  type: ValueType,
  zone: string,
  faults: FaultList,
): UnaryTest | undefined {
  if (node.kind === 'list' && node.items.length > 0) return readList(node.items, type, zone, faults)
  if (node.kind !== 'scalar') {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    faults.add(node.place, `expected a test, such as \`< 100\`; got ${got}`)
    return undefined
  }
  if (typeof node.value === 'string' && (hasTestSyntax(node.text) || node.text.trim() === '')) {
    return parse(node.text, type, zone, faults, (at) => insideScalar(node.place, node.text, at))
  }
  const value = typeYaml(type, node, zone, faults)
  if (value === null) faults.add(node.place, 'expected a test; got nothing; `-` accepts everything')
  return typeof value === 'string' || typeof value === 'boolean' ? { in: [{ equal: value }] } : undefined
}

/** Reads a cell of a CSV file, where everything is text. */
export function readCsvCell(
  cell: CsvCell,
  type: ValueType,
  zone: string,
  faults: FaultList,
): UnaryTest | undefined {
  return parse(cell.text, type, zone, faults, (at) => insideScalar(cell.place, cell.text, at))
}

function readList(
  items: readonly YamlNode[],
  type: ValueType,
  zone: string,
  faults: FaultList,
): UnaryTest | undefined {
  const parts: TestPart[] = []
  let isWhole = true
  for (const item of items) {
    const test = readYamlCell(item, type, zone, faults)
    if (test === undefined) isWhole = false
    else if (test !== '-' && 'in' in test) parts.push(...test.in)
    else {
      faults.add(item.place, 'in a list stand values and intervals; `-` and `not(…)` stand alone')
      isWhole = false
    }
  }
  return isWhole ? { in: parts } : undefined
}

function parse(
  text: string,
  type: ValueType,
  zone: string,
  faults: FaultList,
  place: (at: number) => Place,
): UnaryTest | undefined {
  try {
    return parseUnaryTest(text, type, zone)
  } catch (cause) {
    if (!(cause instanceof CellFault)) throw cause
    faults.add(place(cause.at), cause.message)
    return undefined
  }
}

/** Where an offset in a value stands in its file; the value's start where it is not written there as it reads. */
function insideScalar({ file, offset }: Place, text: string, at: number): Place {
  for (const skip of [0, 1]) {
    if (file.text.startsWith(text, offset + skip)) return { file, offset: offset + skip + at }
  }
  return { file, offset }
}
