import type { Evaluation, RuleResult } from '../../src/rules/evaluation.ts'

/** An evaluation with everything that is worked out when it is read, as plain data. */
export function writeOut(evaluation: Evaluation) {
  const { notFired, notInForce, findings, memory, states, derived } = evaluation
  return {
    rules: evaluation.rules.map(writeOutRule),
    notable: evaluation.notable.map(writeOutRule),
    notFired,
    notInForce,
    findings,
    memory,
    states: [...states],
    derived: [...derived],
  }
}

function writeOutRule(result: RuleResult) {
  const { id, ruleId, outcome, confidence, weakest, unknownFacts, error, trace, findings } = result
  return { id, ruleId, outcome, confidence, weakest, unknownFacts, error, trace, findings }
}
