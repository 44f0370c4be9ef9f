import { floorSixDecimals } from '../domain/confidence.ts'
import type { FactDeclaration, SourcesFile } from '../domain/policy.ts'
import { dayMs, tauDaysDefault } from '../domain/time.ts'

/**
 * How far a source is trusted for one fact: its own figure for the fact, else for what the fact measures, else in
 * general. The applicant is authoritative for their own declarations. `undefined`: no such source.
 */
export function trustIn(
  sources: SourcesFile,
  source: string,
  fact: string,
  declaration: FactDeclaration,
): number | undefined {
  if (source === sources.applicant && declaration.declared === true) return 1
  const declared = Object.hasOwn(sources.sources, source) ? sources.sources[source] : undefined
  if (declared === undefined) return undefined
  const kinds = declared.kinds ?? {}
  if (Object.hasOwn(kinds, fact)) return kinds[fact]
  const measured = declaration.measures
  if (measured !== undefined && Object.hasOwn(kinds, measured)) return kinds[measured]
  return declared.trust
}

/** Stamped confidence: the smaller of what was stated (else the method's default) and the source's trust. */
export function stampConfidence(
  stated: number | undefined,
  methodDefault: number | undefined,
  trust: number,
): number {
  return floorSixDecimals(Math.min(stated ?? methodDefault ?? trust, trust))
}

/** 1 until the fact is `fresh_days` old, then `exp(-excess days / tau)`. Ages are exact milliseconds. */
export function freshness(declaration: FactDeclaration, observedAtMs: number, asOfMs: number): number {
  if (declaration.fresh_days === undefined) return 1
  const excessDays = (asOfMs - observedAtMs) / dayMs - declaration.fresh_days
  return excessDays <= 0 ? 1 : Math.exp(-excessDays / (declaration.fresh_tau_days ?? tauDaysDefault))
}
