import type { DecisionInputs } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import { eventTypesAt } from '../graph/event-types-at.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import { type Evaluation, evaluate, type Question } from '../rules/evaluate.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** Evaluates the rules of an application under one reading of its facts. */
export function evaluateStates(
  facts: ReadonlyMap<string, FactState>,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
): Evaluation {
  return evaluate(ruleSet, questionOf(facts, inputs, knowledge))
}

/** What the rules are asked about an application under one reading of its facts. */
export function questionOf(
  facts: ReadonlyMap<string, FactState>,
  inputs: DecisionInputs,
  knowledge: Knowledge,
): Question {
  const receivedAtMs = instantMs(inputs.received_at)
  const types = eventTypesAt(knowledge.eventTypes, receivedAtMs)
  return {
    facts,
    consents: inputs.consents,
    asOfMs: instantMs(inputs.as_of),
    receivedAtMs,
    // Without a subject there is no telling what happened to them: unknown, not an empty history.
    history: inputs.subject_id === null ? undefined : inputs.episodes,
    isSubtype: (type, ancestor) => types.ancestors(type).includes(ancestor),
  }
}
