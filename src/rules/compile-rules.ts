import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import type { PackContent } from '../domain/policy.ts'
import { conditionsOf, type Rule } from '../domain/rule.ts'
import { declaredFacts } from './declared-facts.ts'
import { type Expression, parseExpression } from './expression.ts'
import { factsOfRule, keysSet, nodesOf, orderNodes, ruleNode, visitLeaves } from './order-steps.ts'
import type { CompiledRule, DeclaredFact, RuleSet, Step } from './rule-set.ts'
import { type CompiledTable, compileTable } from './tables/compile-table.ts'

/**
 * Makes checked content ready to evaluate: expressions parsed once, derived facts and writers of memory in an order
 * in which everything read is already there. The same content gives the same rule set and hash.
 */
export function compileRules(content: PackContent): RuleSet {
  const canonical = canonicalJson(content)
  const compiled = content.rules.map(compileRule)
  const rules = new Map(compiled.map((rule) => [rule.id, rule]))
  const declared = declaredFacts(content.facts, content.tables)
  return {
    content,
    canonical,
    hash: sha256(canonical),
    policy: content.policy,
    facts: content.facts,
    sources: content.sources,
    reasons: content.reasons,
    declared,
    rules,
    versions: versionsOf(compiled),
    steps: stepsOf(content, rules, declared),
  }
}

/** Order of two versions such as `1.10.0` and `1.9.2`, by their numbers. */
export function compareVersions(left: string, right: string): number {
  const others = right.split('.')
  for (const [index, part] of left.split('.').entries()) {
    const difference = compareDigits(part, others[index] ?? '0')
    if (difference !== 0) return difference
  }
  return compareText(left, right)
}

function compareDigits(left: string, right: string): number {
  const one = BigInt(left)
  const two = BigInt(right)
  return one < two ? -1 : one > two ? 1 : 0
}

/** Order of rules in a pack's content: by id, then version. */
export function compareRules(
  left: Pick<Rule, 'rule_id' | 'version'>,
  right: Pick<Rule, 'rule_id' | 'version'>,
): number {
  return compareText(left.rule_id, right.rule_id) || compareVersions(left.version, right.version)
}

function compileRule(rule: Rule): CompiledRule {
  let testsUnknown = false
  for (const condition of conditionsOf(rule)) {
    visitLeaves(condition, (leaf) => {
      if (leaf.operator === 'isUnknown') testsUnknown = true
    })
  }
  return { id: ruleNode(rule), rule, reads: factsOfRule(rule), mayPrevent: !testsUnknown }
}

function versionsOf(compiled: readonly CompiledRule[]): Map<string, CompiledRule[]> {
  const versions = new Map<string, CompiledRule[]>()
  for (const rule of [...compiled].sort((one, two) => compareRules(two.rule, one.rule))) {
    const list = versions.get(rule.rule.rule_id)
    if (list === undefined) versions.set(rule.rule.rule_id, [rule])
    else list.push(rule)
  }
  return new Map([...versions].sort(([one], [two]) => compareText(one, two)))
}

function stepsOf(
  content: PackContent,
  rules: ReadonlyMap<string, CompiledRule>,
  declared: ReadonlyMap<string, DeclaredFact>,
): Step[] {
  const expressions = new Map<string, Expression>()
  const tables = new Map<string, CompiledTable>()
  for (const [name, derived] of Object.entries(content.facts.derived ?? {})) {
    if ('expression' in derived) expressions.set(name, parseExpression(derived.expression))
    if ('table' in derived) tables.set(name, tableAt(derived.table, content, declared))
  }
  const ordered = orderNodes(nodesOf(content, expressions))
  if ('cycle' in ordered) throw new TypeError(`checked content has no cycle: ${ordered.cycle.join(' -> ')}`)
  return ordered.order.map((id): Step => {
    const rule = rules.get(id)
    if (rule !== undefined) return { kind: 'rule', rule }
    const expression = expressions.get(id)
    if (expression !== undefined) return { kind: 'derive', fact: id, expression }
    const table = tables.get(id)
    if (table !== undefined) return { kind: 'table', fact: id, table }
    if (Object.hasOwn(content.facts.derived ?? {}, id)) return { kind: 'count', fact: id }
    const writers = [...rules.values()].filter((writer) => keysSet(writer.rule).includes(id))
    return { kind: 'memory', key: id, writers }
  })
}

function tableAt(
  path: string,
  content: PackContent,
  declared: ReadonlyMap<string, DeclaredFact>,
): CompiledTable {
  const table = content.tables?.[path]
  if (table === undefined) throw new TypeError(`checked content has every table; there is no ${path}`)
  return compileTable(table, declared)
}
