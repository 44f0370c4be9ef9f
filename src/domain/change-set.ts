import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { EdgeId, Recurrence, RegulationId, Relation, Strength, TauDays } from './knowledge.ts'
import { BilingualText, EventTypeName } from './names.ts'
import { DateText, InstantText, ZoneName } from './time.ts'

/** A day (its start in the change set's zone) or an instant. */
export const When = z.union([DateText, InstantText])

const validity = { valid_from: When.optional(), valid_until: When.optional() }
const edgeFields = {
  strength: Strength,
  confidence: Confidence,
  min_confidence: Confidence.optional(),
  recurrence: Recurrence.optional(),
  source: RegulationId,
}

/** One operation on the causal knowledge. `valid_from` left out: valid since ever. */
export const GraphOperation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('add_event_type'),
    id: EventTypeName,
    is_a: z.array(EventTypeName).optional(),
    tau_days: TauDays.optional(),
    text: BilingualText,
    ...validity,
  }),
  z.strictObject({ op: z.literal('retire_event_type'), id: EventTypeName, valid_until: When }),
  z.strictObject({
    op: z.literal('add_edge'),
    id: EdgeId,
    from: EventTypeName,
    relation: Relation,
    to: EventTypeName,
    ...edgeFields,
    ...validity,
  }),
  z.strictObject({
    op: z.literal('revise_edge'),
    id: EdgeId,
    ...edgeFields,
    valid_from: When,
    valid_until: When.optional(),
  }),
  z.strictObject({ op: z.literal('expire_edge'), id: EdgeId, valid_until: When }),
  z.strictObject({
    op: z.literal('add_regulation'),
    id: RegulationId,
    title: z.string().min(1).max(500),
    issuer: z.string().min(1).max(200),
    ...validity,
  }),
  z.strictObject({
    op: z.literal('supersede_regulation'),
    id: RegulationId,
    superseded_by: RegulationId.optional(),
    valid_until: When,
  }),
])
export type GraphOperation = z.infer<typeof GraphOperation>

export const MigrationName = z.string().regex(/^V\d{4}$/, 'expected a number such as `V0001`')

/** A reviewed change of the causal knowledge: one file of `graph/migrations/`, applied in one transaction. */
export const ChangeSet = z.strictObject({
  migration: MigrationName,
  title: z.string().min(1).max(300),
  zone: ZoneName.optional(),
  author: z.string().min(1).max(100),
  approved_by: z.string().min(1).max(100).optional(),
  operations: z.array(GraphOperation).min(1).max(100_000),
})
export type ChangeSet = z.infer<typeof ChangeSet>

/** One line of the applied change log, in the order of `sequence` (1, 2, 3 …). */
export const AppliedOperation = z.strictObject({
  sequence: z.int().min(1),
  migration: MigrationName,
  zone: ZoneName,
  recorded_at: InstantText,
  operation: GraphOperation,
})
export type AppliedOperation = z.infer<typeof AppliedOperation>

/** One applied migration: its number and the SHA-256 of its text with normalised line ends. */
export const AppliedMigration = z.strictObject({
  migration: MigrationName,
  title: z.string(),
  checksum: z.string(),
  applied_at: InstantText,
  last_sequence: z.int().min(1),
})
export type AppliedMigration = z.infer<typeof AppliedMigration>
