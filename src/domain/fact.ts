import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { CallerId, FactName, Name, SourceName } from './names.ts'
import { InstantText } from './time.ts'

export const FactType = z
  .enum([
    'text',
    'enum',
    'boolean',
    'integer',
    'number',
    'ratio',
    'money',
    'date',
    'instant',
    'duration',
    'list',
    'object',
  ])
  .meta({ description: 'Type of a fact, as its declaration says.' })
export type FactType = z.infer<typeof FactType>

/** Types whose values are decimals, held as decimal text. */
export const decimalTypes: ReadonlySet<FactType> = new Set(['integer', 'number', 'ratio', 'money'])

/**
 * A checked value. What it means is said by the fact's declared type: decimals are decimal text, dates
 * `YYYY-MM-DD`, instants UTC with milliseconds, durations whole days as `P45D`.
 */
export type FactValue = string | boolean | readonly FactValue[] | { readonly [field: string]: FactValue }
export const FactValue: z.ZodType<FactValue> = z
  .lazy(() => z.union([z.string(), z.boolean(), z.array(FactValue), z.record(z.string(), FactValue)]))
  .meta({
    description:
      'A checked value. Numbers and amounts are decimal text, so that nothing is lost; days are `YYYY-MM-DD`, times UTC, durations whole days such as `P45D`.',
  })

/** How a reading was made; `confidence defaults` in `sources.yaml` are per method. */
export const Method = Name

/**
 * One version of a fact in an application's working memory. `value` null: asked, and there is none.
 * `confidence` is stamped (smaller of stated and trust); freshness is applied when it is read.
 */
export const FactVersion = z
  .strictObject({
    application_id: CallerId.meta({ description: 'The application it belongs to.' }),
    fact: FactName.meta({ description: 'Which fact.' }),
    version: z.int().min(1).meta({ description: '1, 2, 3 … for each fact of the application.' }),
    type: FactType.meta({ description: 'Type as declared when it was recorded.' }),
    value: FactValue.nullable().meta({ description: 'The value; null: asked, and there is none.' }),
    unit: z.string().nullable().meta({ description: 'Unit or currency; null: without one.' }),
    confidence: Confidence.meta({
      description: 'Smaller of the confidence stated and the trust in the source.',
    }),
    source: SourceName.meta({ description: 'Who said it.' }),
    method: Method.nullable().meta({ description: 'How it was read, such as `ocr`; null: not stated.' }),
    corrects: SourceName.nullable().meta({
      description: 'The source whose earlier version of this fact it says is wrong; null: none.',
    }),
    observed_at: InstantText.meta({ description: 'When it was so.' }),
    recorded_at: InstantText.meta({ description: 'When the service learned it.' }),
  })
  .meta({ description: "One version of a fact in an application's working memory." })
export type FactVersion = z.infer<typeof FactVersion>

/** What the rules see of a fact: one of three states, or a derivation that failed. */
export type FactState =
  | {
      readonly state: 'known'
      readonly value: FactValue
      readonly confidence: number
      /** How the believed reading was made; absent where it states none, and of what is worked out. */
      readonly method?: string | null
      /** Of what a decision table yields: the rows that matched, by name or number. */
      readonly rows?: readonly string[]
    }
  | { readonly state: 'none'; readonly confidence: number }
  | { readonly state: 'unknown'; readonly why: string; readonly missing: readonly string[] }
  | { readonly state: 'error'; readonly why: string }
