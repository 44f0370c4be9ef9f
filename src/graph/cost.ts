import { toSixDecimals } from '../domain/confidence.ts'
import { dayMs } from '../domain/time.ts'

/** Costs are whole billionths of a natural logarithm, so that sums depend on neither order nor engine. */
const unit = 1e9

/** Beyond this a score has long been 0.000000; the limit keeps every sum an exact integer. */
const decayCostMax = 1e15

/** Cost of a node that nothing can pass. */
export const blocked = Number.POSITIVE_INFINITY

/** Cost of a factor 0 < f <= 1. */
export function strengthCost(factor: number): number {
  return Math.round(0 - Math.log(factor) * unit)
}

/** Cost of the temporal weight exp(-days / tau), the days counted from exact milliseconds. */
export function decayCost(ageMs: number, tauDays: number): number {
  return Math.min(Math.round((ageMs / dayMs / tauDays) * unit), decayCostMax)
}

/** Strength p of a prevention: that of its edge, weighed by what a temporal weight of this cost leaves of it. */
export function preventionStrength(edgeStrength: number, weightCost: number): number {
  return edgeStrength * Math.exp(-weightCost / unit)
}

/** Cost of the factor 1 - p; p = 1 blocks. */
export function preventedCost(strength: number): number {
  return strength >= 1 ? blocked : strengthCost(1 - strength)
}

/** The number that a cost stands for, in six decimals: a score, a temporal weight, a prevention. */
export function factorOf(cost: number): number {
  return toSixDecimals(Math.exp(-cost / unit))
}
