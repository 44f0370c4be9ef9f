import type { FactValue } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import type { ComparisonOperator, Operand } from '../domain/rule.ts'
import { compareOperands, toOperand } from './computed.ts'
import { comparisons } from './operators.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { describeNode } from './read-shape.ts'
import { areComparable } from './static-type.ts'
import { nouns, quote } from './typed-value.ts'
import { typeYaml } from './yaml-fact-value.ts'
import { field, type YamlMap, type YamlNode } from './yaml-node.ts'

/** Why an operator does not go with a fact's type. */
export function unfit(operator: ComparisonOperator, { type }: FactDeclaration): string | undefined {
  const { fits, operand } = comparisons[operator]
  if (fits.has(type)) return undefined
  if (operand === 'part') return `\`${operator}\` needs a list or a text; this fact is ${nouns[type]}`
  if (type === 'list')
    return `\`${operator}\` does not compare a list; use \`contains\`, \`some\` or \`every\``
  if (type === 'object')
    return `\`${operator}\` does not compare an object; compare a field of it, such as \`fact.field\``
  return `\`${operator}\` needs an order, and ${nouns[type]} has none; use \`equal\` or \`in\``
}

/**
 * Reads what a fact is compared with, typed by the fact. `element`: the list whose elements are tested here, so that
 * `{field: …}` may name another field of the same element.
 */
export function readOperand(
  operator: ComparisonOperator,
  declaration: FactDeclaration,
  node: YamlNode,
  context: PackContext,
  element: string | undefined,
): Operand | undefined {
  if (node.kind === 'map' && (field(node, 'fact') ?? field(node, 'field')) !== undefined)
    return readFactOperand(operator, declaration, node, context, element)
  const { operand } = comparisons[operator]
  // A limit may lie outside what the fact itself can be.
  const { min: _min, max: _max, ...limit } = declaration
  if (operand === 'range') return readRange(limit, node, context)
  if (operand !== 'list') {
    const wanted = limit.type === 'list' ? { ...limit, type: limit.of ?? 'text' } : limit
    return typedOperand(wanted, node, context)
  }
  if (node.kind !== 'list' || node.items.length === 0) {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add(node.place, `\`${operator}\` needs a list of values; got ${got}`)
    return undefined
  }
  const values = node.items.map((item) => typedOperand(limit, item, context))
  return values.every((value) => value !== undefined) ? values : undefined
}

function readRange(declaration: FactDeclaration, node: YamlNode, context: PackContext): Operand | undefined {
  if (node.kind !== 'list' || node.items.length !== 2) {
    const got = node.kind === 'list' ? `${node.items.length} values` : describeNode(node)
    context.faults.add(node.place, `\`between\` needs \`[low, high]\`, both included; got ${got}`)
    return undefined
  }
  const [low, high] = node.items.map((item) => typedOperand(declaration, item, context))
  if (low === undefined || high === undefined) return undefined
  const { type } = declaration
  if (compareOperands(toOperand(type, low), toOperand(type, high)) > 0) {
    context.faults.add(node.place, `\`between\` would never hold: ${shown(low)} lies above ${shown(high)}`)
    return undefined
  }
  return [low, high]
}

function shown(value: FactValue): string {
  return quote(String(value))
}

function typedOperand(declaration: FactDeclaration, node: YamlNode, context: PackContext) {
  const value = typeYaml(declaration, node, context.zone, context.faults)
  if (value === null)
    context.faults.add(node.place, 'expected a value; got nothing; to ask for none use `isNone`')
  return value ?? undefined
}

function readFactOperand(
  operator: ComparisonOperator,
  declaration: FactDeclaration,
  node: YamlMap,
  context: PackContext,
  element: string | undefined,
): Operand | undefined {
  const { faults } = context
  const [entry, ...others] = node.entries
  if (entry === undefined) return undefined
  for (const other of others)
    faults.add(other.keyPlace, `there is no field ${quote(other.key)} beside \`${entry.key}\``)
  if (comparisons[operator].operand === 'range') {
    faults.add(node.place, '`between` needs `[low, high]` as values; for a fact use two comparisons')
    return undefined
  }
  const { value } = entry
  if (value.kind !== 'scalar' || typeof value.value !== 'string') {
    faults.add(value.place, `expected the name of the ${entry.key}; got ${describeNode(value)}`)
    return undefined
  }
  const other = operandNamed(entry.key, value.value, value, context, element)
  if (other === undefined) return undefined
  if (areComparable(leftOf(operator, declaration), other.declaration, context.currency))
    return { fact: other.name }
  const unit = other.declaration.unit === undefined ? '' : ` in ${other.declaration.unit}`
  faults.add(
    value.place,
    `\`${operator}\` cannot compare it with ${quote(other.name)}, which is ${nouns[other.declaration.type]}${unit}`,
  )
  return undefined
}

function operandNamed(
  key: string,
  name: string,
  { place }: YamlNode,
  context: PackContext,
  element: string | undefined,
) {
  if (key === 'fact') return factNamed(name, place, context)
  if (element !== undefined) return factNamed(name, place, context, element)
  context.faults.add(place, '`field` names a field of an element, within `some` or `every`; use `fact`')
  return undefined
}

/** What the other side has to be like. */
function leftOf(operator: ComparisonOperator, declaration: FactDeclaration): FactDeclaration {
  const { of, ...rest } = declaration
  if (comparisons[operator].operand === 'list') return { ...rest, type: 'list', of: declaration.type }
  return declaration.type === 'list' ? { ...rest, type: of ?? 'text' } : declaration
}
