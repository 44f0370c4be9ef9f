import { Decimal } from '../domain/decimal.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { type Boost, boostThresholdDefault, type Condition, conditionsOf } from '../domain/rule.ts'
import { checkProtected } from './check-protected.ts'
import { checkReason } from './check-reason.ts'
import { isElementLeaf } from './judge-elements.ts'
import { keysSet, visitLeaves } from './order-steps.ts'
import type { RuleContext } from './pack-context.ts'
import type { RuleDraft, RuleRead } from './read-rule.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells what is wrong with a rule beyond its form: its reach, its reason, its dates, what it rests on. */
export function checkRule(read: RuleRead, context: RuleContext): void {
  const { draft: rule, node } = read
  checkEffective(rule, node, context)
  checkBoosts(rule, node, context)
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
  const conditions = rule.when === undefined ? [] : conditionsOf({ ...rule, when: rule.when })
  if (isAdverse && restsOnKnownAlone(rule)) {
    context.faults.add(
      when,
      'an adverse rule may not rest on `isKnown` alone; compare the value that it is about',
    )
  }
  const keys = keysSet(rule)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) context.faults.add(list?.place ?? node.place, `sets ${quote(twice)} twice`)
  // Losing a fact makes `isUnknown` hold; a key set then could silence a rule that reads it.
  if (keys.length > 0 && conditions.some(testsUnknown)) {
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

/** Whether a rule can fire by nothing but knowing something, boosts included. */
function restsOnKnownAlone({ when, boosts, threshold }: RuleDraft): boolean {
  if (when === undefined || !restsOnKnown(when, false)) return false
  if (boosts === undefined) return true
  const resting = boosts.filter(({ condition }) => restsOnKnown(condition, false))
  return sumOf(resting).greaterThanOrEqualTo(threshold ?? boostThresholdDefault)
}

function sumOf(boosts: readonly Boost[]): Decimal {
  return boosts.reduce((sum, { boost }) => sum.plus(boost), new Decimal(0))
}

function checkBoosts({ boosts, threshold }: RuleDraft, node: YamlNode, context: RuleContext): void {
  if (boosts === undefined) {
    if (threshold === undefined || field(node, 'boosts') !== undefined) return
    const place = field(node, 'threshold')?.place ?? node.place
    context.faults.add(place, '`threshold` goes with `boosts`; there are none')
    return
  }
  const sum = sumOf(boosts)
  const needed = threshold ?? boostThresholdDefault
  const list = field(node, 'boosts')
  // Boosts at fault are left out of the draft, so their sum says nothing.
  if (list?.kind !== 'list' || list.items.length !== boosts.length || sum.greaterThanOrEqualTo(needed)) return
  context.faults.add(
    list.place,
    `never fires: its boosts sum to ${quote(sum.toFixed())}, and the threshold is ${quote(String(needed))}`,
  )
}

/** Whether a condition can hold by nothing but `isKnown`, which `exists` is too. */
function restsOnKnown(condition: Condition, negated: boolean): boolean {
  if ('not' in condition) return restsOnKnown(condition.not, !negated)
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any
    const needsEvery = 'all' in condition !== negated
    const rests = (part: Condition) => restsOnKnown(part, negated)
    return needsEvery ? parts.every(rests) : parts.some(rests)
  }
  if (isElementLeaf(condition)) return restsOnKnown(condition.value, negated)
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
