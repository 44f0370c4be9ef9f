import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { DecimalText } from './decimal.ts'
import { Answer, DecisionRequest, JsonNumber, RawValue } from './decision.ts'
import { FactValue } from './fact.ts'
import { GraphPosition } from './knowledge.ts'
import { BilingualText, FactName, Sha256, SourceName } from './names.ts'
import { DecisionKind } from './policy.ts'
import { InstantText } from './time.ts'

const sequenceInput = z.instanceof(JsonNumber).transform((number, context) => {
  if (/^\d{1,15}$/.test(number.text)) return Number(number.text)
  context.addIssue({ code: 'custom', message: `expected a whole number from 0 up; got \`${number.text}\`` })
  return z.NEVER
})

/** What a what-if changes. A changed fact replaces every version of that fact. */
export const Changes = z.strictObject({
  /** A bare value, `null` (none), a reading, or several readings of several sources. */
  facts: z.record(FactName, RawValue).optional(),
  remove_facts: z.array(FactName).max(2000).optional(),
  as_of: InstantText.optional(),
  received_at: InstantText.optional(),
  /** Hash of a rule set that the service has had. */
  rule_set: Sha256.optional(),
  /** A position at which a migration ended, as answers name it; 0: no knowledge. */
  graph_position: z
    .strictObject({ sequence: sequenceInput, migration: z.string().nullable().optional() })
    .optional(),
})
export type Changes = z.infer<typeof Changes>

export const WhatIfOfDecision = z.strictObject({
  decision_id: z.string().min(1).max(200),
  changes: Changes,
})
export const WhatIfOfRequest = z.strictObject({ request: DecisionRequest, changes: Changes })

/** `POST /v1/decisions/what-if`: on a recorded decision, or on a request as `POST /v1/decisions` takes it. */
export const WhatIfRequest = z.union([WhatIfOfDecision, WhatIfOfRequest])
export type WhatIfRequest = z.infer<typeof WhatIfRequest>

function change<T extends z.ZodType>(of: T) {
  return z.strictObject({ from: of, to: of }).nullable()
}

/** The changes as they were understood; null: as before. */
export const Changed = z.strictObject({
  facts: z
    .record(
      FactName,
      z.array(
        z.strictObject({
          value: FactValue.nullable(),
          unit: z.string().nullable(),
          confidence: Confidence,
          source: SourceName,
          observed_at: InstantText,
        }),
      ),
    )
    .meta({ description: 'The readings that stand in place of all versions; empty: unknown.' }),
  removed_facts: z.array(FactName),
  unreadable_facts: z
    .array(FactName)
    .meta({ description: 'Facts whose recorded values do not fit their declaration in the rule set asked for.' }),
  as_of: change(InstantText),
  received_at: change(InstantText),
  rule_set: change(Sha256),
  graph_position: change(GraphPosition),
})
export type Changed = z.infer<typeof Changed>

/** Answer of a what-if. It has no record, and its `decision_id` (`hypothetical`) names no decision. */
export const WhatIfAnswer = Answer.extend({
  hypothetical: z.literal(true),
  changed: Changed,
  base: z.strictObject({ decision_id: z.string(), decision: DecisionKind }).nullable(),
})
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>

/** The smallest change of one fact that gives a better decision: `steps` steps do, one step less does not. */
export const Counterfactual = z.strictObject({
  hypothetical: z.literal(true),
  fact: FactName,
  from: DecimalText,
  to: DecimalText,
  unit: z.string().nullable(),
  step: DecimalText,
  steps: z.int().min(1),
  with: z
    .record(FactName, z.strictObject({ from: FactValue, to: FactValue, unit: z.string().nullable() }))
    .meta({ description: 'Other facts that change with it.' }),
  decision: DecisionKind,
  text: BilingualText,
})
export type Counterfactual = z.infer<typeof Counterfactual>

/** Why there is no counterfactual. */
export const NoCounterfactual = z.strictObject({
  code: z.enum(['approved', 'not_offered', 'nothing_changeable', 'none_found', 'search_ended']),
  text: BilingualText,
})
export type NoCounterfactual = z.infer<typeof NoCounterfactual>

/** Answer of `POST /v1/decisions/{id}/counterfactual`. Exactly one of `counterfactual` and `why_none` is null. */
export const CounterfactualAnswer = z.strictObject({
  decision_id: z.string(),
  decision: DecisionKind,
  counterfactual: Counterfactual.nullable(),
  why_none: NoCounterfactual.nullable(),
})
export type CounterfactualAnswer = z.infer<typeof CounterfactualAnswer>
