import { decimalTypes, type FactType } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import { ComparisonOperator, type Condition, type Operand, StateOperator } from '../domain/rule.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { describeNode } from './read-shape.ts'
import type { Place } from './source-file.ts'
import { areComparable } from './static-type.ts'
import { nouns, quote } from './typed-value.ts'
import { typeYaml } from './yaml-fact-value.ts'
import { field, type YamlEntry, type YamlMap, type YamlNode } from './yaml-node.ts'

export type ConditionLeaf = Extract<Condition, { fact: string }>

/** Told of every leaf that was read well, with its place. */
export type SeeLeaf = (leaf: ConditionLeaf, place: Place) => void

/** Reads a condition tree with its values typed by the facts they are compared with; tells every fault. */
export function readCondition(
  node: YamlNode,
  context: PackContext,
  see: SeeLeaf,
  underNot = false,
): Condition | undefined {
  const { faults } = context
  if (node.kind !== 'map') {
    faults.add(
      node.place,
      `expected a condition: \`all\`, \`any\`, \`not\`, or \`fact\` with \`operator\`; got ${describeNode(node)}`,
    )
    return undefined
  }
  const groups = node.entries.filter(
    (entry) => entry.key === 'all' || entry.key === 'any' || entry.key === 'not',
  )
  const [group] = groups
  if (group === undefined) return readLeaf(node, context, see, underNot)
  for (const other of node.entries) {
    if (other === group) continue
    faults.add(
      other.keyPlace,
      `\`${group.key}\` stands alone; move ${quote(other.key)} into a condition of its own`,
    )
  }
  if (group.key === 'not') {
    const inner = readCondition(group.value, context, see, true)
    return inner === undefined ? undefined : { not: inner }
  }
  const parts = readParts(group, context, see, underNot)
  if (parts === undefined) return undefined
  return group.key === 'all' ? { all: parts } : { any: parts }
}

function readParts(
  group: YamlEntry,
  context: PackContext,
  see: SeeLeaf,
  underNot: boolean,
): Condition[] | undefined {
  const { value } = group
  if (value.kind !== 'list' || value.items.length === 0) {
    const got =
      value.kind === 'list' ? 'an empty list, which would hold always or never' : describeNode(value)
    context.faults.add(value.place, `expected conditions under \`${group.key}\`; got ${got}`)
    return undefined
  }
  const parts = value.items.map((item) => readCondition(item, context, see, underNot))
  return parts.every((part) => part !== undefined) ? parts : undefined
}

const leafFields = ['fact', 'operator', 'value']
const operators: readonly string[] = [...ComparisonOperator.options, ...StateOperator.options]
const symbols: Readonly<Record<string, string>> = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
}

function readLeaf(
  node: YamlMap,
  context: PackContext,
  see: SeeLeaf,
  underNot: boolean,
): Condition | undefined {
  const { faults } = context
  for (const entry of node.entries) {
    if (leafFields.includes(entry.key)) continue
    faults.add(
      entry.keyPlace,
      `there is no field ${quote(entry.key)} here${suggestion(entry.key, [...leafFields, 'all', 'any', 'not'])}`,
    )
  }
  const name = requiredText(node, 'fact', context)
  const operator = readOperator(node, context)
  const fact = name === undefined ? undefined : factNamed(name.text, name.place, context)
  if (fact === undefined || operator === undefined) return undefined
  const value = node.entries.find((entry) => entry.key === 'value')
  if (isStateOperator(operator)) {
    if (value !== undefined) {
      faults.add(value.keyPlace, `\`${operator}\` asks for the fact's state and takes no \`value\``)
      return undefined
    }
    if (operator === 'isUnknown' && underNot) {
      faults.add(node.place, '`isUnknown` may not stand under `not`; use `isKnown`')
    }
    return seen({ fact: fact.name, operator }, node, see)
  }
  if (value === undefined) {
    faults.add(node.place, `\`${operator}\` compares: the field \`value\` is missing`)
    return undefined
  }
  const why = unfit(operator, fact.declaration)
  if (why !== undefined) {
    faults.add(field(node, 'operator')?.place ?? node.place, why)
    return undefined
  }
  const operand = readOperand(operator, fact.declaration, value.value, context)
  return operand === undefined ? undefined : seen({ fact: fact.name, operator, value: operand }, node, see)
}

function seen(leaf: ConditionLeaf, node: YamlNode, see: SeeLeaf): Condition {
  see(leaf, node.place)
  return leaf
}

function isStateOperator(operator: ConditionLeaf['operator']): operator is StateOperator {
  return StateOperator.safeParse(operator).success
}

function requiredText(
  node: YamlMap,
  name: string,
  context: PackContext,
): { text: string; place: Place } | undefined {
  const value = field(node, name)
  if (value === undefined) {
    context.faults.add(node.place, `the field \`${name}\` is missing`)
    return undefined
  }
  if (value.kind === 'scalar' && typeof value.value === 'string')
    return { text: value.value, place: value.place }
  context.faults.add(value.place, `expected the name of the ${name}; got ${describeNode(value)}`)
  return undefined
}

function readOperator(node: YamlMap, context: PackContext): ConditionLeaf['operator'] | undefined {
  const text = requiredText(node, 'operator', context)
  if (text === undefined) return undefined
  if (operators.includes(text.text)) return text.text as ConditionLeaf['operator']
  const meant = symbols[text.text]
  const hint = meant === undefined ? suggestion(text.text, operators) : `; did you mean \`${meant}\`?`
  context.faults.add(text.place, `there is no operator ${quote(text.text)}${hint}`)
  return undefined
}

const ordered: ReadonlySet<FactType> = new Set([...decimalTypes, 'date', 'instant', 'duration'])

/** Why an operator does not go with a fact's type. */
function unfit(operator: ComparisonOperator, declaration: FactDeclaration): string | undefined {
  const { type } = declaration
  if (operator === 'contains' || operator === 'doesNotContain') {
    return type === 'list' || type === 'text'
      ? undefined
      : `\`${operator}\` needs a list or a text; this fact is ${nouns[type]}`
  }
  if (type === 'list' || type === 'object') {
    return `\`${operator}\` does not compare ${nouns[type]}${type === 'list' ? '; use `contains`' : ''}`
  }
  if (/^(?:less|greater)Than/.test(operator) && !ordered.has(type)) {
    return `\`${operator}\` needs an order, and ${nouns[type]} has none; use \`equal\` or \`in\``
  }
  return undefined
}

function readOperand(
  operator: ComparisonOperator,
  declaration: FactDeclaration,
  node: YamlNode,
  context: PackContext,
): Operand | undefined {
  const other = node.kind === 'map' ? field(node, 'fact') : undefined
  if (node.kind === 'map' && other !== undefined) return readFactOperand(operator, declaration, node, context)
  // A limit may lie outside what the fact itself can be.
  const { min: _min, max: _max, ...element } = declaration
  const isMembership = operator === 'in' || operator === 'notIn'
  if (!isMembership) {
    const wanted = declaration.type === 'list' ? { ...element, type: declaration.of ?? 'text' } : element
    return typedOperand(wanted, node, context)
  }
  if (node.kind !== 'list' || node.items.length === 0) {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add(node.place, `\`${operator}\` needs a list of values; got ${got}`)
    return undefined
  }
  const values = node.items.map((item) => typedOperand(element, item, context))
  return values.every((value) => value !== undefined) ? values : undefined
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
): Operand | undefined {
  for (const entry of node.entries) {
    if (entry.key !== 'fact')
      context.faults.add(entry.keyPlace, `there is no field ${quote(entry.key)} beside \`fact\``)
  }
  const name = requiredText(node, 'fact', context)
  const other = name === undefined ? undefined : factNamed(name.text, name.place, context)
  if (name === undefined || other === undefined) return undefined
  const { of: _, ...rest } = declaration
  const left =
    operator === 'in' || operator === 'notIn'
      ? { ...rest, type: 'list' as const, of: declaration.type }
      : declaration.type === 'list'
        ? { ...rest, type: declaration.of ?? 'text' }
        : declaration
  if (areComparable(left, other.declaration, context.currency)) return { fact: other.name }
  const unit = other.declaration.unit === undefined ? '' : ` in ${other.declaration.unit}`
  context.faults.add(
    name.place,
    `\`${operator}\` cannot compare it with ${quote(other.name)}, which is ${nouns[other.declaration.type]}${unit}`,
  )
  return undefined
}
