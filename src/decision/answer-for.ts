import { type Belief, believe } from '../agents/believe.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { combineReadings } from './combine-readings.ts'
import { conclude } from './conclude.ts'
import type { Conclusion } from './conclusion.ts'
import { describeBelief } from './describe-belief.ts'
import type { Budget } from './find-chains.ts'
import { nextSteps } from './next-steps.ts'
import { readingsOf } from './readings-of.ts'

/** Chains of the deciding outcome shown in an answer; the others are counted. */
const chainsShownMax = 20

/**
 * The pure pipeline: belief, then each reading of contested facts, rules, chains and outcome, then the answer. The
 * same inputs, rule set and knowledge give the same answer, byte for byte. `mayContinue` is the deadline of a live
 * decision; where it cut the search is `cutAt`, which a replay hands in as `edges_examined_max`.
 */
export function answerFor(
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  mayContinue?: () => boolean,
): { readonly answer: Answer; readonly cutAt: number | null } {
  const budget: Budget = { left: inputs.edges_examined_max, examined: 0, cutAt: null, mayContinue }
  const { facts, policy } = ruleSet
  const belief = believe(inputs.facts, ruleSet, instantMs(inputs.as_of))
  const readings = readingsOf(belief, facts.facts, policy)
  const conclusions = readings.map((reading) => ({
    reading,
    conclusion: conclude(reading.states, inputs, ruleSet, knowledge, budget),
  }))
  const combined = combineReadings(conclusions, belief)
  return {
    answer: shape(combined.conclusion, combined.readings, belief, inputs, ruleSet, knowledge),
    cutAt: budget.cutAt,
  }
}

function shape(
  conclusion: Conclusion,
  readings: Answer['readings'],
  belief: Belief,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
): Answer {
  return {
    decision_id: inputs.decision_id,
    application_id: inputs.application_id,
    policy: { policy: ruleSet.policy.policy, version: ruleSet.policy.version },
    decision: conclusion.decision,
    confidence: conclusion.confidence,
    received_at: inputs.received_at,
    as_of: inputs.as_of,
    known_at: inputs.known_at,
    chains: conclusion.deciding.slice(0, chainsShownMax),
    chains_omitted: Math.max(0, conclusion.deciding.length - chainsShownMax),
    other_outcomes: [...conclusion.otherOutcomes],
    strongest_adverse: conclusion.strongestAdverse,
    excluded: conclusion.excluded,
    context: conclusion.context,
    reasons: [...conclusion.reasons],
    internal_reasons: [...conclusion.internalReasons],
    conditions: [...conclusion.conditions],
    offer: conclusion.offer,
    checks_passed: [...conclusion.checksPassed],
    bars: [...conclusion.bars],
    advice: conclusion.advice,
    readings,
    rules: { set: ruleSet.hash, ...conclusion.rules },
    facts: { ...describeBelief(belief, conclusion.states, ruleSet), missing: [...conclusion.missing] },
    next_steps: [...nextSteps(conclusion, belief, ruleSet)],
    warnings: [...conclusion.warnings],
    graph_position: knowledge.position,
  }
}
