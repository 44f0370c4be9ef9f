import { factsRead } from './expression-tree.ts'
import type { CompiledRule, RuleSet, Step } from './rule-set.ts'

/**
 * Makes of a rule set the one with a single rule version and what it needs: the derived facts and memory keys it
 * reads, the rules that write those, and so on. It comes to the same for that rule, and costs no more than that.
 */
export function narrowerOf(ruleSet: RuleSet): (compiled: CompiledRule) => RuleSet {
  const places = new Map(ruleSet.steps.map((step, place) => [madeBy(step), place]))
  return (compiled) => {
    const needed = new Set<number>()
    const names = [compiled.id]
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const place = places.get(name)
      const step = place === undefined ? undefined : ruleSet.steps[place]
      if (place === undefined || step === undefined || needed.has(place)) continue
      needed.add(place)
      names.push(...needsOf(step))
    }
    const steps = [...needed].sort((one, other) => one - other).flatMap((place) => ruleSet.steps[place] ?? [])
    const rules = steps.flatMap((step) => (step.kind === 'rule' ? [step.rule] : []))
    const ids = [...new Set(rules.map(({ rule }) => rule.rule_id))]
    const versions = new Map(ids.map((id) => [id, ruleSet.versions.get(id) ?? []]))
    return {
      ...ruleSet,
      rules: new Map(rules.map((rule) => [rule.id, rule])),
      versions: versions.set(compiled.rule.rule_id, [compiled]),
      steps,
    }
  }
}

function madeBy(step: Step): string {
  if (step.kind === 'rule') return step.rule.id
  return step.kind === 'memory' ? step.key : step.fact
}

function needsOf(step: Step): readonly string[] {
  switch (step.kind) {
    case 'derive':
      return withWholes(factsRead(step.expression))
    case 'count':
      return []
    case 'table':
      return withWholes(step.table.columns.map((column) => column.fact))
    case 'rule':
      return withWholes(step.rule.reads)
    case 'memory':
      return step.writers.map((writer) => writer.id)
  }
}

/** A part of an object is there when the object is. */
function withWholes(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const dot = name.indexOf('.')
    return dot === -1 ? [name] : [name, name.slice(0, dot)]
  })
}
