import type { Chain } from '../domain/chain.ts'
import { compareText } from '../domain/compare-text.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import type { ApiRequest } from '../domain/rule.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { type Evaluation, type RuleResult, testCondition } from '../rules/evaluate.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { Conclusion } from './conclusion.ts'
import { evaluateStates } from './evaluate-states.ts'
import { type Budget, findChains } from './find-chains.ts'
import { confidenceBar, deadlinePassed, gatherBars, notCovered } from './gather-bars.ts'
import { gatherMissing, type OpenRule } from './gather-missing.ts'
import { overallConfidence } from './overall-confidence.ts'
import { mayTell, type ReasonContext, stateReasons } from './state-reasons.ts'
import { type Findings, type Judgement, stricterEvents, walkOutcomes } from './walk-outcomes.ts'

/**
 * Concludes one application under one reading of its facts: rules, chains, outcome, reasons. Pure: the same states,
 * rule set and knowledge give the same conclusion. `budget` bounds the search over all readings together.
 */
export function conclude(
  states: ReadonlyMap<string, FactState>,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  budget: Budget,
): Conclusion {
  const evaluation = evaluateStates(states, inputs, ruleSet, knowledge)
  const found = findChains(evaluation.findings, inputs, ruleSet, knowledge, budget)
  const required = requiredFacts(ruleSet, evaluation)
  const open = evaluation.notable.flatMap((result) => openRule(result, ruleSet))
  const stricter = stricterEvents(ruleSet.policy)
  const missing = gatherMissing(ruleSet.content, evaluation.states, required, open, stricter)
  const reasonContext: ReasonContext = {
    content: ruleSet.content,
    rules: ruleSet.rules,
    states: evaluation.states,
  }
  const requiredConfidence = smallestRequired(required, evaluation)
  const covered = coverage(ruleSet, evaluation)
  const findings: Findings = {
    policy: ruleSet.policy,
    chains: found.chains,
    missing,
    bars: [
      ...(covered === 'covered' ? [] : [notCovered]),
      ...(inputs.late === true ? [deadlinePassed] : []),
      ...gatherBars(open, found),
      ...confidenceBar(requiredConfidence),
    ],
    mayTell: (deciding) => mayTell(deciding, reasonContext),
  }
  const judgement = covered === 'not covered' ? uncovered : walkOutcomes(findings)
  const deciding = judgement.deciding.toSorted(byScore)
  const stated = stateReasons(deciding, reasonContext)
  return {
    decision: judgement.decision,
    confidence: confidenceOf(judgement, requiredConfidence, evaluation, ruleSet),
    deciding,
    ...aside(judgement, found.chains, stricter),
    excluded: found.excluded,
    context: found.context,
    reasons: judgement.decision === 'approve' ? [] : stated.principal,
    internalReasons: stated.internal,
    conditions: judgement.decision === 'approve' ? stated.conditions : [],
    offer: judgement.decision === 'counteroffer' ? stated.offer : null,
    checksPassed: judgement.decision === 'approve' ? checksPassed(required, evaluation, ruleSet) : [],
    bars: judgement.barred ? findings.bars : [],
    advice: adviceOf(judgement, findings, reasonContext),
    rules: rulesOf(evaluation),
    missing,
    wanted: wantedBy(deciding, ruleSet),
    requests: requestsOf(evaluation, ruleSet),
    warnings: found.warnings,
    states: evaluation.states,
  }
}

const uncovered: Judgement = { decision: 'insufficient_evidence', deciding: [], entry: 0, barred: true }

/** A policy without `covers` covers all. Whether it covers can be open, too: that bars approval. */
function coverage(ruleSet: RuleSet, evaluation: Evaluation): 'covered' | 'open' | 'not covered' {
  const { covers } = ruleSet.policy
  if (covers === undefined) return 'covered'
  const { result } = testCondition(ruleSet, covers, evaluation.states)
  if (result === 'true') return 'covered'
  return result === 'unknown' || result === 'error' ? 'open' : 'not covered'
}

/** Facts required here; a condition that can't be told counts as holding. */
function requiredFacts(ruleSet: RuleSet, evaluation: Evaluation): readonly string[] {
  return ruleSet.policy.required.flatMap((required) => {
    if (typeof required === 'string') return [required]
    const { result } = testCondition(ruleSet, required.when, evaluation.states)
    return result === 'false' || result === 'none' ? [] : [required.fact]
  })
}

function openRule(result: RuleResult, ruleSet: RuleSet): OpenRule[] {
  if (result.outcome !== 'unknown' && result.outcome !== 'error') return []
  const rule = ruleSet.rules.get(result.id)?.rule
  const toward = (rule?.then ?? []).flatMap((step) =>
    'episode' in step && step.toward !== undefined ? [step.toward] : [],
  )
  if (toward.length === 0) return []
  return [
    {
      rule: result.id,
      toward,
      unknownFacts: result.unknownFacts,
      outcome: result.outcome,
      why: result.error,
    },
  ]
}

/** Smallest confidence of the required facts; 0 while one is missing. */
function smallestRequired(required: readonly string[], evaluation: Evaluation): number {
  return required.reduce((smallest, fact) => {
    const state = evaluation.states.get(fact)
    const confidence = state?.state === 'known' || state?.state === 'none' ? state.confidence : 0
    return Math.min(smallest, confidence)
  }, 1)
}

function confidenceOf(
  judgement: Judgement,
  requiredConfidence: number,
  evaluation: Evaluation,
  ruleSet: RuleSet,
): number {
  if (judgement.deciding.length === 0) {
    const stages = { perceived: requiredConfidence, reasoned: undefined, verified: undefined }
    return overallConfidence(stages, ruleSet.policy.weights)
  }
  const fired = new Map(
    evaluation.notable.flatMap((result) =>
      result.outcome === 'fired' ? [[result.id, result.confidence ?? 0]] : [],
    ),
  )
  const perceived = Math.min(
    ...judgement.deciding.map((chain) => fired.get(chain.rule ?? '') ?? chain.confidence),
  )
  const links = judgement.deciding.flatMap((chain) => chain.links)
  const reasoned = Math.min(...links.map((link) => link.confidence))
  return overallConfidence({ perceived, reasoned, verified: undefined }, ruleSet.policy.weights)
}

function wantedBy(deciding: readonly Chain[], ruleSet: RuleSet): readonly string[] {
  const rules = deciding.flatMap((chain) => ruleSet.rules.get(chain.rule ?? '')?.rule ?? [])
  return [
    ...new Set(rules.flatMap((rule) => rule.then.flatMap((step) => ('want' in step ? [step.want] : [])))),
  ]
}

/** What the fired rules ask of interfaces, in the order of the rules. */
function requestsOf(evaluation: Evaluation, ruleSet: RuleSet): readonly ApiRequest[] {
  return evaluation.notable.flatMap(({ id, outcome }) => {
    const steps = outcome === 'fired' ? (ruleSet.rules.get(id)?.rule.then ?? []) : []
    return steps.flatMap((step) => ('request_api' in step ? [step.request_api] : []))
  })
}

function byScore(one: Chain, other: Chain): number {
  return other.score - one.score || compareText(chainKey(one), chainKey(other))
}

function chainKey(chain: Chain): string {
  const start = 'finding' in chain.start ? chain.start.finding : chain.start.episode_id
  return [chain.outcome, chain.rule ?? '', start, ...chain.links.map((link) => link.edge)].join(' ')
}

/** The strongest chain to each other outcome, and the strongest adverse one with its distance to the threshold. */
function aside(
  judgement: Judgement,
  chains: readonly Chain[],
  stricter: ReadonlySet<string>,
): Pick<Conclusion, 'otherOutcomes' | 'strongestAdverse'> {
  const decided = new Set(judgement.deciding.map((chain) => chain.outcome))
  const strongest = new Map<string, Chain>()
  for (const chain of chains.toSorted(byScore)) {
    if (!strongest.has(chain.outcome)) strongest.set(chain.outcome, chain)
  }
  // A map keeps the order in which it was filled: strongest first.
  const otherOutcomes = [...strongest.values()].filter((chain) => !decided.has(chain.outcome))
  const adverse = [...strongest.values()].find((chain) => stricter.has(chain.outcome))
  const distance = adverse === undefined ? 0 : Number((adverse.threshold - adverse.score).toFixed(6))
  const strongestAdverse =
    judgement.decision === 'approve' && adverse !== undefined ? { chain: adverse, distance } : null
  return { otherOutcomes, strongestAdverse }
}

function checksPassed(
  required: readonly string[],
  evaluation: Evaluation,
  ruleSet: RuleSet,
): readonly string[] {
  const rules = evaluation.rules.filter((result) => {
    const quiet = result.outcome === 'not_fired' || result.outcome === 'not_applicable'
    const then = ruleSet.rules.get(result.id)?.rule.then ?? []
    return quiet && then.some((step) => 'episode' in step && step.toward !== undefined)
  })
  return [...[...required].sort(), ...rules.map((result) => result.id)]
}

/** What the later entries would have decided: for the person who now decides, never released as the decision. */
function adviceOf(judgement: Judgement, findings: Findings, context: ReasonContext): Answer['advice'] {
  if (judgement.decision !== 'manual_review' && judgement.decision !== 'hold') return null
  if (judgement.barred || judgement.entry >= findings.policy.outcomes.length) return null
  const later = walkOutcomes(findings, judgement.entry + 1)
  return { decision: later.decision, reasons: [...stateReasons(later.deciding, context).principal] }
}

function rulesOf(evaluation: Evaluation): Omit<Answer['rules'], 'set'> {
  const { notable } = evaluation
  const idsOf = (outcome: RuleResult['outcome']): string[] =>
    notable.filter((result) => result.outcome === outcome).map((result) => result.id)
  return {
    fired: idsOf('fired'),
    not_fired: evaluation.notFired,
    not_applicable: idsOf('not_applicable'),
    unknown: notable
      .filter((result) => result.outcome === 'unknown')
      .map((result) => ({ rule: result.id, facts: [...result.unknownFacts] })),
    errors: notable
      .filter((result) => result.outcome === 'error')
      .map((result) => ({ rule: result.id, why: result.error ?? 'failed' })),
    not_in_force: [...evaluation.notInForce],
  }
}
