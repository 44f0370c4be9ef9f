import { believe } from '../agents/believe.ts'
import type { Answer, Bar, DecisionInputs } from '../domain/decision.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { evaluateStates } from './evaluate-states.ts'
import { readingsOf } from './readings-of.ts'

/**
 * Whether a better decision comes of the changed fact itself, and not of something that the change broke: a rule
 * that can no longer be evaluated, a fact now missing, sources now contradicting each other, knowledge that leads
 * nowhere, an application that the policy no longer covers. Nor is a stop or a hold better, wherever it is listed.
 */
export function isSoundChange(answer: Answer, base: Answer): boolean {
  if (answer.decision === 'stop' || answer.decision === 'hold') return false
  return (
    within(brokenRules(answer), brokenRules(base)) &&
    within(missingFacts(answer), missingFacts(base)) &&
    within(contests(answer), contests(base)) &&
    within(brokenBars(answer), brokenBars(base))
  )
}

/**
 * Whether a rule that may never be told fired, under any reading of contested facts: whatever changes the decision
 * beside it could tell of it.
 */
export function tellsTheUntold(
  answer: Answer,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
): boolean {
  const isUntold = (id: string) => ruleSet.rules.get(id)?.rule.reason?.tell === 'never'
  if (answer.rules.fired.some(isUntold)) return true
  if (answer.facts.contested.length === 0) return false
  const belief = believe(inputs.facts, ruleSet.facts.facts, ruleSet.policy, instantMs(inputs.as_of))
  // An answer lists the rules of one reading only. Too many readings to look at: nobody knows.
  const readings = readingsOf(belief, ruleSet.facts.facts, ruleSet.policy)
  return (
    readings.length === 0 ||
    readings.some(({ states }) =>
      evaluateStates(states, inputs, ruleSet, knowledge).rules.some(
        (rule) => rule.outcome === 'fired' && isUntold(rule.id),
      ),
    )
  )
}

function brokenRules(answer: Answer): readonly string[] {
  return [...answer.rules.unknown, ...answer.rules.errors].map((one) => one.rule)
}

function missingFacts(answer: Answer): readonly string[] {
  return answer.facts.missing.map((piece) => piece.fact)
}

function contests(answer: Answer): readonly string[] {
  return answer.facts.contested.map((contest) => contest.facts.join(' '))
}

const broken: ReadonlySet<Bar['kind']> = new Set([
  'search_cut',
  'no_walkable_chain',
  'broken_edge',
  'not_covered',
])

function brokenBars(answer: Answer): readonly string[] {
  return answer.bars.filter((bar) => broken.has(bar.kind)).map((bar) => `${bar.kind} ${bar.what}`)
}

function within(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}
