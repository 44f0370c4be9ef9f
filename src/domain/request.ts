import { z } from 'zod'
import { readDecimal } from './decimal.ts'
import { CallerId, EventTypeName, FactName, Name, PolicyName, SourceName } from './names.ts'
import { InstantText } from './time.ts'

/**
 * A JSON value as it arrived, its numbers kept as exact text. `parseBody` (HTTP) and `readJson` (CLI) make it, so
 * that no amount passes through binary floating point.
 */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const JsonNumberSchema = z
  .instanceof(JsonNumber, { error: 'expected a number' })
  .meta({ type: 'number', description: 'A number, read exactly: 34 significant digits at most.' })
/** Text, true or false, `null`, or a number. */
export const RawScalar = z
  .union([z.string().max(10_000), z.boolean(), z.null(), JsonNumberSchema])
  .meta({ description: 'A text, true or false, `null`, or a number, which is read exactly.' })
export type RawValue =
  | string
  | boolean
  | null
  | JsonNumber
  | readonly RawValue[]
  | { readonly [key: string]: RawValue }
export const RawValue: z.ZodType<RawValue> = z
  .lazy(() => z.union([RawScalar, z.array(RawValue).max(10_000), z.record(z.string(), RawValue)]))
  .meta({ description: 'Any JSON value; its numbers are read exactly.' })

const confidenceInput = JsonNumberSchema.transform((number, context) => {
  const exact = readDecimal(number.text)
  if (exact?.greaterThanOrEqualTo(0) && exact.lessThanOrEqualTo(1)) return exact.toNumber()
  context.addIssue({ code: 'custom', message: `expected a confidence from 0 to 1; got \`${number.text}\`` })
  return z.NEVER
}).meta({ minimum: 0, maximum: 1, description: 'How sure the source is, from 0 to 1.' })

/** A reading of a fact as a caller posts it; a bare value stands for `{value}`. */
export const ReadingInput = z
  .strictObject({
    value: RawValue.meta({
      description: 'The value, of the type declared for the fact; null: asked, and there is none.',
    }),
    unit: z
      .string()
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'Unit or currency; must be the declared one.' }),
    confidence: confidenceInput
      .optional()
      .meta({ description: "How sure the source is; left out: the method's default." }),
    source: SourceName.optional().meta({ description: 'Who says so; left out: the calling system.' }),
    method: Name.optional().meta({ description: 'How it was read, such as `ocr` or `api`.' }),
    observed_at: InstantText.optional().meta({ description: 'When it was so; left out: now.' }),
    corrects: SourceName.optional().meta({
      description:
        'The source whose version of this fact is wrong: the applicant, a machine reading, or a disputed register.',
    }),
  })
  .meta({ description: 'One reading of a fact by one source.' })
export type ReadingInput = z.infer<typeof ReadingInput>

export const EpisodeInput = z
  .strictObject({
    id: CallerId.optional().meta({
      description: 'Its identity; left out: made of subject, type, time and source.',
    }),
    type: EventTypeName.meta({ description: 'What kind of thing happened.' }),
    occurred_at: InstantText.meta({ description: 'When it happened.' }),
    valid_until: InstantText.optional().meta({ description: 'It no longer counts from then on.' }),
    attributes: z
      .record(Name, RawValue)
      .optional()
      .meta({ description: 'What else is known of it, such as `{"days_overdue": 32}`.' }),
    confidence: confidenceInput.optional().meta({ description: 'How sure the source is.' }),
    source: SourceName.optional().meta({ description: 'Who says so; left out: the calling system.' }),
  })
  .meta({ description: 'Something that happened to the subject.' })
export type EpisodeInput = z.infer<typeof EpisodeInput>

/** Facts by name; what each value may be is said by the policy's `facts.yaml`. */
export const FactsInput = z.record(FactName, RawValue).meta({
  description:
    'Facts by name: a bare value, a reading with its source and confidence, or up to 50 readings of several sources.',
})

/** `POST /v1/decisions`. Facts are a bare value, a reading, or several readings of several sources. */
export const DecisionRequest = z
  .strictObject({
    application_id: CallerId.meta({ description: 'Your id of the application.' }),
    policy: PolicyName.meta({ description: 'The policy that decides.' }),
    received_at: InstantText.meta({
      description: 'When the application was received: selects the rules and regulations in force.',
    }),
    subject: z
      .strictObject({ id: CallerId.meta({ description: 'Your id of the person.' }) })
      .optional()
      .meta({ description: 'Whose application it is; episodes belong to a subject.' }),
    facts: FactsInput,
    episodes: z
      .array(EpisodeInput)
      .max(1000)
      .optional()
      .meta({ description: 'What happened to the subject; stored with its history.' }),
    consents: z
      .array(Name)
      .max(100)
      .optional()
      .meta({ description: 'Sources the applicant agreed to; one not listed is not given.' }),
  })
  .meta({ description: 'One application to decide.' })
export type DecisionRequest = z.infer<typeof DecisionRequest>
