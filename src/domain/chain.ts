import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { Relation } from './knowledge.ts'
import { EdgeVersionId, EventTypeName, RuleVersionId } from './names.ts'
import { InstantText } from './time.ts'

/** What lessens a node of a chain. */
export const Prevention = z
  .strictObject({
    start: z.string().meta({ description: 'The finding or episode it comes from.' }),
    edge: EdgeVersionId.meta({ description: 'The PREVENTS edge.' }),
    strength: z.number().meta({ description: 'Effective strength p; multiplies by 1 - p.' }),
  })
  .meta({ description: 'The strongest PREVENTS onto a node.' })

/** How one link got its strength: each factor is shown. */
export const LinkFactors = z
  .strictObject({
    base: z.number().meta({ description: 'Base strength of the edge.' }),
    recurrence: z
      .strictObject({
        count: z.int().meta({ description: 'Episodes the subject had.' }),
        at_least: z.int().meta({ description: 'Episodes it takes.' }),
        within_days: z.number().meta({ description: 'The days they are counted over.' }),
        strength: z.number().meta({ description: 'The strength that stands in place of the base.' }),
      })
      .optional()
      .meta({ description: 'Present when recurrence replaced the base strength.' }),
    validity: z.enum(['in force', 'deprecated']).meta({
      description:
        'Whether the edge was in force when the application was received; a deprecated one has 0.1 at most.',
    }),
    prevented_by: Prevention.optional().meta({
      description:
        'The strongest PREVENTS onto the node that this link leads to; multiplies by 1 - strength.',
    }),
  })
  .meta({ description: 'The factors that made the strength of a link.' })
export type LinkFactors = z.infer<typeof LinkFactors>

export const Link = z
  .strictObject({
    from: EventTypeName.meta({ description: 'Event type it leads from.' }),
    relation: Relation,
    to: EventTypeName.meta({ description: 'Event type it leads to.' }),
    strength: z.number().meta({ description: 'Strength with all factors but prevention.' }),
    factors: LinkFactors,
    source: z.string().meta({ description: 'The regulation or paper that the edge rests on.' }),
    edge: EdgeVersionId.meta({ description: 'The version of the edge that was walked.' }),
    confidence: Confidence.meta({ description: 'How sure the edge is.' }),
  })
  .meta({ description: 'One step of a chain.' })
export type Link = z.infer<typeof Link>

const temporalWeight = z
  .number()
  .meta({ description: 'exp(-days / tau) of when it happened; 1 for a finding without a date.' })

/** Where a chain starts: a rule's finding, or a stored or posted episode. */
export const ChainStart = z
  .union([
    z.strictObject({
      finding: EventTypeName.meta({ description: 'What a rule found.' }),
      temporal_weight: temporalWeight,
      occurred_at: InstantText.optional().meta({ description: 'When the fact that dates it happened.' }),
      prevented_by: Prevention.optional().meta({ description: 'What lessens the start itself.' }),
    }),
    z.strictObject({
      episode: EventTypeName.meta({ description: 'Type of the episode.' }),
      episode_id: z.string().meta({ description: "The episode's identity." }),
      temporal_weight: temporalWeight,
      occurred_at: InstantText.meta({ description: 'When it happened.' }),
      prevented_by: Prevention.optional().meta({ description: 'What lessens the start itself.' }),
    }),
  ])
  .meta({ description: "Where a chain starts: a rule's finding, or an episode." })
export type ChainStart = z.infer<typeof ChainStart>

/** A path over 1 to 5 CAUSES edges from a start to an outcome event, with every factor of its score. */
export const Chain = z
  .strictObject({
    outcome: EventTypeName.meta({ description: 'The outcome event it reaches.' }),
    score: z.number().meta({ description: 'exp(-cost / 1e9), six decimals.' }),
    threshold: z.number().meta({ description: 'Score from which the outcome holds.' }),
    confidence: Confidence.meta({ description: 'Smallest confidence of the start and the edges.' }),
    weakest_link: z.string().meta({ description: 'The fact or edge whose confidence is the smallest.' }),
    rule: RuleVersionId.optional().meta({ description: 'The rule whose finding starts it.' }),
    start: ChainStart,
    links: z.array(Link).min(1).max(5).meta({ description: 'The steps, first to last.' }),
  })
  .meta({ description: 'A causal chain from what was observed to an outcome.' })
export type Chain = z.infer<typeof Chain>
