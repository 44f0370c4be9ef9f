import { canonicalJson } from '../audit/canonical.ts'
import type { FactVersion } from '../domain/fact.ts'
import type { PackContent } from '../domain/policy.ts'

/** What corrections do to a version: silence it to a tenth, or stand beside it as disputes. */
export interface Correction {
  readonly givesWay: boolean
  readonly disputedBy: readonly FactVersion[]
}

/**
 * Tells for each version what corrects it. A correction holds against what its source had said by then, however often
 * that is said again, until the corrector's own latest word agrees with it. The applicant's own word and what a
 * machine read give way to a correction that counts (at or above `min_confidence`); a weaker one, and any correction
 * of somebody else's word, is a dispute.
 */
export function openCorrections(
  versions: readonly FactVersion[],
  latest: readonly FactVersion[],
  { policy, sources }: Pick<PackContent, 'policy' | 'sources'>,
  weigh: (version: FactVersion) => number,
): (version: FactVersion) => Correction {
  const corrections = versions.filter((version) => version.corrects !== null)
  return (version) => {
    const standing = corrections.filter(
      (one) =>
        one.fact === version.fact &&
        one.corrects === version.source &&
        !saysTheSame(one, version) &&
        wasSaidBy(one, version, versions) &&
        !latest.some(
          (word) => word.fact === one.fact && word.source === one.source && saysTheSame(word, version),
        ),
    )
    const isMachine = version.method !== null && (sources.machine_read ?? []).includes(version.method)
    const mayGiveWay = version.source === sources.applicant || isMachine
    const givesWay = mayGiveWay && standing.some((one) => weigh(one) >= policy.min_confidence)
    return { givesWay, disputedBy: givesWay ? [] : standing }
  }
}

/** Whether the corrected source had given this value by the time of the correction, or in the same request. */
function wasSaidBy(correction: FactVersion, version: FactVersion, versions: readonly FactVersion[]): boolean {
  return versions.some(
    (one) =>
      one.fact === version.fact &&
      one.source === version.source &&
      saysTheSame(one, version) &&
      Date.parse(one.recorded_at) <= Date.parse(correction.recorded_at),
  )
}

function saysTheSame(one: FactVersion, other: FactVersion): boolean {
  return canonicalJson(one.value) === canonicalJson(other.value)
}
