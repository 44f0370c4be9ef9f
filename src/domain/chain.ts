import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { Relation } from './knowledge.ts'
import { EdgeVersionId, EventTypeName, RuleVersionId } from './names.ts'
import { InstantText } from './time.ts'

/** How one link got its strength: each factor is shown. */
export const LinkFactors = z.strictObject({
  base: z.number().meta({ description: 'Base strength of the edge.' }),
  recurrence: z
    .strictObject({ count: z.int(), at_least: z.int(), within_days: z.number(), strength: z.number() })
    .optional()
    .meta({ description: 'Present when recurrence replaced the base strength.' }),
  validity: z.enum(['in force', 'deprecated']),
  prevented_by: z
    .strictObject({ start: z.string(), edge: EdgeVersionId, strength: z.number() })
    .optional()
    .meta({
      description:
        'The strongest PREVENTS onto the node that this link leads to; multiplies by 1 - strength.',
    }),
})
export type LinkFactors = z.infer<typeof LinkFactors>

export const Link = z.strictObject({
  from: EventTypeName,
  relation: Relation,
  to: EventTypeName,
  strength: z.number(),
  factors: LinkFactors,
  source: z.string(),
  edge: EdgeVersionId,
  confidence: Confidence,
})
export type Link = z.infer<typeof Link>

/** Where a chain starts: a rule's finding, or a stored or posted episode. */
export const ChainStart = z.union([
  z.strictObject({
    finding: EventTypeName,
    temporal_weight: z.number(),
    occurred_at: InstantText.optional(),
    prevented_by: LinkFactors.shape.prevented_by,
  }),
  z.strictObject({
    episode: EventTypeName,
    episode_id: z.string(),
    temporal_weight: z.number(),
    occurred_at: InstantText,
    prevented_by: LinkFactors.shape.prevented_by,
  }),
])
export type ChainStart = z.infer<typeof ChainStart>

/** A path over 1 to 5 CAUSES edges from a start to an outcome event, with every factor of its score. */
export const Chain = z.strictObject({
  outcome: EventTypeName,
  score: z.number().meta({ description: 'exp(-cost / 1e9), six decimals.' }),
  threshold: z.number(),
  confidence: Confidence,
  weakest_link: z.string().meta({ description: 'The fact or edge whose confidence is the smallest.' }),
  rule: RuleVersionId.optional(),
  start: ChainStart,
  links: z.array(Link).min(1).max(5),
})
export type Chain = z.infer<typeof Chain>
