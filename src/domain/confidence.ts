import { z } from 'zod'

/** Confidence, strength shown, score: a number from 0 to 1. */
export const Confidence = z.number().min(0).max(1).meta({ description: 'How sure, from 0 to 1.' })

/** Rounds to six decimals, the precision in which confidences and scores are shown and compared. */
export function toSixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
