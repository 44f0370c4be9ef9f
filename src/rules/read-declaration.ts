import { z } from 'zod'
import { readDecimal, writeDecimal } from '../domain/decimal.ts'
import type { FactValue } from '../domain/fact.ts'
import { FactDeclaration, FieldDeclaration, type Tolerance } from '../domain/policy.ts'
import { ComparisonOperator } from '../domain/rule.ts'
import { checkDeclaration, checkValueType } from './check-declaration.ts'
import { comparisons } from './operators.ts'
import { describeNode, readShape } from './read-shape.ts'
import type { FaultList } from './source-file.ts'
import { fold, quote } from './typed-value.ts'
import { typeYaml } from './yaml-fact-value.ts'
import { field, type YamlMap, type YamlNode } from './yaml-node.ts'

const ExceptShape = z.strictObject({
  rule: z.string(),
  operator: ComparisonOperator,
  value: z.unknown().optional(),
})

/** Reads one declared fact or memory key: decimals from their text, exceptions typed by the fact itself. */
export function readDeclaration(
  node: YamlNode,
  zone: string,
  faults: FaultList,
): FactDeclaration | undefined {
  const before = faults.faults.length
  const replace = readValueType(node, zone, faults)
  const tolerance = field(node, 'tolerance')
  if (tolerance !== undefined) replace.tolerance = readTolerance(tolerance, faults)
  const except = field(node, 'except')
  // Its values are typed by the declaration itself, so they come after it.
  if (except !== undefined) replace.except = undefined
  const changeable = field(node, 'changeable')
  const step = field(changeable, 'step')
  if (changeable?.kind === 'map' && step !== undefined) {
    const rest = { ...changeable, entries: changeable.entries.filter((entry) => entry.key !== 'step') }
    replace.changeable = { ...plainFields(rest), step: decimalText(step, faults) }
  }
  if (faults.faults.length > before) return undefined
  const declaration = readShape(FactDeclaration, node, faults, replace)
  if (declaration === undefined) return undefined
  checkDeclaration(declaration, node, faults)
  if (except === undefined || faults.faults.length > before) return declaration
  return { ...declaration, except: readExcept(except, declaration, zone, faults) }
}

/** Reads the parts of a declaration that are not what YAML makes of them: limits, synonyms, nested fields. */
function readValueType(node: YamlNode, zone: string, faults: FaultList): Record<string, unknown> {
  const replace: Record<string, unknown> = {}
  for (const name of ['min', 'max']) {
    const value = field(node, name)
    if (value !== undefined) replace[name] = decimalText(value, faults)
  }
  const values = field(node, 'values')
  if (values?.kind === 'map') replace.values = readValues(values, zone, faults)
  const fields = field(node, 'fields')
  if (fields?.kind !== 'map') return replace
  const read = fields.entries.map((entry) => [entry.key, readField(entry.value, zone, faults)] as const)
  replace.fields = Object.fromEntries(read.filter(([, declaration]) => declaration !== undefined))
  return replace
}

/** Reads the declaration of a field inside an object. */
function readField(node: YamlNode, zone: string, faults: FaultList): FieldDeclaration | undefined {
  const before = faults.faults.length
  const replace = readValueType(node, zone, faults)
  if (faults.faults.length > before) return undefined
  const declaration = readShape(FieldDeclaration, node, faults, replace)
  if (declaration !== undefined) checkValueType(declaration, node, faults)
  return declaration
}

function plainFields(node: YamlMap): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const entry of node.entries) {
    result[entry.key] =
      entry.value.kind === 'map'
        ? Object.fromEntries(
            entry.value.entries.map((each) => [
              each.key,
              each.value.kind === 'scalar' ? each.value.text : null,
            ]),
          )
        : entry.value.kind === 'scalar'
          ? entry.value.value
          : null
  }
  return result
}

function decimalText(node: YamlNode, faults: FaultList): string | undefined {
  const value = node.kind === 'scalar' ? readDecimal(node.text) : undefined
  if (value !== undefined) return writeDecimal(value)
  faults.add(node.place, `expected a decimal number, such as \`0.45\`; got ${describeNode(node)}`)
  return undefined
}

function readTolerance(node: YamlNode, faults: FaultList): Tolerance | undefined {
  const percentNode = field(node, 'percent')
  const amountNode = field(node, 'amount')
  if (node.kind === 'map' && node.entries.length === 1) {
    const text = decimalText(percentNode ?? amountNode ?? node, faults)
    if (text === undefined) return undefined
    return percentNode === undefined ? { amount: text } : { percent: text }
  }
  const match = node.kind === 'scalar' ? /^(\S+?)\s*(%?)$/.exec(node.text.trim()) : null
  const value = match === null ? undefined : readDecimal(match[1] ?? '')
  if (value === undefined || value.isNegative()) {
    faults.add(
      node.place,
      `expected an amount such as \`50\` or a share such as \`10 %\`; got ${describeNode(node)}`,
    )
    return undefined
  }
  return match?.[2] === '%' ? { percent: writeDecimal(value) } : { amount: writeDecimal(value) }
}

function readValues(node: YamlMap, zone: string, faults: FaultList): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  const owners = new Map<string, string>()
  for (const entry of node.entries) {
    const name = entry.key.normalize('NFC')
    const synonyms = typeYaml({ type: 'list', of: 'text' }, entry.value, zone, faults)
    const list = Array.isArray(synonyms) ? synonyms.filter((each) => typeof each === 'string') : []
    values[name] = list
    for (const text of [name, ...list]) {
      const owner = owners.get(fold(text))
      if (owner !== undefined && owner !== name) {
        faults.add(entry.keyPlace, `${quote(text)} would mean both ${quote(owner)} and ${quote(name)}`)
      }
      owners.set(fold(text), name)
    }
  }
  return values
}

function readExcept(
  node: YamlNode,
  declaration: FactDeclaration,
  zone: string,
  faults: FaultList,
): NonNullable<FactDeclaration['except']> {
  if (node.kind !== 'list') {
    faults.add(node.place, `expected a list of exceptions; got ${describeNode(node)}`)
    return []
  }
  const result: { rule: string; operator: ComparisonOperator; value: FactValue }[] = []
  for (const item of node.items) {
    const shape = readShape(ExceptShape, item, faults)
    const valueNode = field(item, 'value')
    if (shape === undefined) continue
    if (valueNode === undefined) {
      faults.add(item.place, 'the field `value` is missing')
      continue
    }
    const { operand } = comparisons[shape.operator]
    const isMembership = operand === 'list' || operand === 'range'
    const { min: _min, max: _max, ...type } = declaration
    const value = typeYaml(
      isMembership ? { ...type, type: 'list', of: declaration.type } : type,
      valueNode,
      zone,
      faults,
    )
    if (value === null) faults.add(valueNode.place, 'expected a value; got nothing')
    else if (value !== undefined) result.push({ rule: shape.rule, operator: shape.operator, value })
  }
  return result
}
