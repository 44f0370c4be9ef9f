import { suggestion } from '../domain/nearest-name.ts'
import type { Condition } from '../domain/rule.ts'
import { checkProtected } from './check-protected.ts'
import { checkReason } from './check-reason.ts'
import { keysSet, visitLeaves } from './order-steps.ts'
import type { RuleContext } from './pack-context.ts'
import type { RuleDraft, RuleRead } from './read-rule.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells what is wrong with a rule beyond its form: its reach, its reason, its dates, what it rests on. */
export function checkRule(read: RuleRead, context: RuleContext): void {
  const { draft: rule, node } = read
  checkEffective(rule, node, context)
  checkConsequences(rule, node, context)
  checkTests(rule, node, context)
  checkReason(rule, node, context)
  checkProtected(read, context)
}

function checkEffective(rule: RuleDraft, node: YamlNode, context: RuleContext): void {
  const { from, until } = rule.effective ?? {}
  if (from === undefined || until === undefined || from < until) return
  const place = field(node, 'effective')?.place ?? node.place
  context.faults.add(place, `never in force: \`until\` ${quote(until)} is not after \`from\` ${quote(from)}`)
}

function checkConsequences(rule: RuleDraft, node: YamlNode, context: RuleContext): void {
  const list = field(node, 'then')
  const at = (index: number, name?: string) => {
    const item = list?.kind === 'list' ? list.items[index] : undefined
    return (name === undefined ? undefined : field(item, name)?.place) ?? (item ?? node).place
  }
  let isAdverse = false
  for (const [index, consequence] of rule.then.entries()) {
    if (!('episode' in consequence) || consequence.toward === undefined || context.outcomes === null) continue
    const { toward } = consequence
    isAdverse ||= context.outcomes.adverse.has(toward)
    if (context.outcomes.events.has(toward)) continue
    const hint = suggestion(toward, context.outcomes.events)
    context.faults.add(
      at(index, 'toward'),
      `${quote(toward)} is no event of the policy's \`outcomes\`${hint}`,
    )
  }
  const when = field(node, 'when')?.place ?? node.place
  if (isAdverse && rule.when !== undefined && restsOnKnown(rule.when, false)) {
    context.faults.add(
      when,
      'an adverse rule may not rest on `isKnown` alone; compare the value that it is about',
    )
  }
  const keys = keysSet(rule)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) context.faults.add(list?.place ?? node.place, `sets ${quote(twice)} twice`)
  // Losing a fact makes `isUnknown` hold; a key set then could silence a rule that reads it.
  if (keys.length > 0 && rule.when !== undefined && testsUnknown(rule.when)) {
    context.faults.add(
      when,
      'a rule that tests `isUnknown` may not set memory; let it state an episode instead',
    )
  }
}

function testsUnknown(condition: Condition): boolean {
  let found = false
  visitLeaves(condition, (leaf) => {
    found ||= leaf.operator === 'isUnknown'
  })
  return found
}

/** Whether a condition can hold by nothing but `isKnown`. */
function restsOnKnown(condition: Condition, negated: boolean): boolean {
  if ('not' in condition) return restsOnKnown(condition.not, !negated)
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any
    const needsEvery = 'all' in condition !== negated
    const rests = (part: Condition) => restsOnKnown(part, negated)
    return needsEvery ? parts.every(rests) : parts.some(rests)
  }
  return condition.operator === 'isKnown' && !negated
}

function checkTests(rule: RuleDraft, node: YamlNode, context: RuleContext): void {
  const episodes = new Set(rule.then.flatMap((each) => ('episode' in each ? [each.episode] : [])))
  const list = field(node, 'tests')
  const names = new Set<string>()
  for (const [index, test] of (rule.tests ?? []).entries()) {
    const item = list?.kind === 'list' ? list.items[index] : undefined
    const place = (item ?? node).place
    if (names.has(test.name)) context.faults.add(place, `a second test is named ${quote(test.name)}`)
    names.add(test.name)
    for (const episode of test.expect.episodes ?? []) {
      if (episodes.has(episode)) continue
      const at = field(field(item, 'expect'), 'episodes')?.place ?? place
      context.faults.add(at, `the rule states no episode ${quote(episode)}${suggestion(episode, episodes)}`)
    }
  }
}
