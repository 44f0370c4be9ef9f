import { z } from 'zod'

/** Confidence, strength shown, score: a number from 0 to 1. */
export const Confidence = z.number().min(0).max(1).meta({ description: 'How sure, from 0 to 1.' })

/** Six decimals, never more than the value: a confidence is not rounded up onto a limit. */
export function floorSixDecimals(value: number): number {
  // A ten-thousandth of the last place takes up what binary fractions lose, such as 0.57 * 1e6.
  return Math.floor(value * 1e6 + 1e-4) / 1e6
}

/** Rounds to six decimals, the precision in which confidences and scores are shown and compared. */
export function toSixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
