import { compareText } from '../domain/compare-text.ts'
import { toSixDecimals } from '../domain/confidence.ts'
import { Decimal } from '../domain/decimal.ts'
import { decimalTypes, type FactState, type FactValue, type FactVersion } from '../domain/fact.ts'
import type { FactDeclaration, FactsFile, PackContent, Policy, SourcesFile } from '../domain/policy.ts'
import { freshness } from './stamp-confidence.ts'

/** What one source says of one fact now: its latest version, with freshness applied. */
export interface Claim {
  readonly fact: string
  readonly source: string
  readonly version: number
  readonly value: FactValue | null
  readonly unit: string | null
  readonly confidence: number
  readonly observedAtMs: number
  /** The source whose word it says is wrong; null: none. */
  readonly corrects: string | null
  /** True when a correction speaks against it that it does not give way to: its source is no applicant or machine. */
  readonly isDisputed: boolean
}

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
  const claims = latestClaims(versions, declarations, content.sources, asOfMs)
  const believed = new Map<string, Claim>()
  for (const claim of claims) if (!believed.has(claim.fact)) believed.set(claim.fact, claim)

  const states = new Map<string, FactState>()
  for (const claim of believed.values()) states.set(claim.fact, stateOf(claim, declarations, policy))

  const contests: Contest[] = []
  for (const group of groupsOf(claims, declarations)) {
    const strong = comparable(
      group.filter((claim) => claim.confidence >= policy.min_confidence || disputes(claim, group, policy)),
    )
    const heads = headsOf(strong, declarations)
    if (heads.length < 2) continue
    const settled = settle(heads, strong, declarations)
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

/** The latest claim of each source on each fact, heaviest first (ties: later observed, source name, value). */
function latestClaims(
  versions: readonly FactVersion[],
  declarations: FactsFile['facts'],
  sources: SourcesFile,
  asOfMs: number,
): readonly Claim[] {
  const latest = new Map<string, FactVersion>()
  for (const version of versions) {
    const declaration = declarations[version.fact]
    if (declaration === undefined || isForMonitoringOnly(declaration) || !isOfKind(version, declaration))
      continue
    const key = `${version.fact} ${version.source}`
    const before = latest.get(key)
    if (before === undefined || isLater(version, before)) latest.set(key, version)
  }
  const corrections = versions.filter((version) => version.corrects !== null)
  return [...latest.values()]
    .map((version) => toClaim(version, correctionOf(version, corrections, sources), declarations, asOfMs))
    .sort(byWeight)
}

/** A prohibited fact that no rule may read; one with an exception takes part, for the rule of the exception alone. */
function isForMonitoringOnly({ prohibited, except }: FactDeclaration): boolean {
  return prohibited === true && (except ?? []).length === 0
}

/** A value recorded under another type or unit than the pack declares now can't be read any more: it is unknown. */
function isOfKind(version: FactVersion, declaration: FactDeclaration): boolean {
  return version.type === declaration.type && version.unit === (declaration.unit ?? null)
}

function isLater(one: FactVersion, other: FactVersion): boolean {
  const difference = Date.parse(one.observed_at) - Date.parse(other.observed_at)
  return difference > 0 || (difference === 0 && one.version > other.version)
}

/**
 * What a later correction does to a version: the applicant's own and a machine's reading give way to it, the word of
 * anyone else is disputed.
 */
function correctionOf(
  version: FactVersion,
  corrections: readonly FactVersion[],
  sources: SourcesFile,
): 'none' | 'gives way' | 'disputed' {
  const isCorrected = corrections.some(
    (one) => one.fact === version.fact && one.corrects === version.source && one.version > version.version,
  )
  if (!isCorrected) return 'none'
  const isMachine = version.method !== null && (sources.machine_read ?? []).includes(version.method)
  return version.source === sources.applicant || isMachine ? 'gives way' : 'disputed'
}

/** Factor that a correction leaves of a version that gives way to it. */
const correctedFactor = 0.1

/** However little it weighs, a correction of a strong register makes a dispute, which a person or third source settles. */
function disputes(claim: Claim, group: readonly Claim[], policy: Policy): boolean {
  return group.some(
    (other) =>
      other.isDisputed &&
      other.fact === claim.fact &&
      other.source === claim.corrects &&
      other.confidence >= policy.min_confidence,
  )
}

function toClaim(
  version: FactVersion,
  correction: ReturnType<typeof correctionOf>,
  declarations: FactsFile['facts'],
  asOfMs: number,
): Claim {
  const declaration = declarations[version.fact] as FactDeclaration
  const observedAtMs = Date.parse(version.observed_at)
  return {
    fact: version.fact,
    source: version.source,
    version: version.version,
    value: version.value,
    unit: version.unit,
    confidence: toSixDecimals(
      version.confidence *
        freshness(declaration, observedAtMs, asOfMs) *
        (correction === 'gives way' ? correctedFactor : 1),
    ),
    observedAtMs,
    corrects: version.corrects,
    isDisputed: correction === 'disputed',
  }
}

function byWeight(one: Claim, other: Claim): number {
  return (
    other.confidence - one.confidence ||
    other.observedAtMs - one.observedAtMs ||
    compareText(one.source, other.source) ||
    compareText(JSON.stringify(one.value), JSON.stringify(other.value)) ||
    compareText(one.fact, other.fact)
  )
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
  if (claim.value !== null) return { state: 'known', value: claim.value, confidence: claim.confidence }
  if (declarations[claim.fact]?.may_be_none === true) return { state: 'none', confidence: claim.confidence }
  return { state: 'unknown', why: 'reported as none, which this fact can not be', missing: [claim.fact] }
}

function shown(confidence: number): string {
  const twoDecimals = confidence.toFixed(2)
  return Number(twoDecimals) === confidence ? twoDecimals : String(confidence)
}
