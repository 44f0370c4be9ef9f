import { canonicalJson } from '../audit/canonical.ts'
import { parseTemplate } from './fill-template.ts'
import { factsOfLeaf, keysSet } from './order-steps.ts'
import { protectedLaw, type RuleContext } from './pack-context.ts'
import type { ConditionLeaf } from './read-condition.ts'
import type { RuleDraft, RuleRead } from './read-rule.ts'
import type { Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field } from './yaml-node.ts'

/**
 * Refuses a rule that reads a protected attribute in a condition, a date, a memory key, a text or an offer, save an
 * exception declared beside the fact with exactly this rule, operator and value; and a rule that reads a likely
 * proxy without a reason and a second person's approval. 12 CFR 1002.6(b), 15 USC 1691(a).
 */
export function checkProtected(read: RuleRead, context: RuleContext): void {
  const { draft: rule, node } = read
  let usesException = false
  for (const { leaf, place } of read.leaves) {
    for (const name of factsOfLeaf(leaf)) {
      if (!isProhibited(name, context)) continue
      if (name === leaf.fact && isExcepted(rule, leaf, context)) usesException = true
      else refuse(rule, name, place, context)
    }
  }
  for (const [name, place] of otherReads(read)) {
    if (isProhibited(name, context)) refuse(rule, name, place, context)
  }
  if (usesException && keysSet(rule).length > 0) {
    const place = field(node, 'then')?.place ?? node.place
    context.faults.add(
      place,
      'a rule that reads a protected attribute by exception may not set memory, which others read',
    )
  }
  checkProxies(read, context)
}

function isProhibited(name: string, context: RuleContext): boolean {
  return context.declared.get(name)?.declaration.prohibited === true
}

function isExcepted(rule: RuleDraft, leaf: ConditionLeaf, context: RuleContext): boolean {
  if (!('value' in leaf)) return false
  const exceptions = context.declared.get(leaf.fact)?.declaration.except ?? []
  const value = canonicalJson(leaf.value)
  return exceptions.some(
    (except) =>
      except.rule === rule.rule_id &&
      except.operator === leaf.operator &&
      canonicalJson(except.value) === value,
  )
}

function refuse(rule: RuleDraft, name: string, place: Place, context: RuleContext): void {
  const who = `rule ${quote(rule.rule_id)} (${rule.regulation})`
  context.faults.add(
    place,
    `${who} reads ${quote(name)}, a protected attribute (${protectedLaw}); take it out`,
  )
}

/** Names read outside the condition, with their places. */
function otherReads({ draft: rule, node }: RuleRead): [string, Place][] {
  const reads: [string, Place][] = []
  const then = field(node, 'then')
  for (const [index, consequence] of rule.then.entries()) {
    const item = (then?.kind === 'list' ? then.items[index] : undefined) ?? node
    if ('set_memory' in consequence) reads.push([consequence.set_memory.key, item.place])
    else if ('want' in consequence) reads.push([consequence.want, item.place])
    else if ('request_api' in consequence) {
      for (const value of Object.values(consequence.request_api.params ?? {})) {
        if (typeof value === 'object') reads.push([value.fact, item.place])
      }
    } else if (consequence.dated_by !== undefined) reads.push([consequence.dated_by, item.place])
  }
  const reason = field(node, 'reason') ?? node
  for (const language of ['en', 'zh'] as const) {
    const parts = parseTemplate(rule.reason?.text[language] ?? '')
    const place = field(field(reason, 'text'), language)?.place ?? reason.place
    if (Array.isArray(parts)) for (const part of parts) if ('fact' in part) reads.push([part.fact, place])
  }
  for (const [name, source] of Object.entries(rule.reason?.terms ?? {})) {
    const place = field(field(reason, 'terms'), name)?.place ?? reason.place
    reads.push([name, place], [source, place])
  }
  return reads
}

function checkProxies(read: RuleRead, context: RuleContext): void {
  const { draft: rule } = read
  const conditionReads = read.leaves.flatMap(({ leaf, place }) =>
    factsOfLeaf(leaf).map((name): [string, Place] => [name, place]),
  )
  const approved =
    rule.proxy_reason !== undefined &&
    rule.author !== undefined &&
    rule.approved_by !== undefined &&
    rule.approved_by.trim().toLowerCase() !== rule.author.trim().toLowerCase()
  if (approved) return
  for (const [name, place] of [...conditionReads, ...otherReads(read)]) {
    const proxy = context.declared.get(name)?.declaration.proxy === true ? name : context.proxies.get(name)
    if (proxy === undefined) continue
    context.faults.add(
      place,
      `rule ${quote(rule.rule_id)} reads ${quote(proxy)}, a likely proxy of a protected attribute; it needs \`proxy_reason\`, \`author\`, and \`approved_by\` another person`,
    )
  }
}
