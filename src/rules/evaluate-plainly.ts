import { compareText } from '../domain/compare-text.ts'
import { type Computed, toFactState } from './computed.ts'
import { builtIn } from './declared-facts.ts'
import type { Evaluation, Question } from './evaluation.ts'
import { judgeRule } from './judge-rule.ts'
import type { JudgedRule } from './rule-result.ts'
import type { RuleSet } from './rule-set.ts'
import { rulesInForce } from './rules-in-force.ts'
import { Workings } from './workings.ts'

/**
 * Evaluates as `evaluate` does, by looking at every part of every rule, one step after the other. Slow and plain: the
 * compiled evaluation is held to it, in tests and on a share of live decisions.
 */
export function evaluatePlainly(ruleSet: RuleSet, question: Question): Evaluation {
  const table = new Map<string, Computed>()
  const workings = new Workings(ruleSet, question, table)
  for (const fact of ruleSet.declared.values()) {
    if (fact.origin === 'fact') workings.readFact(fact, question.facts.get(fact.name))
  }
  for (const name of builtIn.keys()) {
    const state = workings.builtIn(name)
    if (state !== undefined) table.set(name, state)
  }
  const { inForce, notInForce } = rulesInForce(ruleSet, question.receivedAtMs)
  const looked = new Set(inForce)
  const judged = new Map<string, JudgedRule>()
  for (const step of ruleSet.steps) {
    if (step.kind === 'rule') {
      if (looked.has(step.rule)) judged.set(step.rule.id, judgeRule(step.rule, ruleSet, workings.read))
    } else if (step.kind === 'memory') {
      const writers = step.writers.flatMap((writer) => {
        const result = judged.get(writer.id)
        return result === undefined ? [] : [{ writer, ...result }]
      })
      workings.settle(step.key, writers)
    } else {
      workings.workOut(step)
    }
  }
  const rules = inForce.flatMap((rule) => judged.get(rule.id)?.result ?? [])
  const notable = rules.filter((rule) => rule.outcome !== 'not_fired')
  return {
    rules,
    notable,
    notFired: rules.length - notable.length,
    notInForce,
    findings: rules.flatMap((rule) => rule.findings),
    memory: workings.memory(),
    states: new Map(
      [...table]
        .sort(([one], [two]) => compareText(one, two))
        .map(([name, state]) => [name, toFactState(state)]),
    ),
    derived: workings.derived(),
  }
}
