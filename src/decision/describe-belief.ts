import type { Belief } from '../agents/believe.ts'
import type { Claim } from '../agents/latest-claims.ts'
import { canonicalJson } from '../audit/canonical.ts'
import type { Answer, BelievedFact } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** What was believed of each fact and derived fact, and every contest with all its claims, by name. */
export function describeBelief(
  belief: Belief,
  states: ReadonlyMap<string, FactState>,
  ruleSet: RuleSet,
): Pick<Answer['facts'], 'believed' | 'contested'> {
  const believed: Record<string, BelievedFact> = {}
  const names = new Set([...belief.believed.keys(), ...Object.keys(ruleSet.facts.derived ?? {})])
  for (const name of [...names].sort()) believed[name] = describe(name, belief, states, ruleSet)
  const contested = belief.contests.map((contest) => ({
    facts: [...contest.facts],
    readings: contest.claims.map(({ fact, source, value, confidence }) => ({
      fact,
      source,
      value,
      confidence,
    })),
  }))
  return { believed, contested }
}

function describe(
  name: string,
  belief: Belief,
  states: ReadonlyMap<string, FactState>,
  ruleSet: RuleSet,
): BelievedFact {
  const claim = belief.believed.get(name)
  const state = states.get(name) ?? { state: 'unknown', why: 'not supplied', missing: [name] }
  const unit = ruleSet.declared.get(name)?.declaration.unit
  const shared = { state: state.state, ...(unit === undefined ? {} : { unit }) }
  const why = 'why' in state ? { why: state.why } : {}
  if (claim !== undefined) {
    const { value, confidence, source, version } = claim
    return { ...shared, value, confidence, source, version, ...why, ...weakerClaims(claim, belief) }
  }
  if (state.state === 'known') {
    const rows = state.rows === undefined ? {} : { rows: [...state.rows] }
    return { ...shared, value: state.value, confidence: state.confidence, ...rows }
  }
  return { ...shared, value: null, ...(state.state === 'none' ? { confidence: state.confidence } : why) }
}

function weakerClaims(believed: Claim, belief: Belief): Pick<BelievedFact, 'weaker_claims'> {
  const others = belief.claims.filter(
    (claim) =>
      claim.fact === believed.fact &&
      claim !== believed &&
      canonicalJson(claim.value) !== canonicalJson(believed.value),
  )
  if (others.length === 0) return {}
  return {
    weaker_claims: others.map(({ source, value, confidence, version }) => ({
      source,
      value,
      confidence,
      version,
    })),
  }
}
