import { believe } from '../agents/believe.ts'
import type { DecisionInputs } from '../domain/decision.ts'
import type { Counterfactual, NoCounterfactual } from '../domain/hypothetical.ts'
import type { DecisionKind } from '../domain/policy.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { answerFor } from './answer-for.ts'
import { changeableFacts } from './changeable-facts.ts'
import { describeCounterfactual, whyNone } from './describe-counterfactual.ts'
import { searchChanges } from './search-changes.ts'
import { tellsTheUntold } from './sound-change.ts'

/** Decisions made at most in one search, over all facts and both directions. */
export const evaluationsMax = 400

export interface CounterfactualResult {
  readonly decision: DecisionKind
  /** Null: none is offered or was found, and `whyNone` says why. */
  readonly counterfactual: Counterfactual | null
  readonly whyNone: NoCounterfactual | null
  /** False: the search ended early, so a smaller change may have been missed. */
  readonly complete: boolean
}

/**
 * The smallest change of one fact declared `changeable` that gives a better decision. It is exact at the boundary:
 * the change named gives it, one step less does not. Smallest is the smallest share of the value; ties go by name.
 * Nothing is offered where the decision is approve, stop or hold, or where a rule decides that may never be told.
 * `mayContinue` ends the search early. Pure: what it is given stays as it is. Yields before each decision it makes, so
 * that a service can let others go first.
 */
export function* searchCounterfactual(
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  mayContinue: () => boolean = () => true,
): Generator<void, CounterfactualResult, void> {
  const base = answerFor(inputs, ruleSet, knowledge).answer
  const { decision } = base
  const none = (code: NoCounterfactual['code'], complete = true): CounterfactualResult => {
    return { decision, counterfactual: null, whyNone: whyNone(code), complete }
  }
  if (decision === 'approve') return none('approved')
  if (decision === 'stop' || decision === 'hold') return none('not_offered')
  if (tellsTheUntold(base, inputs, ruleSet, knowledge)) return none('not_offered')
  const belief = believe(inputs.facts, ruleSet, instantMs(inputs.as_of))
  const candidates = changeableFacts(belief, inputs, ruleSet)
  if (candidates.length === 0) return none('nothing_changeable')
  const context = { base, inputs, belief, ruleSet, knowledge }
  const { best, complete, silenced } = yield* searchChanges(
    candidates,
    context,
    evaluationsMax - 1,
    mayContinue,
  )
  // That nothing was found would be untrue, and why nothing is named would tell.
  if (best === undefined && silenced) return none('not_offered')
  if (best === undefined) return none(complete ? 'none_found' : 'search_ended', complete)
  return { decision, counterfactual: describeCounterfactual(best, ruleSet), whyNone: null, complete }
}

/** `searchCounterfactual` from beginning to end. */
export function counterfactual(...given: Parameters<typeof searchCounterfactual>): CounterfactualResult {
  const search = searchCounterfactual(...given)
  for (;;) {
    const step = search.next()
    if (step.done === true) return step.value
  }
}
