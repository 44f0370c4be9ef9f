import { believe } from '../agents/believe.ts'
import type { Answer, Bar, DecisionInputs } from '../domain/decision.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { conclude } from './conclude.ts'
import type { Budget } from './find-chains.ts'
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
 * Whether a rule that may never be told is among those that decide, under any reading of contested facts: whatever
 * changes such a decision, or ends in one, would tell of it.
 */
export function tellsTheUntold(
  answer: Answer,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
): boolean {
  const isUntold = (id: string | undefined) => ruleSet.rules.get(id ?? '')?.rule.reason?.tell === 'never'
  // An answer lists the rules of one reading only, and not all of its chains.
  const isClear = answer.facts.contested.length === 0 && !answer.rules.fired.some(isUntold)
  if (isClear || ![...ruleSet.rules.keys()].some(isUntold)) return false
  const belief = believe(inputs.facts, ruleSet, instantMs(inputs.as_of))
  const readings = readingsOf(belief, ruleSet.facts.facts, ruleSet.policy)
  if (readings.length === 0) return true
  const budget: Budget = { left: inputs.edges_examined_max, examined: 0, cutAt: null, mayContinue: undefined }
  return readings.some(({ states }) =>
    conclude(states, inputs, ruleSet, knowledge, budget).deciding.some((chain) => isUntold(chain.rule)),
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
