import type { Belief } from '../agents/believe.ts'
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
    return { ...shared, value, confidence, source, version, ...why }
  }
  if (state.state === 'known') return { ...shared, value: state.value, confidence: state.confidence }
  return { ...shared, value: null, ...(state.state === 'none' ? { confidence: state.confidence } : why) }
}
