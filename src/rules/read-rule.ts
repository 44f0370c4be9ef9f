import { z } from 'zod'
import type { FactValue } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { Boost, Consequence, Effective, EmbeddedTest, Rule, RuleReason } from '../domain/rule.ts'
import { rootOf } from './declared-facts.ts'
import { expandCompact } from './expand-compact.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { type ConditionLeaf, readCondition, type SeeLeaf } from './read-condition.ts'
import { readRequest } from './read-request-api.ts'
import { describeNode, readShape } from './read-shape.ts'
import type { Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import { typeYaml } from './yaml-fact-value.ts'
import { field, textField, type YamlNode } from './yaml-node.ts'

/** What could be read of a rule: parts at fault are left out, so that the others can still be checked. */
export type RuleDraft = Pick<Rule, 'rule_id' | 'regulation' | 'then'> &
  Partial<Omit<Rule, 'rule_id' | 'regulation' | 'then'>>

/** A rule as read, and where each part that later checks speak of stands. */
export interface RuleRead {
  readonly draft: RuleDraft
  /** Only when nothing was found wrong while reading. */
  readonly rule: Rule | undefined
  readonly node: YamlNode
  readonly leaves: readonly { readonly leaf: ConditionLeaf; readonly place: Place }[]
}

const unread = z.unknown().optional()
const RuleShape = Rule.extend({
  when: unread,
  boosts: unread,
  then: unread,
  tests: unread,
  reason: unread,
  effective: unread,
})
const SetMemoryShape = z.strictObject({
  set_memory: z.strictObject({
    key: z.string(),
    value: unread,
    confidence: z.number().gt(0).max(1).optional(),
  }),
})
const FindingShape = Consequence.options[0]
const WantShape = Consequence.options[2]
const BoostShape = Boost.extend({ condition: unread })
const TestShape = EmbeddedTest.extend({ given: unread })

/** Reads one rule, in the full or the compact form, with its values typed by the declared facts; tells every fault. */
export function readRule(written: YamlNode, context: PackContext): RuleRead | undefined {
  const { faults } = context
  const before = faults.faults.length
  if (written.kind !== 'map') {
    faults.add(
      written.place,
      `expected a rule with \`rule_id\`, \`version\`, \`when\`, \`then\`; got ${describeNode(written)}`,
    )
    return undefined
  }
  const { node, failed } = expandCompact(written, context)
  const shape = readShape(RuleShape, node, faults)
  const leaves: { leaf: ConditionLeaf; place: Place }[] = []
  const see: SeeLeaf = (leaf, place) => leaves.push({ leaf, place })
  const needed = (name: string) => (failed.has(name) ? undefined : part(node, name, context))
  const when = optional(needed('when'), (each) => readCondition(each, context, see))
  const boosts = readList(field(node, 'boosts'), '`boosts`', context, (each) => readBoost(each, context, see))
  const then = readList(needed('then'), '`then`', context, readConsequence) ?? []
  const tests = readList(field(node, 'tests'), '`tests`', context, readTest)
  const reason = optional(field(node, 'reason'), (each) => readShape(RuleReason, each, faults))
  const effective = optional(field(node, 'effective'), (each) => readShape(Effective, each, faults))
  const parts = {
    then,
    ...(when === undefined ? {} : { when }),
    ...(boosts === undefined ? {} : { boosts }),
    ...(shape?.threshold === undefined ? {} : { threshold: shape.threshold }),
    ...(tests === undefined ? {} : { tests }),
    ...(reason === undefined ? {} : { reason }),
    ...(effective === undefined ? {} : { effective }),
  }
  const draft = { ...textsOf(node), ...parts }
  const isWhole = faults.faults.length === before && shape !== undefined && when !== undefined
  if (!isWhole) return { draft, rule: undefined, node, leaves }
  const { boosts: _boosts, tests: _tests, reason: _reason, effective: _effective, ...rest } = shape
  return { draft, rule: { ...rest, ...parts, when }, node, leaves }
}

function readBoost(node: YamlNode, context: PackContext, see: SeeLeaf): Boost | undefined {
  const shape = readShape(BoostShape, node, context.faults)
  const condition = optional(part(node, 'condition', context), (each) => readCondition(each, context, see))
  return shape === undefined || condition === undefined ? undefined : { condition, boost: shape.boost }
}

/** The texts that name a rule and who stands behind it, whatever else is wrong. */
function textsOf(node: YamlNode): Pick<RuleDraft, 'rule_id' | 'regulation'> {
  const texts: Record<string, string> = { rule_id: '?', regulation: '?' }
  for (const name of ['rule_id', 'version', 'regulation', 'proxy_reason', 'author', 'approved_by']) {
    const text = textField(node, name)
    if (text !== undefined) texts[name] = text
  }
  return texts as unknown as Pick<RuleDraft, 'rule_id' | 'regulation'>
}

function optional<Value>(
  node: YamlNode | undefined,
  read: (node: YamlNode) => Value | undefined,
): Value | undefined {
  return node === undefined ? undefined : read(node)
}

function readList<Value>(
  node: YamlNode | undefined,
  what: string,
  context: PackContext,
  read: (node: YamlNode, context: PackContext) => Value | undefined,
): Value[] | undefined {
  if (node === undefined) return undefined
  if (node.kind === 'list' && node.items.length > 0) {
    return node.items.map((item) => read(item, context)).filter((each) => each !== undefined)
  }
  const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
  context.faults.add(node.place, `expected a list under ${what}; got ${got}`)
  return undefined
}

function part(node: YamlNode, name: string, context: PackContext): YamlNode | undefined {
  const value = field(node, name)
  if (value === undefined) context.faults.add(node.place, `the field \`${name}\` is missing`)
  return value
}

function readConsequence(node: YamlNode, context: PackContext): Consequence | undefined {
  const { faults } = context
  if (field(node, 'want') !== undefined) return readWant(node, context)
  if (field(node, 'request_api') !== undefined) return readRequest(node, context)
  if (field(node, 'set_memory') === undefined) {
    const finding = readShape(FindingShape, node, faults)
    if (finding?.dated_by === undefined) return finding
    const place = field(node, 'dated_by')?.place ?? node.place
    const fact = factNamed(finding.dated_by, place, context)
    if (fact !== undefined && fact.declaration.type !== 'date' && fact.declaration.type !== 'instant') {
      faults.add(
        place,
        `\`dated_by\` names a \`date\` or \`instant\`; ${quote(fact.name)} is ${quote(fact.declaration.type)}`,
      )
    }
    return finding
  }
  const shape = readShape(SetMemoryShape, node, faults)
  if (shape === undefined) return undefined
  const { key, confidence } = shape.set_memory
  const write = field(node, 'set_memory')
  const keyPlace = field(write, 'key')?.place ?? node.place
  const fact = context.declared.get(key)
  if (fact === undefined || fact.origin !== 'memory') {
    if (context.broken.has(key)) return undefined
    const keys = [...context.declared.values()]
      .filter((each) => each.origin === 'memory')
      .map((each) => each.name)
    faults.add(
      keyPlace,
      `${quote(key)} is not declared under \`memory\` in facts.yaml${suggestion(key, keys)}`,
    )
    return undefined
  }
  const valueNode = field(write, 'value')
  const value = valueNode === undefined ? null : typeYaml(fact.declaration, valueNode, context.zone, faults)
  if (value === undefined) return undefined
  if (value === null) {
    faults.add((valueNode ?? node).place, 'expected the value to set; got nothing')
    return undefined
  }
  return { set_memory: { key, value, ...(confidence === undefined ? {} : { confidence }) } }
}

/** Evidence can be asked for what somebody supplies, not for what the policy works out. */
function readWant(node: YamlNode, context: PackContext): Consequence | undefined {
  const wish = readShape(WantShape, node, context.faults)
  if (wish === undefined) return undefined
  const place = field(node, 'want')?.place ?? node.place
  const fact = factNamed(wish.want, place, context)
  if (fact !== undefined && fact.origin !== 'fact') {
    context.faults.add(
      place,
      `\`want\` names a fact that is supplied; ${quote(fact.name)} is worked out by the policy`,
    )
  }
  return wish
}

function readTest(node: YamlNode, context: PackContext): EmbeddedTest | undefined {
  const shape = readShape(TestShape, node, context.faults)
  const givenNode = field(node, 'given')
  if (shape === undefined) return undefined
  if (Object.keys(shape.expect).length === 0) {
    context.faults.add(
      field(node, 'expect')?.place ?? node.place,
      'expected `fires`, `outcome` or `episodes`; got nothing',
    )
  }
  if (givenNode?.kind !== 'map') {
    context.faults.add((givenNode ?? node).place, 'expected `given` with facts and their values')
    return undefined
  }
  checkMethods(shape.methods, field(node, 'methods') ?? node, givenNode, context)
  const given: Record<string, FactValue | null> = {}
  for (const entry of givenNode.entries) {
    const fact = factNamed(entry.key, entry.keyPlace, context)
    if (fact === undefined) continue
    if (fact.origin === 'part') {
      context.faults.add(entry.keyPlace, `give ${quote(rootOf(entry.key))} as a whole, with its fields`)
      continue
    }
    const value = typeYaml(fact.declaration, entry.value, context.zone, context.faults)
    if (value === null && fact.origin === 'fact' && fact.declaration.may_be_none !== true) {
      context.faults.add(
        entry.value.place,
        `${quote(entry.key)} is not marked \`may_be_none\`; leave it out for unknown`,
      )
    } else if (value === null && fact.origin === 'built_in') {
      context.faults.add(entry.value.place, `${quote(entry.key)} always has a value`)
    } else if (value !== undefined) given[entry.key] = value
  }
  return { ...shape, given }
}

function checkMethods(
  methods: EmbeddedTest['methods'],
  node: YamlNode,
  given: YamlNode,
  context: PackContext,
): void {
  for (const [name, method] of Object.entries(methods ?? {})) {
    const place = field(node, name)?.place ?? node.place
    if (field(given, name) === undefined)
      context.faults.add(place, `${quote(name)} is not among the facts given`)
    if (context.methods === undefined || context.methods.has(method)) continue
    const hint = suggestion(method, context.methods)
    context.faults.add(place, `there is no method ${quote(method)} under \`methods\` in sources.yaml${hint}`)
  }
}
