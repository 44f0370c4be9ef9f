import { toSixDecimals } from '../domain/confidence.ts'
import type { Policy } from '../domain/policy.ts'

/** Confidence of each stage behind the deciding chains; `undefined`: the stage took no part. */
export interface StageConfidences {
  readonly perceived: number | undefined
  readonly reasoned: number | undefined
  readonly verified: number | undefined
}

/** Weighted mean over the stages that took part; 1 when none did. 0.67, 0.99, 0.95 at 0.3, 0.3, 0.4 give 0.878. */
export function overallConfidence(stages: StageConfidences, weights: Policy['weights']): number {
  const parts = (['perceived', 'reasoned', 'verified'] as const).flatMap((stage) => {
    const confidence = stages[stage]
    return confidence === undefined ? [] : [{ confidence, weight: weights[stage] }]
  })
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  if (total === 0)
    return parts.length === 0 ? 1 : toSixDecimals(Math.min(...parts.map((part) => part.confidence)))
  return toSixDecimals(parts.reduce((sum, part) => sum + part.confidence * part.weight, 0) / total)
}
