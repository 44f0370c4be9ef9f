import { z } from 'zod'
import { DecisionTable, type HitPolicy, type TableOutput } from '../../domain/decision-table.ts'
import { decimalTypes, type FactType } from '../../domain/fact.ts'
import { FactName } from '../../domain/names.ts'
import { describeNode, readShape } from '../read-shape.ts'
import type { FaultList } from '../source-file.ts'
import { quote } from '../typed-value.ts'
import { field, type YamlNode } from '../yaml-node.ts'
import { orderedTypes } from './parse-unary-test.ts'

const later = z.unknown().optional()

/** A table's file as far as its form goes; cells, outputs and tests are typed by facts and come later. */
const TableFile = DecisionTable.omit({ inputs: true, rows: true, order: true, tests: true }).extend({
  inputs: z
    .array(z.union([FactName, z.strictObject({ fact: FactName, domain: later })]))
    .min(1)
    .max(30),
  order: later,
  rows: later,
  csv: z.string().min(1).max(200).optional(),
  tests: later,
})

/** The parts of a table that need no facts: its name, inputs, output and hit policy. */
export interface TableFrame {
  /** Path in the pack, such as `tables/risk-points.yaml`: how derived facts name it. */
  readonly path: string
  readonly node: YamlNode
  readonly table: string
  readonly description: string
  readonly inputs: readonly {
    readonly fact: string
    readonly node: YamlNode
    readonly domain: YamlNode | undefined
  }[]
  readonly output: TableOutput
  readonly hitPolicy: HitPolicy
  readonly gapsAllowed: boolean
  readonly csv: string | undefined
}

/** Reads the frame of a table's file; tells every fault in it. */
export function readTableFrame(path: string, node: YamlNode, faults: FaultList): TableFrame | undefined {
  const shape = readShape(TableFile, node, faults)
  if (shape === undefined) return undefined
  const list = field(node, 'inputs')
  const inputs = shape.inputs.map((input, index) => {
    const item = (list?.kind === 'list' ? list.items[index] : undefined) ?? node
    const fact = typeof input === 'string' ? input : input.fact
    return { fact, node: field(item, 'fact') ?? item, domain: field(item, 'domain') }
  })
  const frame: TableFrame = {
    path,
    node,
    table: shape.table,
    description: shape.description,
    inputs,
    output: normalised(shape.output),
    hitPolicy: shape.hit_policy,
    gapsAllowed: shape.gaps !== undefined,
    csv: shape.csv,
  }
  const before = faults.faults.length
  checkInputs(frame, faults)
  checkOutput(frame, faults)
  checkParts(frame, faults)
  return faults.faults.length === before ? frame : undefined
}

function normalised(output: TableOutput): TableOutput {
  const { values, ...rest } = output
  return values === undefined ? rest : { ...rest, values: values.map((value) => value.normalize('NFC')) }
}

/** Type of the fact that a table makes: a list where it collects, a number where it counts. */
export function resultType(hitPolicy: HitPolicy, output: TableOutput): FactType {
  if (hitPolicy === 'collect') return 'list'
  return hitPolicy === 'count' ? 'integer' : output.type
}

function checkInputs(frame: TableFrame, faults: FaultList): void {
  const seen = new Set<string>()
  for (const { fact, node } of frame.inputs) {
    if (seen.has(fact)) faults.add(node.place, `${quote(fact)} is an input a second time`)
    seen.add(fact)
  }
}

function checkOutput({ node, output, hitPolicy }: TableFrame, faults: FaultList): void {
  const outputNode = field(node, 'output') ?? node
  const place = (name: string) => field(outputNode, name)?.place ?? outputNode.place
  const { type, unit, values } = output
  if (type === 'list' || type === 'object') {
    faults.add(place('type'), `a row yields one value; ${quote(type)} is none${listHint(type)}`)
  }
  if (type === 'enum' && values === undefined) {
    faults.add(outputNode.place, 'an `enum` output lists its `values`, such as `values: [LOW, HIGH]`')
  }
  if (type !== 'enum' && values !== undefined) {
    faults.add(place('values'), `\`values\` goes with \`enum\`; this output is ${quote(type)}`)
  }
  if (values !== undefined && new Set(values).size < values.length) {
    faults.add(place('values'), 'a value stands in the list twice')
  }
  if (unit !== undefined && !decimalTypes.has(type)) {
    faults.add(place('unit'), `\`unit\` goes with numbers; this output is ${quote(type)}`)
  }
  const policyPlace = field(node, 'hit_policy')?.place ?? node.place
  if (hitPolicy === 'sum' && !decimalTypes.has(type)) {
    faults.add(policyPlace, `\`sum\` adds numbers; this output is ${quote(type)}`)
  }
  if ((hitPolicy === 'min' || hitPolicy === 'max') && !orderedTypes.has(type)) {
    faults.add(policyPlace, `${quote(hitPolicy)} needs values with an order; this output is ${quote(type)}`)
  }
}

function listHint(type: FactType): string {
  return type === 'list' ? '; `hit_policy: collect` makes a list of them' : ''
}

function checkParts({ node, hitPolicy, csv }: TableFrame, faults: FaultList): void {
  const rows = field(node, 'rows')
  const order = field(node, 'order')
  const csvNode = field(node, 'csv')
  if (csv === undefined && rows === undefined) {
    faults.add(node.place, 'expected `rows`, or `csv` with the name of a file beside this one')
  }
  if (csvNode !== undefined && rows !== undefined) {
    faults.add(csvNode.place, 'a table has either `rows` or `csv`')
  }
  if (csvNode !== undefined && csv !== undefined && !/^[^/\\]+\.csv$/i.test(csv)) {
    faults.add(csvNode.place, `expected the name of a CSV file beside this one; got ${describeNode(csvNode)}`)
  }
  if (hitPolicy === 'priority' && order === undefined) {
    faults.add(
      field(node, 'hit_policy')?.place ?? node.place,
      '`priority` needs `order`: the outputs, the one that wins first',
    )
  }
  if (hitPolicy !== 'priority' && order !== undefined) {
    faults.add(order.place, `\`order\` goes with \`hit_policy: priority\`; this is ${quote(hitPolicy)}`)
  }
}
