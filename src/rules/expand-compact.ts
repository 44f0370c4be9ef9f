import { expressionPlaces } from './check-derived.ts'
import { ExpressionFault } from './expression-tree.ts'
import type { PackContext } from './pack-context.ts'
import { parseTrigger } from './parse-trigger.ts'
import { describeNode } from './read-shape.ts'
import type { Place } from './source-file.ts'
import type { Trigger, TriggerValue } from './trigger-parser.ts'
import { nouns, quote } from './typed-value.ts'
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from './yaml-node.ts'

/** A rule in the full form, and the fields whose compact form could not be read. */
export interface Expanded {
  readonly node: YamlMap
  readonly failed: ReadonlySet<string>
}

type Expand = (node: YamlNode, context: PackContext) => YamlNode | undefined

const compactForms: Readonly<Record<string, { readonly full: string; readonly expand: Expand }>> = {
  trigger: { full: 'when', expand: expandTrigger },
  conditions: {
    full: 'boosts',
    expand: (node, context) => expandList(node, 'conditions', context, expandBoost),
  },
  action: { full: 'then', expand: (node, context) => expandList(node, 'action', context, expandAction) },
}

/**
 * Writes a rule's compact fields as the full ones they stand for: `trigger` as `when`, `conditions` as `boosts`,
 * `action` as `then`. Every part keeps its place in the file.
 */
export function expandCompact(node: YamlMap, context: PackContext): Expanded {
  const failed = new Set<string>()
  const entries = node.entries.flatMap((entry): YamlEntry[] => {
    const compact = Object.hasOwn(compactForms, entry.key) ? compactForms[entry.key] : undefined
    if (compact === undefined) return [entry]
    const { full, expand } = compact
    if (node.entries.some((other) => other.key === full))
      context.faults.add(
        entry.keyPlace,
        `${quote(entry.key)} stands for \`${full}\`, which is there too; keep one`,
      )
    const value = expand(entry.value, context)
    if (value === undefined) failed.add(full)
    return value === undefined ? [] : [{ ...entry, key: full, value }]
  })
  return { node: { ...node, entries }, failed }
}

function expandTrigger(node: YamlNode, context: PackContext): YamlNode | undefined {
  const { faults } = context
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    const right = "`user_age < 25 and education_status == 'student'`"
    faults.add(node.place, `expected a trigger such as ${right}; got ${describeNode(node)}`)
    return undefined
  }
  const places = expressionPlaces(node.value, node)
  try {
    return conditionNode(parseTrigger(node.value), places, context)
  } catch (cause) {
    if (!(cause instanceof ExpressionFault)) throw cause
    faults.add(places(cause.at), cause.message)
    return undefined
  }
}

type Places = (at: number) => Place

function conditionNode(trigger: Trigger, places: Places, context: PackContext): YamlMap {
  const place = places(trigger.at)
  if (trigger.kind === 'not') return mapOf(place, { not: conditionNode(trigger.part, places, context) })
  if (trigger.kind !== 'test') {
    const items = trigger.parts.map((part) => conditionNode(part, places, context))
    return mapOf(place, { [trigger.kind]: { kind: 'list', place, items } })
  }
  const { fact, operator, value } = trigger
  const type = context.declared.get(fact)?.declaration.type ?? 'boolean'
  if (operator === undefined && type !== 'boolean')
    throw new ExpressionFault(
      trigger.at,
      `${quote(fact)} is ${nouns[type]}: compare it, such as \`${fact} == …\``,
    )
  const isTrue = { kind: 'plain', at: trigger.at, text: 'true' } as const
  return mapOf(place, {
    fact: textAt(place, fact),
    operator: textAt(places((operator ?? trigger).at), operator?.name ?? 'equal'),
    value: operator === undefined ? valueNode(isTrue, places) : value && valueNode(value, places),
  })
}

function valueNode(value: TriggerValue, places: Places): YamlNode {
  const place = places(value.at)
  switch (value.kind) {
    case 'list':
      return { kind: 'list', place, items: value.items.map((item) => valueNode(item, places)) }
    case 'fact':
      return mapOf(place, { fact: textAt(place, value.text) })
    case 'text':
      return textAt(place, value.text)
    case 'plain': {
      const isBoolean = value.text === 'true' || value.text === 'false'
      const plain = isBoolean ? value.text === 'true' : Number(value.text)
      return { kind: 'scalar', place, value: plain, text: value.text, plain: true }
    }
  }
}

function expandList(
  node: YamlNode,
  name: string,
  context: PackContext,
  expand: Expand,
): YamlNode | undefined {
  if (node.kind !== 'list' || node.items.length === 0) {
    const got = node.kind === 'list' ? 'an empty list' : describeNode(node)
    context.faults.add(node.place, `expected a list under \`${name}\`; got ${got}`)
    return undefined
  }
  const items = node.items.map((item) => expand(item, context))
  return items.every((item) => item !== undefined) ? { ...node, items } : undefined
}

/** `{field, operator, value, confidence_boost}` */
function expandBoost(node: YamlNode, { faults }: PackContext): YamlNode | undefined {
  if (node.kind !== 'map') {
    faults.add(
      node.place,
      `expected \`field\`, \`operator\` and \`confidence_boost\`; got ${describeNode(node)}`,
    )
    return undefined
  }
  const boost = node.entries.find((entry) => entry.key === 'confidence_boost')
  if (boost === undefined) {
    faults.add(
      node.place,
      'the field `confidence_boost` is missing; what has to hold in any case belongs into the `trigger`',
    )
    return undefined
  }
  const entries = node.entries
    .filter((entry) => entry !== boost)
    .map((entry) => (entry.key === 'field' ? { ...entry, key: 'fact' } : entry))
  const condition: YamlMap = { kind: 'map', place: node.place, entries }
  return mapOf(node.place, { condition, boost: boost.value })
}

const actions: Readonly<Record<string, readonly string[]>> = {
  set_memory: ['key', 'value', 'confidence'],
  request_api: ['api', 'params'],
  episode: ['episode', 'toward', 'dated_by'],
  want: ['fact'],
}

/** `{type: set_memory, key, value, confidence}` and the like. */
function expandAction(node: YamlNode, { faults }: PackContext): YamlNode | undefined {
  const known = Object.keys(actions).map(quote).join(', ')
  const type = node.kind === 'map' ? node.entries.find((entry) => entry.key === 'type') : undefined
  if (node.kind !== 'map' || type === undefined) {
    faults.add(node.place, `expected an action with its \`type\` (${known}); got ${describeNode(node)}`)
    return undefined
  }
  const name = type.value.kind === 'scalar' ? String(type.value.value) : ''
  const fields = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (fields === undefined) {
    faults.add(type.value.place, `there is no action ${describeNode(type.value)}; known are ${known}`)
    return undefined
  }
  const entries = node.entries.filter((entry) => entry !== type)
  if (name === 'episode') return { ...node, entries }
  if (name === 'want') {
    const [fact, ...others] = entries
    if (fact?.key === 'fact' && others.length === 0) return mapOf(node.place, { want: fact.value })
    faults.add(node.place, '`want` takes one field, the `fact` whose evidence would help')
    return undefined
  }
  return mapOf(node.place, { [name]: { ...node, entries } })
}

function mapOf(place: Place, fields: Readonly<Record<string, YamlNode | undefined>>): YamlMap {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, keyPlace: place, value }],
  )
  return { kind: 'map', place, entries }
}

function textAt(place: Place, text: string): YamlScalar {
  return { kind: 'scalar', place, value: text, text, plain: false }
}
