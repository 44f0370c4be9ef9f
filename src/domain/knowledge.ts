import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { BilingualText, EventTypeName } from './names.ts'

export const Relation = z
  .enum(['CAUSES', 'PREVENTS', 'ACCOMPANIES'])
  .meta({ description: 'How one event type bears on another; only `CAUSES` is walked in a chain.' })
export type Relation = z.infer<typeof Relation>

/** Half-open interval in epoch milliseconds; the open end is `openEndMs`. */
export const Interval = z.strictObject({ fromMs: z.int(), untilMs: z.int() })
export type Interval = z.infer<typeof Interval>

/** Base strength 0 < s <= 1. Checked on write; an edge found broken in a store is never walked. */
export const Strength = z.number().gt(0).max(1)

/** Strength when the subject has had the edge's source type `at_least` times `within_days`. */
export const Recurrence = z.strictObject({
  at_least: z.int().min(1).max(1000),
  within_days: z.number().gt(0).max(36_500),
  strength: Strength,
})
export type Recurrence = z.infer<typeof Recurrence>

export const EdgeId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected an id such as `e-17`')

/** Id of a regulation or of a lender's own paper, such as `12-cfr-1002.9` or `lender/credit-policy-7`. */
export const RegulationId = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._:()〔〕/-]{0,127}$/u,
    'expected an id without blanks, such as `lender/credit-policy-7`',
  )

export const TauDays = z.number().min(0.01).max(36_500)

/** One version of a causal edge. `minConfidence` 0 means no gate. */
export const EdgeVersion = z.strictObject({
  id: EdgeId,
  version: z.int().min(1),
  from: EventTypeName,
  relation: Relation,
  to: EventTypeName,
  strength: Strength,
  confidence: Confidence,
  minConfidence: Confidence,
  recurrence: Recurrence.nullable(),
  source: RegulationId,
  valid: Interval,
})
export type EdgeVersion = z.infer<typeof EdgeVersion>

/** One version of an event type; an edge of a type holds for its subtypes (`isA` names the parents). */
export const EventTypeVersion = z.strictObject({
  id: EventTypeName,
  isA: z.array(EventTypeName),
  tauDays: TauDays,
  text: BilingualText,
  valid: Interval,
})
export type EventTypeVersion = z.infer<typeof EventTypeVersion>

export const RegulationVersion = z.strictObject({
  id: RegulationId,
  title: z.string().min(1),
  issuer: z.string().min(1),
  supersededBy: RegulationId.nullable(),
  valid: Interval,
})
export type RegulationVersion = z.infer<typeof RegulationVersion>

/** `e-17@2` */
export function edgeVersionId(edge: { readonly id: string; readonly version: number }): string {
  return `${edge.id}@${edge.version}`
}

/** Which knowledge a decision used: the last applied migration and the length of the change log. */
export const GraphPosition = z
  .strictObject({
    migration: z
      .string()
      .nullable()
      .meta({ description: 'Last applied migration, such as `V0003`; null: none.' }),
    sequence: z.int().min(0).meta({ description: 'Length of the log of changes.' }),
  })
  .meta({ description: 'Which causal knowledge was used.' })
export type GraphPosition = z.infer<typeof GraphPosition>
