import { canonicalJson } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import { floorSixDecimals } from '../domain/confidence.ts'
import type { FactValue, FactVersion } from '../domain/fact.ts'
import type { FactDeclaration, PackContent } from '../domain/policy.ts'
import { type Correction, openCorrections } from './corrections.ts'
import { freshness } from './stamp-confidence.ts'

/** What one source says of one fact now: its latest version, with freshness and corrections applied. */
export interface Claim {
  readonly fact: string
  readonly source: string
  readonly version: number
  readonly value: FactValue | null
  readonly unit: string | null
  readonly confidence: number
  readonly observedAtMs: number
  /** How it was read; null: not stated. */
  readonly method: string | null
  /** Claims that say it is wrong without silencing it. */
  readonly disputedBy: readonly Claim[]
}

type Content = Pick<PackContent, 'facts' | 'policy' | 'sources'>

/** Factor that a correction leaves of a claim that gives way to it. */
const correctedFactor = 0.1

/**
 * The latest claim of each source on each fact, heaviest first (ties: later observed, source name, value). A source
 * that says different things of the same instant makes a claim of each: which of them arrived last proves nothing.
 */
export function latestClaims(
  versions: readonly FactVersion[],
  content: Content,
  asOfMs: number,
): readonly Claim[] {
  const readable = versions.filter((version) => isReadable(version, content.facts.facts[version.fact]))
  const latest = latestVersions(readable)
  const weigh = (version: FactVersion): number => confidenceNow(version, content, asOfMs)
  const corrections = openCorrections(readable, latest, content, weigh)
  return latest.map((version) => toClaim(version, corrections(version), weigh)).sort(byWeight)
}

/**
 * Prohibited facts without an exception are for monitoring only. A value recorded under another type or unit than the
 * pack declares now can't be read any more.
 */
function isReadable(version: FactVersion, declaration: FactDeclaration | undefined): boolean {
  if (declaration === undefined) return false
  if (declaration.prohibited === true && (declaration.except ?? []).length === 0) return false
  return version.type === declaration.type && version.unit === (declaration.unit ?? null)
}

function latestVersions(versions: readonly FactVersion[]): readonly FactVersion[] {
  const latest = new Map<string, readonly FactVersion[]>()
  for (const version of versions) {
    const key = `${version.fact} ${version.source}`
    latest.set(key, withVersion(latest.get(key) ?? [], version))
  }
  return [...latest.values()].flat()
}

/** Of one source's versions those observed last, one of each value: the heaviest, then the latest recorded. */
function withVersion(held: readonly FactVersion[], version: FactVersion): readonly FactVersion[] {
  const difference = Date.parse(version.observed_at) - Date.parse(held[0]?.observed_at ?? version.observed_at)
  if (difference > 0) return [version]
  if (difference < 0) return held
  const value = canonicalJson(version.value)
  const same = held.find((one) => canonicalJson(one.value) === value)
  if (same === undefined) return [...held, version]
  const isHeavier =
    version.confidence > same.confidence ||
    (version.confidence === same.confidence && version.version > same.version)
  return isHeavier ? held.map((one) => (one === same ? version : one)) : held
}

function confidenceNow(version: FactVersion, content: Content, asOfMs: number): number {
  const declaration = content.facts.facts[version.fact] as FactDeclaration
  return floorSixDecimals(
    version.confidence * freshness(declaration, Date.parse(version.observed_at), asOfMs),
  )
}

function toClaim(
  version: FactVersion,
  correction: Correction,
  weigh: (version: FactVersion) => number,
): Claim {
  const { fact, source, value, unit, method } = version
  const confidence = weigh(version)
  return {
    fact,
    source,
    version: version.version,
    value,
    unit,
    confidence: correction.givesWay ? floorSixDecimals(confidence * correctedFactor) : confidence,
    observedAtMs: Date.parse(version.observed_at),
    method,
    disputedBy: correction.disputedBy.map((one) => toClaim(one, { givesWay: false, disputedBy: [] }, weigh)),
  }
}

function byWeight(one: Claim, other: Claim): number {
  return (
    other.confidence - one.confidence ||
    other.observedAtMs - one.observedAtMs ||
    compareText(one.source, other.source) ||
    compareText(canonicalJson(one.value), canonicalJson(other.value)) ||
    compareText(one.fact, other.fact)
  )
}
