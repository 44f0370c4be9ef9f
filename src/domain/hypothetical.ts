import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { DecimalText } from './decimal.ts'
import { Answer } from './decision.ts'
import { FactValue } from './fact.ts'
import { GraphPosition } from './knowledge.ts'
import { BilingualText, FactName, Sha256, SourceName } from './names.ts'
import { DecisionKind } from './policy.ts'
import { DecisionRequest, FactsInput, JsonNumber } from './request.ts'
import { InstantText } from './time.ts'

const sequenceInput = z
  .instanceof(JsonNumber, { error: 'expected a whole number from 0 up' })
  .meta({ type: 'integer' })
  .transform((number, context) => {
    if (/^\d{1,15}$/.test(number.text)) return Number(number.text)
    context.addIssue({
      code: 'custom',
      message: `expected a whole number from 0 up; got \`${number.text}\``,
    })
    return z.NEVER
  })
  .meta({
    minimum: 0,
    maximum: 999_999_999_999_999,
    description: 'Length of the log of changes; 0: no knowledge.',
  })

/** What a what-if changes. A changed fact replaces every version of that fact. */
export const Changes = z
  .strictObject({
    facts: FactsInput.optional(),
    remove_facts: z
      .array(FactName)
      .max(2000)
      .optional()
      .meta({ description: 'Facts to take away, so that they are unknown.' }),
    as_of: InstantText.optional().meta({ description: 'Another clock reading; not in the future.' }),
    received_at: InstantText.optional().meta({
      description: 'Another day of receipt: selects the rules and regulations in force.',
    }),
    rule_set: Sha256.optional().meta({
      description: 'A rule set that the service has had, as answers name it.',
    }),
    graph_position: z
      .strictObject({
        sequence: sequenceInput,
        migration: z
          .string()
          .nullable()
          .optional()
          .meta({ description: 'The migration that ended there; only checked.' }),
      })
      .optional()
      .meta({ description: 'A position at which a migration ended, as answers name it.' }),
  })
  .meta({ description: 'What is to be otherwise. A changed fact replaces every version of that fact.' })
export type Changes = z.infer<typeof Changes>

export const WhatIfOfDecision = z
  .strictObject({
    decision_id: z.string().min(1).max(200).meta({ description: 'The recorded decision it starts from.' }),
    changes: Changes,
  })
  .meta({ description: 'Of a recorded decision.' })
export const WhatIfOfRequest = z
  .strictObject({
    request: DecisionRequest.meta({
      description: 'The application it starts from; nothing of it is stored.',
    }),
    changes: Changes,
  })
  .meta({ description: 'Of an application.' })

/** `POST /v1/decisions/what-if`: on a recorded decision, or on a request as `POST /v1/decisions` takes it. */
export const WhatIfRequest = z
  .union([WhatIfOfDecision, WhatIfOfRequest])
  .meta({ description: 'What would be decided if something were otherwise?' })
export type WhatIfRequest = z.infer<typeof WhatIfRequest>

function change<T extends z.ZodType>(of: T, what: string) {
  return z
    .strictObject({
      from: of.meta({ description: 'As it was.' }),
      to: of.meta({ description: 'As it is supposed.' }),
    })
    .nullable()
    .meta({ description: `${what}; null: as before.` })
}

/** The changes as they were understood; null: as before. */
export const Changed = z
  .strictObject({
    facts: z
      .record(
        FactName,
        z.array(
          z.strictObject({
            value: FactValue.nullable().meta({ description: 'The value; null: there is none.' }),
            unit: z.string().nullable().meta({ description: 'Unit or currency; null: without one.' }),
            confidence: Confidence.meta({ description: 'How sure it is supposed to be.' }),
            source: SourceName.meta({ description: 'Who is supposed to say it.' }),
            observed_at: InstantText.meta({ description: 'When it is supposed to be so.' }),
          }),
        ),
      )
      .meta({ description: 'The readings that stand in place of all versions; empty: unknown.' }),
    removed_facts: z.array(FactName).meta({ description: 'Facts taken away.' }),
    unreadable_facts: z.array(FactName).meta({
      description: 'Facts whose recorded values do not fit their declaration in the rule set asked for.',
    }),
    as_of: change(InstantText, 'The clock reading'),
    received_at: change(InstantText, 'The day of receipt'),
    rule_set: change(Sha256, 'The rule set'),
    graph_position: change(GraphPosition, 'The causal knowledge'),
  })
  .meta({ description: 'The changes as they were understood.' })
export type Changed = z.infer<typeof Changed>

/** Answer of a what-if. It has no record, and its `decision_id` (`hypothetical`) names no decision. */
export const WhatIfAnswer = Answer.extend({
  hypothetical: z.literal(true).meta({ description: 'Always true: nothing was decided.' }),
  changed: Changed,
  base: z
    .strictObject({
      decision_id: z.string().meta({ description: 'Its id.' }),
      decision: DecisionKind.meta({ description: 'What was decided.' }),
    })
    .nullable()
    .meta({ description: 'The recorded decision it starts from; null: a request.' }),
}).meta({ description: 'What would be decided; its `decision_id` names no decision.' })
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>

/** The smallest change of one fact that gives a better decision: `steps` steps do, one step less does not. */
export const Counterfactual = z
  .strictObject({
    hypothetical: z.literal(true).meta({ description: 'Always true: nothing was decided.' }),
    fact: FactName.meta({ description: 'The fact to change.' }),
    from: DecimalText.meta({ description: 'Its value in the decision.' }),
    to: DecimalText.meta({ description: 'The first value that gives a better decision.' }),
    unit: z.string().nullable().meta({ description: 'Unit or currency; null: without one.' }),
    step: DecimalText.meta({ description: 'The step in which it may change.' }),
    steps: z.int().min(1).meta({ description: 'How many steps it takes; one less does not do.' }),
    with: z
      .record(
        FactName,
        z.strictObject({
          from: FactValue.meta({ description: 'Its value in the decision.' }),
          to: FactValue.meta({ description: 'Its value then.' }),
          unit: z.string().nullable().meta({ description: 'Unit or currency; null: without one.' }),
        }),
      )
      .meta({ description: 'Other facts that change with it.' }),
    decision: DecisionKind.meta({ description: 'What would be decided then.' }),
    text: BilingualText.meta({ description: 'The same as a sentence.' }),
  })
  .meta({ description: 'The smallest change of one fact that gives a better decision.' })
export type Counterfactual = z.infer<typeof Counterfactual>

/** Why there is no counterfactual. */
export const NoCounterfactual = z
  .strictObject({
    code: z
      .enum(['approved', 'not_offered', 'nothing_changeable', 'none_found', 'search_ended'])
      .meta({ description: 'For programs.' }),
    text: BilingualText.meta({ description: 'The same as a sentence.' }),
  })
  .meta({ description: 'Why there is no counterfactual.' })
export type NoCounterfactual = z.infer<typeof NoCounterfactual>

/** Answer of `POST /v1/decisions/{id}/counterfactual`. Exactly one of `counterfactual` and `why_none` is null. */
export const CounterfactualAnswer = z
  .strictObject({
    decision_id: z.string().meta({ description: 'The decision asked about.' }),
    decision: DecisionKind.meta({ description: 'What was decided.' }),
    counterfactual: Counterfactual.nullable().meta({ description: 'The change; null: there is none.' }),
    why_none: NoCounterfactual.nullable().meta({ description: 'Why there is none; null: there is one.' }),
    complete: z
      .boolean()
      .meta({ description: 'False: the search ended early; a smaller change may have been missed.' }),
  })
  .meta({ description: 'The smallest change that gives a better decision, or why there is none.' })
export type CounterfactualAnswer = z.infer<typeof CounterfactualAnswer>

/** A body that has nothing to say. */
export const NoFields = z.strictObject({}).meta({ description: 'The empty object.' })
