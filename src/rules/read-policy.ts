import { z } from 'zod'
import { Policy, type RequiredFact } from '../domain/policy.ts'
import type { Condition } from '../domain/rule.ts'
import { refuseProtected } from './check-derived.ts'
import { factsOfLeaf } from './order-steps.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { readCondition } from './read-condition.ts'
import { describeNode, readShape } from './read-shape.ts'
import type { FaultList } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

const PolicyShape = Policy.extend({ covers: z.unknown().optional(), required: z.unknown().optional() })
const WhenShape = z.strictObject({ fact: z.string(), when: z.unknown().optional() })

/** The parts of `policy.yaml` that need no facts; `covers` and `required` are read by `readPolicyConditions`. */
export type PolicyFrame = Omit<Policy, 'covers' | 'required'>

/** Reads `policy.yaml` as far as no facts are needed, and checks the precedence list. */
export function readPolicy(node: YamlNode, faults: FaultList): PolicyFrame | undefined {
  const version = field(node, 'version')
  // A version such as `2026.1` is a name: what counts is what stands there.
  const replace =
    version?.kind === 'scalar' && typeof version.value === 'number' ? { version: version.text } : {}
  const shape = readShape(PolicyShape, node, faults, replace)
  if (shape === undefined) return undefined
  const { covers: _covers, required: _required, ...frame } = shape
  checkOutcomes(frame, node, faults)
  const { perceived, reasoned, verified } = frame.weights
  if (perceived + reasoned + verified === 0) {
    faults.add(field(node, 'weights')?.place ?? node.place, 'at least one weight is more than 0')
  }
  return frame
}

function checkOutcomes(policy: PolicyFrame, node: YamlNode, faults: FaultList): void {
  const list = field(node, 'outcomes')
  const place = (index: number) =>
    (list?.kind === 'list' ? list.items[index]?.place : undefined) ?? node.place
  const seen = new Set<string>()
  let approves = false
  for (const [index, entry] of policy.outcomes.entries()) {
    const { decision } = entry
    if (approves && decision !== 'approve') {
      faults.add(place(index), `\`${decision}\` stands after \`approve\`; entries that approve stand last`)
    }
    approves ||= decision === 'approve'
    if ('threshold' in entry && entry.threshold === 0) {
      const at = list?.kind === 'list' ? field(list.items[index], 'threshold')?.place : undefined
      faults.add(at ?? place(index), 'a threshold is more than 0; got `0`')
    }
    const key = 'event' in entry ? `${decision} ${entry.event}` : decision
    if (seen.has(key)) faults.add(place(index), `${quote(key)} stands in the list a second time`)
    seen.add(key)
  }
  for (const decision of ['manual_review', 'insufficient_evidence'] as const) {
    if (policy.outcomes.some((entry) => entry.decision === decision)) continue
    faults.add(list?.place ?? node.place, `the list needs an entry \`${decision}\`, at least one`)
  }
}

/** Reads what of `policy.yaml` names facts: whom the pack covers, and the facts a decision needs. */
export function readPolicyConditions(
  node: YamlNode,
  context: PackContext,
): Pick<Policy, 'covers' | 'required'> {
  const coversNode = field(node, 'covers')
  const covers =
    coversNode === undefined ? undefined : readPolicyCondition('`covers`', coversNode, context, true)
  const required = field(node, 'required')
  const list: RequiredFact[] = []
  if (required?.kind !== 'list' || required.items.length === 0) {
    const got =
      required === undefined ? 'nothing' : required.kind === 'list' ? 'an empty list' : describeNode(required)
    context.faults.add(
      (required ?? node).place,
      `expected the list \`required\` of facts that a decision needs; got ${got}`,
    )
  } else {
    for (const item of required.items) {
      const fact = readRequired(item, context)
      if (fact !== undefined) list.push(fact)
    }
  }
  return { required: list, ...(covers === undefined ? {} : { covers }) }
}

function readRequired(item: YamlNode, context: PackContext): RequiredFact | undefined {
  if (item.kind === 'scalar' && typeof item.value === 'string') {
    return requiredFact(item.value, item, context)
  }
  const shape = readShape(WhenShape, item, context.faults)
  const whenNode = field(item, 'when')
  if (shape === undefined) return undefined
  const fact = requiredFact(shape.fact, field(item, 'fact') ?? item, context)
  if (whenNode === undefined) {
    context.faults.add(
      item.place,
      'the field `when` is missing; a fact that is always needed is written as its name alone',
    )
    return undefined
  }
  const when = readPolicyCondition('`required`', whenNode, context, false)
  return fact === undefined || when === undefined ? undefined : { fact, when }
}

function requiredFact(name: string, node: YamlNode, context: PackContext): string | undefined {
  const fact = factNamed(name, node.place, context)
  // A fact that some rule may lawfully read (age of majority) may also be asked for.
  if (fact !== undefined && fact.declaration.except === undefined)
    refuseProtected('`required`', [name], node.place, context)
  return fact?.name
}

function readPolicyCondition(
  who: string,
  node: YamlNode,
  context: PackContext,
  isCover: boolean,
): Condition | undefined {
  const condition = readCondition(node, context, (leaf, place) => {
    if (isCover && leaf.operator === 'isUnknown') {
      context.faults.add(place, '`covers` may not rest on what is unknown; use `isKnown` or a comparison')
    }
    const names = factsOfLeaf(leaf)
    refuseProtected(who, names, place, context)
    for (const name of names) {
      const proxy = context.declared.get(name)?.declaration.proxy === true ? name : context.proxies.get(name)
      if (proxy !== undefined)
        context.faults.add(
          place,
          `${who} reads the proxy ${quote(proxy)}; only a rule with \`proxy_reason\` may`,
        )
    }
  })
  return condition
}
