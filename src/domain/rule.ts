import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { FactValue } from './fact.ts'
import { RegulationId } from './knowledge.ts'
import { BilingualText, EventTypeName, FactName } from './names.ts'
import { DateText } from './time.ts'

/** Operators that compare a fact with a value; json-rules-engine's names. */
export const ComparisonOperator = z.enum([
  'equal',
  'notEqual',
  'in',
  'notIn',
  'contains',
  'doesNotContain',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
])
export type ComparisonOperator = z.infer<typeof ComparisonOperator>

/** Operators that ask for a fact's state and take no value. */
export const StateOperator = z.enum(['isKnown', 'isUnknown', 'isNone'])
export type StateOperator = z.infer<typeof StateOperator>

/** A literal, typed by the fact it is compared with, or another fact's value. */
export const Operand = z.union([z.strictObject({ fact: FactName }), FactValue])
export type Operand = z.infer<typeof Operand>

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly fact: string; readonly operator: ComparisonOperator; readonly value: Operand }
  | { readonly fact: string; readonly operator: StateOperator }

/** A condition tree: `all`, `any`, `not`, and comparisons at the leaves. Empty `all` / `any` are refused. */
export const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(Condition).min(1) }),
    z.strictObject({ any: z.array(Condition).min(1) }),
    z.strictObject({ not: Condition }),
    z.strictObject({ fact: FactName, operator: StateOperator }),
    z.strictObject({ fact: FactName, operator: ComparisonOperator, value: Operand }),
  ]),
)

/** What a fired rule says: a finding, a value for a memory key, or a fact whose evidence is wanted next. */
export const Consequence = z.union([
  z.strictObject({
    episode: EventTypeName,
    toward: EventTypeName.optional(),
    dated_by: FactName.optional(),
  }),
  z.strictObject({
    set_memory: z.strictObject({ key: FactName, value: FactValue, confidence: Confidence.optional() }),
  }),
  z.strictObject({ want: FactName }),
])
export type Consequence = z.infer<typeof Consequence>

/** Whether and how the applicant is told: `never` appears in no applicant text and no redacted export. */
export const Tell = z.enum(['reason', 'condition', 'offer', 'never'])
export type Tell = z.infer<typeof Tell>

/**
 * The reason a fired rule gives. Texts hold `{fact}` or `{fact|percent}`; `terms` of an offer name, for each
 * fact offered anew, the derived fact that holds its value.
 */
export const RuleReason = z.strictObject({
  code: z.string().min(1).max(64),
  tell: Tell,
  text: BilingualText,
  terms: z.record(FactName, FactName).optional(),
})
export type RuleReason = z.infer<typeof RuleReason>

/** A test inside a rule file: the facts given (others are unknown) and what must come of it. */
export const EmbeddedTest = z.strictObject({
  name: z.string().min(1).max(200),
  given: z.record(FactName, FactValue.nullable()),
  expect: z.strictObject({
    fires: z.boolean().optional(),
    outcome: z.enum(['fired', 'not_fired', 'not_applicable', 'unknown', 'error']).optional(),
    episodes: z.array(EventTypeName).optional(),
  }),
})
export type EmbeddedTest = z.infer<typeof EmbeddedTest>

/** In force for applications received in [from, until), days in the policy's zone. */
export const Effective = z.strictObject({ from: DateText.optional(), until: DateText.optional() })
export type Effective = z.infer<typeof Effective>

/** One version of a rule, as in its YAML file (values typed by the declared facts). */
export const Rule = z.strictObject({
  rule_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected an id such as `US-08a`'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'expected three numbers, such as `1.0.0`'),
  description: z.string().min(1).max(1000),
  regulation: RegulationId,
  effective: Effective.optional(),
  when: Condition,
  then: z.array(Consequence).min(1),
  reason: RuleReason.optional(),
  proxy_reason: z.string().min(1).max(1000).optional(),
  author: z.string().min(1).max(100).optional(),
  approved_by: z.string().min(1).max(100).optional(),
  tests: z.array(EmbeddedTest).optional(),
})
export type Rule = z.infer<typeof Rule>

/** `US-08a@1.0.0` */
export function ruleVersionId(rule: { readonly rule_id: string; readonly version: string }): string {
  return `${rule.rule_id}@${rule.version}`
}
