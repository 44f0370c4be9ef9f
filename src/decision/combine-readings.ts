import type { Belief } from '../agents/believe.ts'
import type { Answer, Bar, Reason } from '../domain/decision.ts'
import type { Conclusion } from './conclusion.ts'
import type { FactReading } from './readings-of.ts'

export interface ConcludedReading {
  readonly reading: FactReading
  readonly conclusion: Conclusion
}

export interface Combined {
  readonly conclusion: Conclusion
  readonly readings: Answer['readings']
}

/**
 * One answer from the conclusions under all readings. The same decision under all stands, a decline or counteroffer
 * with only the reasons common to all; `stop` or `hold` under any stands; everything else goes to a person.
 */
export function combineReadings(concluded: readonly ConcludedReading[], belief: Belief): Combined {
  const first = concluded[0]
  if (first === undefined) return { conclusion: tooManyReadings(belief), readings: [] }
  if (concluded.length === 1) return { conclusion: first.conclusion, readings: [] }
  const readings = concluded.map(({ reading, conclusion }) => ({
    keeps: Object.fromEntries(reading.kept.map((claim) => [claim.fact, claim.source])),
    decision: conclusion.decision,
    reasons: [...conclusion.reasons],
  }))
  return { conclusion: choose(concluded, belief), readings }
}

function choose(concluded: readonly ConcludedReading[], belief: Belief): Conclusion {
  const conclusions = concluded.map((one) => one.conclusion)
  const stops =
    conclusions.find(({ decision }) => decision === 'stop') ??
    conclusions.find(({ decision }) => decision === 'hold')
  if (stops !== undefined) return stops
  const weakest = conclusions.reduce((one, other) => (other.confidence < one.confidence ? other : one))
  if (conclusions.some(({ decision }) => decision !== weakest.decision)) return toPerson(weakest, belief)
  if (weakest.decision === 'approve') return { ...weakest, conditions: allConditions(conclusions) }
  if (weakest.decision !== 'decline' && weakest.decision !== 'counteroffer') return weakest
  const reasons = weakest.reasons.filter((reason) =>
    conclusions.every((one) => one.reasons.some((same) => isSame(same, reason))),
  )
  const offer = conclusions.every((one) => JSON.stringify(one.offer) === JSON.stringify(weakest.offer))
    ? weakest.offer
    : null
  if (reasons.length === 0 && offer === null) return toPerson(weakest, belief)
  return { ...weakest, reasons, offer }
}

/** An approval that stands under every reading carries the conditions of each. */
function allConditions(conclusions: readonly Conclusion[]): readonly Reason[] {
  const all = conclusions.flatMap((conclusion) => conclusion.conditions)
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

function isSame(one: Reason, other: Reason): boolean {
  return one.rule === other.rule && one.text.en === other.text.en
}

/** The outcome depends on which source is right: a person decides, seeing the outcome of each reading. */
function toPerson(conclusion: Conclusion, belief: Belief): Conclusion {
  return {
    ...conclusion,
    decision: 'manual_review',
    reasons: [],
    conditions: [],
    offer: null,
    checksPassed: [],
    advice: null,
    bars: [...conclusion.bars, contestBar(belief)],
  }
}

function contestBar(belief: Belief): Bar {
  const facts = belief.contests
    .flatMap((contest) => contest.facts)
    .sort()
    .join(', ')
  const text = {
    en: `Sources contradict each other on ${facts}, and the outcome depends on which is right`,
    zh: `各来源对 ${facts} 的说法互相矛盾，结果取决于哪一个属实`,
  }
  return { kind: 'contested', what: facts, text }
}

function tooManyReadings(belief: Belief): Conclusion {
  return {
    decision: 'manual_review',
    confidence: 0,
    deciding: [],
    otherOutcomes: [],
    strongestAdverse: null,
    excluded: [],
    context: [],
    reasons: [],
    internalReasons: [],
    conditions: [],
    offer: null,
    checksPassed: [],
    bars: [contestBar(belief)],
    advice: null,
    rules: { fired: [], not_fired: 0, not_applicable: [], unknown: [], errors: [], not_in_force: [] },
    missing: [],
    wanted: [],
    requests: [],
    warnings: ['too many contested facts to evaluate every reading'],
    states: belief.states,
  }
}
