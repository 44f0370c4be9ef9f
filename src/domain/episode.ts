import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { FactValue } from './fact.ts'
import { CallerId, EventTypeName, FactName, RuleVersionId, SourceName } from './names.ts'
import { InstantText } from './time.ts'

/**
 * Something that happened to a subject. `episode_id` is its identity: the caller's id, else made of
 * subject, type, time and source. `valid_until`: it no longer counts from then on.
 */
export const Episode = z.strictObject({
  subject_id: CallerId,
  episode_id: z.string().min(1).max(300),
  type: EventTypeName,
  occurred_at: InstantText,
  valid_until: InstantText.nullable(),
  confidence: Confidence,
  source: SourceName,
  attributes: z.record(z.string(), FactValue),
  recorded_at: InstantText,
})
export type Episode = z.infer<typeof Episode>

/** An episode that a rule asserts inside one decision; it never counts as history. */
export const Finding = z.strictObject({
  type: EventTypeName,
  toward: EventTypeName.nullable(),
  rule: RuleVersionId,
  confidence: Confidence,
  weakest: FactName.nullable(),
  /** When the finding's fact happened (`dated_by`); null: now, temporal weight 1. */
  occurred_at: InstantText.nullable(),
  /** False for findings of a rule that tests `isUnknown`: they prevent nothing. */
  may_prevent: z.boolean(),
})
export type Finding = z.infer<typeof Finding>
