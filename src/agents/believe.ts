import { compareText } from '../domain/compare-text.ts'
import { Decimal } from '../domain/decimal.ts'
import { decimalTypes, type FactState, type FactValue, type FactVersion } from '../domain/fact.ts'
import type { FactDeclaration, FactsFile, PackContent, Policy } from '../domain/policy.ts'
import { type Claim, latestClaims } from './latest-claims.ts'

/** Facts whose sources contradict each other, and the readings that nothing settles between. */
export interface Contest {
  readonly facts: readonly string[]
  readonly claims: readonly Claim[]
  readonly heads: readonly Claim[]
}

export interface Belief {
  /** The latest claim of every source on every fact, heaviest first. */
  readonly claims: readonly Claim[]
  /** The heaviest claim of each fact. */
  readonly believed: ReadonlyMap<string, Claim>
  /** Contests still open; those that a third source settled are already part of `states`. */
  readonly contests: readonly Contest[]
  /** States of all facts that no open contest touches. */
  readonly states: ReadonlyMap<string, FactState>
}

/** Confidence under which a belief counts as unknown whatever the policy says: the doubt pool. */
const doubtBelow = 0.3

/**
 * Settles what is believed of each fact at one instant. All versions stay as they are; per source only the latest
 * by `observed_at` counts, the heaviest is believed, and readings that differ beyond the tolerance contest it.
 * Prohibited facts are stored for monitoring only and take no part, save those with a declared exception.
 */
export function believe(
  versions: readonly FactVersion[],
  content: Pick<PackContent, 'facts' | 'policy' | 'sources'>,
  asOfMs: number,
): Belief {
  const { policy } = content
  const declarations = content.facts.facts
  const claims = latestClaims(versions, content, asOfMs)
  const believed = new Map<string, Claim>()
  for (const claim of claims) if (!believed.has(claim.fact)) believed.set(claim.fact, claim)

  const states = new Map<string, FactState>()
  for (const claim of believed.values()) states.set(claim.fact, stateOf(claim, declarations, policy))

  const contests: Contest[] = []
  for (const group of groupsOf(claims, declarations)) {
    const weighty = group.filter((claim) => claim.confidence >= policy.min_confidence)
    // However little a dispute weighs, it stands beside what it disputes until a third source or a person settles it.
    const strong = comparable([...new Set([...weighty, ...weighty.flatMap((claim) => claim.disputedBy)])])
    const heads = headsOf(strong, declarations)
    if (heads.length < 2) continue
    const settled = settle(heads, weighty, declarations)
    if (settled !== undefined) {
      for (const [fact, state] of statesUnder(settled, strong, declarations, policy)) states.set(fact, state)
    } else {
      const facts = [...new Set(strong.map((claim) => claim.fact))].sort()
      contests.push({ facts, claims: strong, heads })
      for (const fact of facts) states.delete(fact)
    }
  }
  return { claims, believed, contests, states }
}

/** States of a contest's facts when one claim is kept: what agrees with it stays, the others become none. */
export function statesUnder(
  kept: Claim,
  claims: readonly Claim[],
  declarations: FactsFile['facts'],
  policy: Policy,
): Map<string, FactState> {
  const states = new Map<string, FactState>()
  for (const claim of claims) {
    const agreeing = claim === kept || (claim.fact !== kept.fact && agree(claim, kept, declarations))
    if (agreeing && states.get(claim.fact)?.state !== 'known') {
      states.set(claim.fact, stateOf(claim, declarations, policy))
    } else if (!states.has(claim.fact)) {
      states.set(claim.fact, { state: 'none', confidence: kept.confidence })
    }
  }
  return states
}

/** Claims gathered by what they measure: facts declared with the same `measures` contest each other. */
function groupsOf(claims: readonly Claim[], declarations: FactsFile['facts']): Claim[][] {
  const groups = new Map<string, Claim[]>()
  for (const claim of claims) {
    const measures = declarations[claim.fact]?.measures
    const key = measures === undefined ? `fact ${claim.fact}` : `measure ${measures}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [claim])
    else group.push(claim)
  }
  return [...groups.entries()].sort(([one], [other]) => compareText(one, other)).map(([, group]) => group)
}

/** Without the nones that stand alone for their fact: no tax record does not contradict what a pay slip says. */
function comparable(claims: readonly Claim[]): readonly Claim[] {
  const valued = new Set(claims.filter((claim) => claim.value !== null).map((claim) => claim.fact))
  return claims.filter((claim) => claim.value !== null || valued.has(claim.fact))
}

/** The claims, heaviest first, that agree with no heavier head: each is one reading of the truth. */
function headsOf(claims: readonly Claim[], declarations: FactsFile['facts']): readonly Claim[] {
  const heads: Claim[] = []
  for (const claim of claims) {
    if (
      !isAuthoritativeRival(claim, claims, declarations) &&
      !heads.some((head) => agree(head, claim, declarations))
    ) {
      heads.push(claim)
    }
  }
  return heads
}

/** On the applicant's own declarations other sources cannot contradict the applicant (trust 1 makes it heaviest). */
function isAuthoritativeRival(
  claim: Claim,
  claims: readonly Claim[],
  declarations: FactsFile['facts'],
): boolean {
  if (declarations[claim.fact]?.declared !== true) return false
  return claims.some(
    (other) => other.fact === claim.fact && other !== claim && other.confidence === 1 && claim.confidence < 1,
  )
}

/** A third source that agrees with exactly one reading settles the contest, if only one reading has such support. */
function settle(
  heads: readonly Claim[],
  claims: readonly Claim[],
  declarations: FactsFile['facts'],
): Claim | undefined {
  const supported = new Set<Claim>()
  for (const claim of claims) {
    if (heads.includes(claim)) continue
    const backed = heads.filter((head) => agree(head, claim, declarations))
    const head = backed[0]
    if (backed.length === 1 && head !== undefined && head.source !== claim.source) supported.add(head)
  }
  return supported.size === 1 ? [...supported][0] : undefined
}

function agree(one: Claim, other: Claim, declarations: FactsFile['facts']): boolean {
  return [one, other].every((claim) =>
    agreeUnder(declarations[claim.fact] as FactDeclaration, one.value, other.value),
  )
}

function agreeUnder(declaration: FactDeclaration, one: FactValue | null, other: FactValue | null): boolean {
  if (one === null || other === null) return one === other
  if (decimalTypes.has(declaration.type) && typeof one === 'string' && typeof other === 'string') {
    const difference = new Decimal(one).minus(other).abs()
    const tolerance = declaration.tolerance
    if (tolerance === undefined) return difference.isZero()
    if ('amount' in tolerance) return difference.lessThanOrEqualTo(tolerance.amount)
    const larger = Decimal.max(new Decimal(one).abs(), new Decimal(other).abs())
    return difference.times(100).lessThanOrEqualTo(larger.times(tolerance.percent))
  }
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What the rules see of a claim: weak and doubtful ones are unknown; none only where the fact may be none. */
function stateOf(claim: Claim, declarations: FactsFile['facts'], policy: Policy): FactState {
  const floor = Math.max(policy.min_confidence, doubtBelow)
  if (claim.confidence < floor) {
    const why = `confidence ${shown(claim.confidence)} < ${shown(floor)}`
    return { state: 'unknown', why, missing: [claim.fact] }
  }
  if (claim.value !== null) {
    const { value, confidence, method } = claim
    return { state: 'known', value, confidence, ...(method === null ? {} : { method }) }
  }
  if (declarations[claim.fact]?.may_be_none === true) return { state: 'none', confidence: claim.confidence }
  return { state: 'unknown', why: 'reported as none, which this fact can not be', missing: [claim.fact] }
}

function shown(confidence: number): string {
  const twoDecimals = confidence.toFixed(2)
  return Number(twoDecimals) === confidence ? twoDecimals : String(confidence)
}
