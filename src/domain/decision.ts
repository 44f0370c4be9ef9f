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

/** Why an approval or counteroffer is not given although nothing adverse held. */
export const Bar = z
  .strictObject({
    kind: z
      .enum([
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
        'deadline_passed',
      ])
      .meta({ description: 'What kind of obstacle it is.' }),
    what: z.string().meta({ description: 'The rule, edge or fact in the way.' }),
    text: BilingualText.meta({ description: 'The same as a sentence.' }),
  })
  .meta({ description: 'Why an approval or counteroffer is not given although nothing adverse held.' })
export type Bar = z.infer<typeof Bar>

export const Reason = z
  .strictObject({
    code: z.string().meta({ description: "Code of the policy's `reasons.yaml`." }),
    hmda: z.int().optional().meta({ description: 'HMDA denial reason, 1 to 9.' }),
    rule: RuleVersionId.meta({ description: 'The rule that gives it.' }),
    score: z.number().meta({ description: "Score of the rule's strongest chain to the outcome." }),
    text: BilingualText.meta({ description: 'The sentence, with value and limit.' }),
    facts: z.record(FactName, z.string()).meta({ description: 'The values behind the sentence.' }),
  })
  .meta({ description: 'A specific reason, with its numbers.' })
export type Reason = z.infer<typeof Reason>

/** Other terms on which the loan would be granted: the facts offered anew, with their values. */
export const Offer = z
  .strictObject({
    code: z.string().meta({ description: "Code of the policy's `reasons.yaml`." }),
    rule: RuleVersionId.meta({ description: 'The rule that offers it.' }),
    text: BilingualText.meta({ description: 'The offer as a sentence.' }),
    terms: z.record(FactName, FactValue).meta({ description: 'The facts offered anew, with their values.' }),
  })
  .meta({ description: 'Other terms on which the loan would be granted.' })
export type Offer = z.infer<typeof Offer>

export const BelievedFact = z
  .strictObject({
    state: z
      .enum(['known', 'none', 'unknown', 'error'])
      .meta({ description: '`none`: asked, and there is none; `unknown`: absent, too weak or failed.' }),
    value: FactValue.nullable().meta({ description: 'The value believed; null unless known.' }),
    unit: z.string().optional().meta({ description: 'Unit or currency.' }),
    confidence: Confidence.optional().meta({ description: 'Confidence with freshness applied.' }),
    source: SourceName.optional().meta({ description: 'The source believed; absent for a derived fact.' }),
    version: z.int().optional().meta({ description: 'The version believed; absent for a derived fact.' }),
    why: z.string().optional().meta({ description: 'Why it is unknown or failed.' }),
    rows: z.array(z.string()).optional().meta({
      description: 'Of a fact that a decision table yields: the rows that matched, by name or number.',
    }),
    weaker_claims: z
      .array(
        z.strictObject({
          source: SourceName.meta({ description: 'Who says so.' }),
          value: FactValue.nullable().meta({ description: 'The other value; null for none.' }),
          confidence: Confidence.meta({ description: 'Confidence with freshness applied.' }),
          version: z.int().meta({ description: 'The version that says so.' }),
        }),
      )
      .optional()
      .meta({
        description: 'What other sources say that is not believed, heaviest first; absent when none differs.',
      }),
  })
  .meta({ description: 'What the decision believed of a fact.' })
export type BelievedFact = z.infer<typeof BelievedFact>

export const Missing = z
  .strictObject({
    fact: FactName.meta({ description: 'The fact that is missing or weak.' }),
    why: z.string().meta({ description: 'Why it does not count.' }),
    needed_by: z
      .array(z.string())
      .meta({ description: '`required`, or rule versions that stay unknown without it.' }),
    obtainable: z.boolean().meta({ description: 'Whether anybody can still supply it.' }),
    supplied_by: BilingualText.meta({ description: 'What would supply it.' }),
  })
  .meta({ description: 'A piece of evidence that is missing.' })
export type Missing = z.infer<typeof Missing>

export const Reading = z
  .strictObject({
    keeps: z
      .record(FactName, z.string())
      .meta({ description: 'For each contested fact, the source whose value this reading keeps.' }),
    decision: DecisionKind.meta({ description: 'What would be decided under this reading.' }),
    reasons: z.array(Reason).meta({ description: 'Its reasons.' }),
  })
  .meta({ description: 'The application under one reading of its contested facts.' })
export type Reading = z.infer<typeof Reading>

/** The answer to one application. `record` is added once it is durable. */
export const Answer = z
  .strictObject({
    decision_id: z.string().meta({ description: 'Id of the decision.', readOnly: true }),
    application_id: CallerId.meta({ description: 'Your id of the application.' }),
    policy: z
      .strictObject({
        policy: PolicyName.meta({ description: 'Its name.' }),
        version: z.string().meta({ description: 'Its version.' }),
      })
      .meta({ description: 'The policy that decided.' }),
    decision: DecisionKind,
    confidence: Confidence.meta({ description: 'Overall confidence of the decision.' }),
    received_at: InstantText.meta({ description: 'When the application was received.' }),
    as_of: InstantText.meta({
      description: 'The one clock reading of the decision: drives decay and freshness.',
      readOnly: true,
    }),
    known_at: InstantText.meta({
      description: 'What the service knew by then was considered.',
      readOnly: true,
    }),
    chains: z
      .array(Chain)
      .max(20)
      .meta({ description: 'The chains of the deciding outcome, strongest first, 20 at most.' }),
    chains_omitted: z.int().meta({ description: 'Chains of the deciding outcome beyond those shown.' }),
    other_outcomes: z.array(Chain).meta({ description: 'The strongest chain to each other outcome.' }),
    strongest_adverse: z
      .strictObject({
        chain: Chain.meta({ description: 'The chain.' }),
        distance: z.number().meta({ description: 'threshold - score' }),
      })
      .nullable()
      .meta({ description: 'Of an approval: the strongest adverse chain and how far it stayed below.' }),
    excluded: z
      .array(
        z.strictObject({
          outcome: EventTypeName.meta({ description: 'The outcome that would have been reached.' }),
          start: z.string().meta({ description: 'The finding or episode it starts from.' }),
          edges: z.array(Link).meta({ description: 'The edges in the way.' }),
          score_without_gates: z.number().meta({ description: 'Score had they been walked.' }),
        }),
      )
      .meta({ description: 'Edges not walked because their start is not sure enough; they bar approval.' }),
    context: z
      .array(Link)
      .meta({ description: 'ACCOMPANIES edges beside the chains; they carry no causality.' }),
    reasons: z
      .array(Reason)
      .max(4)
      .meta({ description: 'Principal reasons, strongest first, that may be told.' }),
    internal_reasons: z
      .array(Reason)
      .meta({ description: "For the lender's own staff; never told to the applicant." }),
    conditions: z.array(Reason).meta({ description: 'Conditions of an approval.' }),
    offer: Offer.nullable().meta({ description: 'Other terms; null unless a counteroffer.' }),
    checks_passed: z.array(z.string()).meta({ description: 'Required facts that were found good.' }),
    bars: z.array(Bar).meta({ description: 'What bars an approval or counteroffer.' }),
    advice: z
      .strictObject({
        decision: DecisionKind.meta({ description: 'What the later entries would have decided.' }),
        reasons: z.array(Reason).meta({ description: 'Its reasons.' }),
      })
      .nullable()
      .meta({ description: 'Of a review or hold: advice for the person who decides; never the decision.' }),
    readings: z
      .array(Reading)
      .meta({ description: 'What each reading of contested facts gives; empty when nothing is contested.' }),
    rules: z
      .strictObject({
        set: Sha256.meta({ description: 'The rule set, by the hash of its content.' }),
        fired: z.array(RuleVersionId).meta({ description: 'Rules that fired.' }),
        not_fired: z.int().meta({ description: 'How many did not.' }),
        not_applicable: z.array(RuleVersionId).meta({ description: 'Rules that do not apply.' }),
        unknown: z
          .array(
            z.strictObject({
              rule: RuleVersionId.meta({ description: 'The rule.' }),
              facts: z.array(FactName).meta({ description: 'The facts it lacks.' }),
            }),
          )
          .meta({ description: 'Rules that could not be evaluated.' }),
        errors: z
          .array(
            z.strictObject({
              rule: RuleVersionId.meta({ description: 'The rule.' }),
              why: z.string().meta({ description: 'What went wrong.' }),
            }),
          )
          .meta({ description: 'Rules that failed; a failing rule never reads as passed.' }),
        not_in_force: z
          .array(z.string())
          .meta({ description: 'Rules of which no version was in force when the application was received.' }),
      })
      .meta({ description: 'How every rule of the policy ended.' }),
    facts: z
      .strictObject({
        believed: z.record(FactName, BelievedFact).meta({ description: 'What was believed, by fact.' }),
        contested: z
          .array(
            z.strictObject({
              facts: z.array(FactName).meta({ description: 'The facts that contradict each other.' }),
              readings: z
                .array(
                  z.strictObject({
                    fact: FactName.meta({ description: 'Which fact.' }),
                    source: SourceName.meta({ description: 'Who says so.' }),
                    value: FactValue.nullable().meta({ description: 'What it says; null: there is none.' }),
                    confidence: Confidence.meta({ description: 'How sure it is.' }),
                  }),
                )
                .meta({ description: 'Who says what.' }),
            }),
          )
          .meta({ description: 'Contradictions between sources.' }),
        missing: z.array(Missing).meta({ description: 'Evidence that is missing or weak.' }),
      })
      .meta({ description: 'What the decision knew.' }),
    next_steps: z.array(BilingualText).meta({ description: 'What to do now.' }),
    warnings: z.array(z.string()).meta({ description: 'What an operator should look at.' }),
    graph_position: GraphPosition,
  })
  .meta({ description: 'The answer to one application, with its causes.' })
export type Answer = z.infer<typeof Answer>

export const RecordReference = z
  .strictObject({
    writer: z.string().meta({ description: 'Who wrote the ledger it stands in.' }),
    seq: z.int().meta({ description: 'Its number there.' }),
    hash: Sha256.meta({ description: 'Hash of the record; names its content.' }),
  })
  .meta({ description: 'Place of the decision in the audit ledger.', readOnly: true })
export type RecordReference = z.infer<typeof RecordReference>

export const RecordedAnswer = Answer.extend({ record: RecordReference }).meta({
  description: 'The answer to one application, with its causes and its place in the ledger.',
})
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
  /** The total deadline passed while it was decided: no approval. */
  late: z.boolean().optional(),
})
export type DecisionInputs = z.infer<typeof DecisionInputs>
