import type { RequiredFact } from '../../src/domain/policy.ts'
import { rootOf } from '../../src/rules/declared-facts.ts'
import { factsRead } from '../../src/rules/expression-tree.ts'
import { factsOfCondition } from '../../src/rules/order-steps.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'

/** Names of the posted facts that a rule set decides by: read by a rule, required, or behind what those read. */
export function factsBehindRules(ruleSet: RuleSet): readonly string[] {
  const { policy, facts, content } = ruleSet
  const inputs = new Map<string, readonly string[]>()
  for (const step of ruleSet.steps) {
    if (step.kind === 'derive') inputs.set(step.fact, factsRead(step.expression))
    if (step.kind === 'memory')
      inputs.set(
        step.key,
        step.writers.flatMap(({ reads }) => reads),
      )
  }
  for (const [name, declaration] of Object.entries(facts.derived ?? {})) {
    if (!('table' in declaration)) continue
    inputs.set(name, content.tables?.[declaration.table]?.inputs.map(({ fact }) => fact) ?? [])
  }
  const names = new Set([
    ...[...ruleSet.rules.values()].flatMap(({ reads }) => reads),
    ...policy.required.flatMap(requiredNames),
    ...(policy.covers === undefined ? [] : factsOfCondition(policy.covers)),
  ])
  // A name added to a set while it is walked is visited too.
  for (const name of names) for (const input of inputs.get(name) ?? []) names.add(input)
  return [...new Set([...names].map(rootOf))].filter((name) => Object.hasOwn(facts.facts, name)).sort()
}

function requiredNames(required: RequiredFact): readonly string[] {
  return typeof required === 'string' ? [required] : [required.fact, ...factsOfCondition(required.when)]
}
