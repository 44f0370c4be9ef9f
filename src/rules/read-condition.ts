import { suggestion } from '../domain/nearest-name.ts'
import type { ComparisonOperator, Condition, ConditionLeaf, StateOperator } from '../domain/rule.ts'
import { comparisons, operators, shorthands, stateTests } from './operators.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { readMethods, verifiedBy } from './read-methods.ts'
import { readOperand, unfit } from './read-operand.ts'
import { describeNode } from './read-shape.ts'
import type { DeclaredFact } from './rule-set.ts'
import type { Place } from './source-file.ts'
import { nouns, quote } from './typed-value.ts'
import { field, type YamlEntry, type YamlMap, type YamlNode } from './yaml-node.ts'

export type { ConditionLeaf } from '../domain/rule.ts'

/** Told of every leaf that was read well, with its place. */
export type SeeLeaf = (leaf: ConditionLeaf, place: Place) => void

/** Where a condition stands: under a `not`; among the fields of one element of this list. */
interface Scope {
  readonly underNot?: boolean
  readonly element?: string
}

/** Reads a condition tree with its values typed by the facts they are compared with; tells every fault. */
export function readCondition(
  node: YamlNode,
  context: PackContext,
  see: SeeLeaf,
  scope: Scope = {},
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
  if (group === undefined) return readLeaf(node, context, see, scope)
  for (const other of node.entries) {
    if (other === group) continue
    faults.add(
      other.keyPlace,
      `\`${group.key}\` stands alone; move ${quote(other.key)} into a condition of its own`,
    )
  }
  if (group.key === 'not') {
    const inner = readCondition(group.value, context, see, { ...scope, underNot: true })
    return inner === undefined ? undefined : { not: inner }
  }
  const parts = readParts(group, context, see, scope)
  if (parts === undefined) return undefined
  return group.key === 'all' ? { all: parts } : { any: parts }
}

function readParts(
  group: YamlEntry,
  context: PackContext,
  see: SeeLeaf,
  scope: Scope,
): Condition[] | undefined {
  const { value } = group
  if (value.kind !== 'list' || value.items.length === 0) {
    const got =
      value.kind === 'list' ? 'an empty list, which would hold always or never' : describeNode(value)
    context.faults.add(value.place, `expected conditions under \`${group.key}\`; got ${got}`)
    return undefined
  }
  const parts = value.items.map((item) => readCondition(item, context, see, scope))
  return parts.every((part) => part !== undefined) ? parts : undefined
}

const operatorNames: readonly string[] = [...Object.keys(operators), ...Object.keys(shorthands)]
const symbols: Readonly<Record<string, string>> = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
}

function readLeaf(node: YamlMap, context: PackContext, see: SeeLeaf, scope: Scope): Condition | undefined {
  const names = scope.element === undefined ? ['fact', 'path'] : ['field']
  const known = [...names, 'operator', 'value']
  for (const entry of node.entries) {
    if (known.includes(entry.key)) continue
    const why =
      entry.key === 'fact' && scope.element !== undefined
        ? `within \`some\` and \`every\` a comparison names a \`field\` of ${quote(scope.element)}`
        : `there is no field ${quote(entry.key)} here${suggestion(entry.key, [...known, 'all', 'any', 'not'])}`
    context.faults.add(entry.keyPlace, why)
  }
  const fact = readFact(node, context, scope.element)
  const operator = readOperator(node, context)
  if (fact === undefined || operator === undefined) return undefined
  const leaf = leafOf(operator, fact, node, context, see, scope)
  if (leaf !== undefined) see(leaf, node.place)
  return leaf
}

function leafOf(
  operator: string,
  fact: DeclaredFact,
  node: YamlMap,
  context: PackContext,
  see: SeeLeaf,
  scope: Scope,
): ConditionLeaf | undefined {
  const { faults } = context
  const value = node.entries.find((entry) => entry.key === 'value')
  const short = Object.hasOwn(shorthands, operator) ? shorthands[operator] : undefined
  if (value !== undefined && (short !== undefined || isStateOperator(operator))) {
    faults.add(value.keyPlace, `\`${operator}\` asks about the fact itself and takes no \`value\``)
    return undefined
  }
  if (short?.operator === 'verified_by') return verifiedBy(fact, short.value, node, context)
  if (short !== undefined) return { fact: fact.name, operator: short.operator }
  if (isStateOperator(operator)) {
    if (operator === 'isUnknown' && scope.underNot === true)
      faults.add(node.place, '`isUnknown` may not stand under `not`; use `isKnown`')
    return { fact: fact.name, operator }
  }
  if (value === undefined) {
    faults.add(node.place, `\`${operator}\` compares: the field \`value\` is missing`)
    return undefined
  }
  if (operator === 'verified_by') {
    const methods = readMethods(value.value, context)
    return methods === undefined ? undefined : verifiedBy(fact, methods, node, context)
  }
  if (operator === 'some' || operator === 'every') {
    if (!hasFields(operator, fact, node, context)) return undefined
    const inner = readCondition(value.value, context, see, { ...scope, element: fact.name })
    return inner === undefined ? undefined : { fact: fact.name, operator, value: inner }
  }
  if (!isComparison(operator)) return undefined
  const why = unfit(operator, fact.declaration)
  if (why !== undefined) {
    faults.add(field(node, 'operator')?.place ?? node.place, why)
    return undefined
  }
  const operand = readOperand(operator, fact.declaration, value.value, context, scope.element)
  return operand === undefined ? undefined : { fact: fact.name, operator, value: operand }
}

function isStateOperator(operator: string): operator is StateOperator {
  return Object.hasOwn(stateTests, operator)
}

function isComparison(operator: string): operator is ComparisonOperator {
  return Object.hasOwn(comparisons, operator)
}

function hasFields(operator: string, fact: DeclaredFact, node: YamlMap, context: PackContext): boolean {
  const { type, of, fields } = fact.declaration
  if (type === 'list' && of === 'object' && fields !== undefined) return true
  const is = type === 'list' && of === 'object' ? 'a list without `fields`' : nouns[type]
  context.faults.add(
    field(node, 'operator')?.place ?? node.place,
    `\`${operator}\` needs a list \`of: object\` with its \`fields\` declared; ${quote(fact.name)} is ${is}`,
  )
  return false
}

function readFact(
  node: YamlMap,
  context: PackContext,
  element: string | undefined,
): DeclaredFact | undefined {
  // A `fact` in the place of a `field` is told already.
  if (element !== undefined && field(node, 'field') === undefined && field(node, 'fact') !== undefined)
    return undefined
  const name = requiredText(node, element === undefined ? 'fact' : 'field', context)
  if (name === undefined) return undefined
  const path = field(node, 'path')
  if (path === undefined) return factNamed(name.text, name.place, context, element)
  const inside = requiredText(node, 'path', context)
  return inside === undefined ? undefined : factNamed(`${name.text}.${inside.text}`, inside.place, context)
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

function readOperator(node: YamlMap, context: PackContext): string | undefined {
  const text = requiredText(node, 'operator', context)
  if (text === undefined) return undefined
  if (operatorNames.includes(text.text)) return text.text
  const meant = symbols[text.text]
  const hint = meant === undefined ? suggestion(text.text, operatorNames) : `; did you mean \`${meant}\`?`
  context.faults.add(text.place, `there is no operator ${quote(text.text)}${hint}`)
  return undefined
}
