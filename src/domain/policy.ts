import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { DecimalText } from './decimal.ts'
import { DecisionTable } from './decision-table.ts'
import { FactType, FactValue } from './fact.ts'
import { BilingualText, EventTypeName, FactName, Name, PolicyName, SourceName } from './names.ts'
import { ComparisonOperator, Condition, Rule } from './rule.ts'
import { DateText, ZoneName } from './time.ts'

export const DecisionKind = z
  .enum(['approve', 'counteroffer', 'manual_review', 'insufficient_evidence', 'hold', 'decline', 'stop'])
  .meta({ description: 'What follows for the application; `manual_review`: a person decides.' })
export type DecisionKind = z.infer<typeof DecisionKind>

/** One line of the precedence list. Without an event it only gives the decision its place. */
export const OutcomeEntry = z.union([
  z.strictObject({ decision: DecisionKind, event: EventTypeName, threshold: Confidence }),
  z.strictObject({ decision: DecisionKind }),
])
export type OutcomeEntry = z.infer<typeof OutcomeEntry>

/** A fact that a decision needs, always or while a condition holds. */
export const RequiredFact = z.union([FactName, z.strictObject({ fact: FactName, when: Condition })])
export type RequiredFact = z.infer<typeof RequiredFact>

export const Weights = z.strictObject({ perceived: Confidence, reasoned: Confidence, verified: Confidence })

/** `rules/<pack>/policy.yaml` */
export const Policy = z.strictObject({
  policy: PolicyName,
  version: z.string().min(1).max(40),
  zone: ZoneName,
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected a currency code such as `USD`'),
  /** The pack covers an application when this holds; otherwise `no policy covers this product`. */
  covers: Condition.optional(),
  outcomes: z.array(OutcomeEntry).min(1).max(50),
  required: z.array(RequiredFact).min(1).max(200),
  min_confidence: Confidence,
  weights: Weights,
  retired: z.array(z.string()).optional(),
})
export type Policy = z.infer<typeof Policy>

const declarationFields = {
  unit: z.string().min(1).max(20).optional(),
  en: z.string().min(1).max(200),
  zh: z.string().min(1).max(200),
}

/** Difference below which two readings agree: an amount, or a share of the larger such as `10 %`. */
export const Tolerance = z.union([
  z.strictObject({ percent: DecimalText }),
  z.strictObject({ amount: DecimalText }),
])
export type Tolerance = z.infer<typeof Tolerance>

/** Declaration of a field of an object, or of the objects of a list. */
export interface FieldDeclaration {
  readonly type: FactType
  readonly unit?: string | undefined
  readonly en?: string | undefined
  readonly zh?: string | undefined
  readonly values?: Readonly<Record<string, string[]>> | undefined
  readonly unlisted?: 'error' | 'unknown' | undefined
  readonly of?: FactType | undefined
  readonly fields?: Readonly<Record<string, FieldDeclaration>> | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly prohibited?: boolean | undefined
  readonly proxy?: boolean | undefined
}
export const FieldDeclaration: z.ZodType<FieldDeclaration> = z.lazy(() =>
  z.strictObject({
    type: FactType,
    unit: declarationFields.unit,
    en: declarationFields.en.optional(),
    zh: declarationFields.zh.optional(),
    ...valueFields,
    prohibited: z.boolean().optional(),
    proxy: z.boolean().optional(),
  }),
)

const valueFields = {
  /** Values of an enumeration, each with its synonyms. */
  values: z.record(z.string().min(1).max(100), z.array(z.string().min(1).max(100))).optional(),
  /** What an unlisted value of an enumeration means: an error (default) or unknown. */
  unlisted: z.enum(['error', 'unknown']).optional(),
  /** Type of a list's elements. */
  of: FactType.optional(),
  /** Fields of an object, or of the objects of a list; with them there are no others. */
  fields: z.record(Name, FieldDeclaration).optional(),
  min: DecimalText.optional(),
  max: DecimalText.optional(),
}

/** Declaration of one fact in `facts.yaml`; what is not declared does not exist. */
export const FactDeclaration = z.strictObject({
  type: FactType,
  ...declarationFields,
  ...valueFields,
  may_be_none: z.boolean().optional(),
  /** False: nobody can supply it any more; its absence gives manual review, not a request for evidence. */
  obtainable: z.boolean().optional(),
  /** The applicant is authoritative for it (purpose, amount, consent, objection). */
  declared: z.boolean().optional(),
  measures: Name.optional(),
  tolerance: Tolerance.optional(),
  fresh_days: z.number().min(0).max(36_500).optional(),
  fresh_tau_days: z.number().min(0.01).max(36_500).optional(),
  /** Why a reading never grows old; instead of `fresh_days`. */
  timeless: z.string().min(1).max(300).optional(),
  /** A day or time that has come to pass: one after the day of the decision is refused. */
  past: z.boolean().optional(),
  prohibited: z.boolean().optional(),
  except: z
    .array(z.strictObject({ rule: z.string(), operator: ComparisonOperator, value: FactValue }))
    .optional(),
  proxy: z.boolean().optional(),
  changeable: z
    .strictObject({ step: DecimalText, changes_with: z.record(FactName, z.string()).optional() })
    .optional(),
  /** What would supply it, for next steps. */
  supplied_by: BilingualText.optional(),
})
export type FactDeclaration = z.infer<typeof FactDeclaration>

/** How a fact is counted over the subject's stored and posted episodes. */
export const EpisodeCount = z.strictObject({
  type: EventTypeName,
  within_days: z.number().gt(0).max(36_500).optional(),
  /** Attribute tests such as `'>= 30'`, one comparison each, all of which must hold. */
  where: z.record(Name, z.string()).optional(),
  take: z.enum(['count', 'latest', 'max', 'sum']),
  attribute: Name.optional(),
})
export type EpisodeCount = z.infer<typeof EpisodeCount>

/** Where a table stands in its pack. */
export const TablePath = z
  .string()
  .regex(
    /^tables\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.ya?ml$/,
    'expected a file such as `tables/risk-points.yaml`',
  )

/** A derived fact: an expression over other facts, a count over episodes, or what a decision table yields. */
export const DerivedDeclaration = z.union([
  z.strictObject({ type: FactType, ...declarationFields, expression: z.string().min(1).max(2000) }),
  z.strictObject({ type: FactType, ...declarationFields, episodes: EpisodeCount }),
  z.strictObject({ type: FactType, ...declarationFields, table: TablePath }),
])
export type DerivedDeclaration = z.infer<typeof DerivedDeclaration>

/** `facts.yaml`. `memory`: keys that rules set. */
export const FactsFile = z.strictObject({
  facts: z.record(FactName, FactDeclaration),
  derived: z.record(FactName, DerivedDeclaration).optional(),
  memory: z.record(FactName, FactDeclaration).optional(),
})
export type FactsFile = z.infer<typeof FactsFile>

/** `sources.yaml`: how far each source is trusted, for which kind of fact, and what a method is worth. */
export const SourcesFile = z.strictObject({
  /** The calling system: source of a bare value. */
  caller: SourceName,
  /** The applicant, authoritative for facts marked `declared`. */
  applicant: SourceName,
  sources: z.record(
    SourceName,
    z.strictObject({
      trust: Confidence,
      /** Trust for single facts or `measures`, instead of `trust`. */
      kinds: z.record(Name, Confidence).optional(),
      en: z.string().min(1),
      zh: z.string().min(1),
    }),
  ),
  /** Confidence of a reading that states none, by method. */
  methods: z.record(Name, Confidence),
  /** Methods by which a machine reads; what it read may be corrected, anything else only disputed. */
  machine_read: z.array(Name).optional(),
})
export type SourcesFile = z.infer<typeof SourcesFile>

/** `reasons.yaml`: the pack's reason codes. */
export const ReasonsFile = z.strictObject({
  reasons: z.record(
    z.string().min(1).max(64),
    z.strictObject({
      label: BilingualText,
      hmda: z.int().min(1).max(9).optional(),
      since: DateText.optional(),
    }),
  ),
})
export type ReasonsFile = z.infer<typeof ReasonsFile>

/** Everything a pack says, checked and typed. Its canonical JSON is what the rule set's hash names. */
export const PackContent = z.strictObject({
  format: z.literal(1),
  policy: Policy,
  facts: FactsFile,
  sources: SourcesFile,
  reasons: ReasonsFile,
  /** Decision tables by their path in the pack. */
  tables: z.record(TablePath, DecisionTable).optional(),
  /** Ordered by rule id, then version. */
  rules: z.array(Rule).min(1),
})
export type PackContent = z.infer<typeof PackContent>
