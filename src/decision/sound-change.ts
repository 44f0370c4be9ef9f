import type { Answer } from '../domain/decision.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/**
 * Whether a better decision comes of the changed fact itself, and not of something that the change broke: a rule
 * that can no longer be evaluated, a fact now missing, sources now contradicting each other. It must not end in a
 * stop or hold, nor show what may never be told.
 */
export function isSoundChange(answer: Answer, base: Answer, ruleSet: RuleSet): boolean {
  if (answer.decision === 'stop' || answer.decision === 'hold') return false
  return (
    !tellsTheUntold(answer, ruleSet) &&
    within(brokenRules(answer), brokenRules(base)) &&
    within(missingFacts(answer), missingFacts(base)) &&
    within(contests(answer), contests(base))
  )
}

/** Whether a rule that may never be told fired: what changes a decision beside it could tell of it. */
export function tellsTheUntold(answer: Answer, ruleSet: RuleSet): boolean {
  return answer.rules.fired.some((id) => ruleSet.rules.get(id)?.rule.reason?.tell === 'never')
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

function within(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}
