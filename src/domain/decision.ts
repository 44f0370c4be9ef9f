import { z } from 'zod'
import { Chain, Link } from './chain.ts'
import { Confidence } from './confidence.ts'
import { Episode } from './episode.ts'
import { FactValue, FactVersion } from './fact.ts'
import { GraphPosition } from './knowledge.ts'
import {
  BilingualText,
  CallerId,
  EventTypeName,
  FactName,
  Name,
  PolicyName,
  RuleVersionId,
  Sha256,
  SourceName,
} from './names.ts'
import { DecisionKind } from './policy.ts'
import { InstantText } from './time.ts'

/**
 * A JSON value as it arrived, its numbers kept as exact text. `readBody` (HTTP) and `readJson` (CLI) make it, so
 * that no amount passes through binary floating point.
 */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const JsonNumberSchema = z.instanceof(JsonNumber)
const scalar = z.union([z.string().max(10_000), z.boolean(), z.null(), JsonNumberSchema])
export type RawValue =
  | string
  | boolean
  | null
  | JsonNumber
  | readonly RawValue[]
  | { readonly [key: string]: RawValue }
export const RawValue: z.ZodType<RawValue> = z.lazy(() =>
  z.union([scalar, z.array(RawValue).max(10_000), z.record(z.string(), RawValue)]),
)

const confidenceInput = JsonNumberSchema.transform((number, context) => {
  const value = Number(number.text)
  if (value >= 0 && value <= 1) return value
  context.addIssue({ code: 'custom', message: `expected a confidence from 0 to 1; got \`${number.text}\`` })
  return z.NEVER
})

/** A reading of a fact as a caller posts it; a bare value stands for `{value}`. */
export const ReadingInput = z.strictObject({
  value: RawValue,
  unit: z.string().min(1).max(20).optional(),
  confidence: confidenceInput.optional(),
  source: SourceName.optional(),
  method: Name.optional(),
  observed_at: InstantText.optional(),
})
export type ReadingInput = z.infer<typeof ReadingInput>

export const EpisodeInput = z.strictObject({
  id: CallerId.optional(),
  type: EventTypeName,
  occurred_at: InstantText,
  valid_until: InstantText.optional(),
  attributes: z.record(Name, RawValue).optional(),
  confidence: confidenceInput.optional(),
  source: SourceName.optional(),
})
export type EpisodeInput = z.infer<typeof EpisodeInput>

/** `POST /v1/decisions`. Facts are a bare value, a reading, or several readings of several sources. */
export const DecisionRequest = z.strictObject({
  application_id: CallerId,
  policy: PolicyName,
  received_at: InstantText,
  subject: z.strictObject({ id: CallerId }).optional(),
  facts: z.record(FactName, RawValue),
  episodes: z.array(EpisodeInput).max(1000).optional(),
  consents: z.array(Name).max(100).optional(),
})
export type DecisionRequest = z.infer<typeof DecisionRequest>

/** Why an approval or counteroffer is not given although nothing adverse held. */
export const Bar = z.strictObject({
  kind: z.enum([
    'rule_unknown',
    'rule_error',
    'search_cut',
    'gated_edge',
    'no_walkable_chain',
    'broken_edge',
    'confidence_low',
    'confidence_far_too_low',
    'contested',
    'not_covered',
  ]),
  what: z.string(),
  text: BilingualText,
})
export type Bar = z.infer<typeof Bar>

export const Reason = z.strictObject({
  code: z.string(),
  hmda: z.int().optional(),
  rule: RuleVersionId,
  score: z.number(),
  text: BilingualText,
  facts: z.record(FactName, z.string()).meta({ description: 'The values behind the sentence.' }),
})
export type Reason = z.infer<typeof Reason>

/** Other terms on which the loan would be granted: the facts offered anew, with their values. */
export const Offer = z.strictObject({
  code: z.string(),
  rule: RuleVersionId,
  text: BilingualText,
  terms: z.record(FactName, FactValue),
})
export type Offer = z.infer<typeof Offer>

export const BelievedFact = z.strictObject({
  state: z.enum(['known', 'none', 'unknown', 'error']),
  value: FactValue.nullable(),
  unit: z.string().optional(),
  confidence: Confidence.optional(),
  source: SourceName.optional(),
  version: z.int().optional(),
  why: z.string().optional(),
})
export type BelievedFact = z.infer<typeof BelievedFact>

export const Missing = z.strictObject({
  fact: FactName,
  why: z.string(),
  needed_by: z
    .array(z.string())
    .meta({ description: '`required`, or rule versions that stay unknown without it.' }),
  obtainable: z.boolean(),
  supplied_by: BilingualText,
})
export type Missing = z.infer<typeof Missing>

export const Reading = z.strictObject({
  keeps: z
    .record(FactName, z.string())
    .meta({ description: 'For each contested fact, the source whose value this reading keeps.' }),
  decision: DecisionKind,
  reasons: z.array(Reason),
})
export type Reading = z.infer<typeof Reading>

/** The answer to one application. `record` is added once it is durable. */
export const Answer = z.strictObject({
  decision_id: z.string(),
  application_id: CallerId,
  policy: z.strictObject({ policy: PolicyName, version: z.string() }),
  decision: DecisionKind,
  confidence: Confidence,
  received_at: InstantText,
  as_of: InstantText,
  known_at: InstantText,
  chains: z.array(Chain).max(20),
  chains_omitted: z.int(),
  other_outcomes: z.array(Chain),
  strongest_adverse: z
    .strictObject({ chain: Chain, distance: z.number().meta({ description: 'threshold - score' }) })
    .nullable(),
  excluded: z.array(
    z.strictObject({
      outcome: EventTypeName,
      start: z.string(),
      edges: z.array(Link),
      score_without_gates: z.number(),
    }),
  ),
  context: z
    .array(Link)
    .meta({ description: 'ACCOMPANIES edges beside the chains; they carry no causality.' }),
  reasons: z.array(Reason).max(4),
  /** For the lender's own staff; never told to the applicant. */
  internal_reasons: z.array(Reason),
  conditions: z.array(Reason),
  offer: Offer.nullable(),
  checks_passed: z.array(z.string()),
  bars: z.array(Bar),
  advice: z.strictObject({ decision: DecisionKind, reasons: z.array(Reason) }).nullable(),
  readings: z.array(Reading),
  rules: z.strictObject({
    set: Sha256,
    fired: z.array(RuleVersionId),
    not_fired: z.int(),
    not_applicable: z.array(RuleVersionId),
    unknown: z.array(z.strictObject({ rule: RuleVersionId, facts: z.array(FactName) })),
    errors: z.array(z.strictObject({ rule: RuleVersionId, why: z.string() })),
    not_in_force: z.array(z.string()),
  }),
  facts: z.strictObject({
    believed: z.record(FactName, BelievedFact),
    contested: z.array(
      z.strictObject({
        facts: z.array(FactName),
        readings: z.array(
          z.strictObject({
            fact: FactName,
            source: SourceName,
            value: FactValue.nullable(),
            confidence: Confidence,
          }),
        ),
      }),
    ),
    missing: z.array(Missing),
  }),
  next_steps: z.array(BilingualText),
  warnings: z.array(z.string()),
  graph_position: GraphPosition,
})
export type Answer = z.infer<typeof Answer>

export const RecordReference = z.strictObject({ writer: z.string(), seq: z.int(), hash: Sha256 })
export type RecordReference = z.infer<typeof RecordReference>

export const RecordedAnswer = Answer.extend({ record: RecordReference })
export type RecordedAnswer = z.infer<typeof RecordedAnswer>

/** All that a decision depends on: the same inputs, pack and knowledge give the same answer, byte for byte. */
export const DecisionInputs = z.strictObject({
  decision_id: z.string(),
  application_id: CallerId,
  subject_id: CallerId.nullable(),
  policy: PolicyName,
  received_at: InstantText,
  as_of: InstantText,
  known_at: InstantText,
  consents: z.array(Name),
  /** Every version in working memory the decision saw, ordered by fact, then version. */
  facts: z.array(FactVersion),
  /** The subject's episodes the decision saw, ordered by id. */
  episodes: z.array(Episode),
  /** Edges a search may examine before its deadline cut it; null: never cut. */
  edges_examined_max: z.int().nullable(),
})
export type DecisionInputs = z.infer<typeof DecisionInputs>
