import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { FactValue } from './fact.ts'
import { RegulationId } from './knowledge.ts'
import { BilingualText, EventTypeName, FactName, FactPath, Name, SourceName } from './names.ts'
import { DateText } from './time.ts'

/** Operators that compare a fact with a value; json-rules-engine's names, and `between` with both ends included. */
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
  'between',
])
export type ComparisonOperator = z.infer<typeof ComparisonOperator>

/** Operators that ask for a fact's state and take no value. */
export const StateOperator = z.enum(['isKnown', 'isUnknown', 'isNone'])
export type StateOperator = z.infer<typeof StateOperator>

/** Asks how the believed reading of a fact was made; `value` lists methods. */
export const MethodOperator = z.literal('verified_by')
export type MethodOperator = z.infer<typeof MethodOperator>

/** Tests the elements of a list of objects one at a time; inside, `accounts[].balance` is a field of the element. */
export const ElementOperator = z.enum(['some', 'every'])
export type ElementOperator = z.infer<typeof ElementOperator>

/** A literal, typed by the fact it is compared with, or another fact's value. */
export const Operand = z.union([z.strictObject({ fact: FactPath }), FactValue])
export type Operand = z.infer<typeof Operand>

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | ConditionLeaf

export type ConditionLeaf =
  | { readonly fact: string; readonly operator: ComparisonOperator; readonly value: Operand }
  | { readonly fact: string; readonly operator: StateOperator }
  | { readonly fact: string; readonly operator: MethodOperator; readonly value: readonly string[] }
  | { readonly fact: string; readonly operator: ElementOperator; readonly value: Condition }

const Leaf: z.ZodType<ConditionLeaf> = z.lazy(() =>
  z.discriminatedUnion('operator', [
    z.strictObject({ fact: FactPath, operator: ComparisonOperator, value: Operand }),
    z.strictObject({ fact: FactPath, operator: StateOperator }),
    z.strictObject({ fact: FactPath, operator: MethodOperator, value: z.array(Name).min(1) }),
    z.strictObject({ fact: FactPath, operator: ElementOperator, value: Condition }),
  ]),
)

/** A condition tree: `all`, `any`, `not`, and comparisons at the leaves. Empty `all` / `any` are refused. */
export const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    Leaf,
    z.strictObject({ all: z.array(Condition).min(1) }),
    z.strictObject({ any: z.array(Condition).min(1) }),
    z.strictObject({ not: Condition }),
  ]),
)

/** A condition that adds to a rule's confidence where it holds. */
export const Boost = z.strictObject({ condition: Condition, boost: z.number().gt(0).max(1) })
export type Boost = z.infer<typeof Boost>

/** What the boosts of a rule that names no threshold have to reach. */
export const boostThresholdDefault = 0.7

/** Evidence wanted from an interface of a source: `api` names the source, parameters are texts or facts. */
export const ApiRequest = z.strictObject({
  api: SourceName,
  params: z
    .record(Name, z.union([z.strictObject({ fact: FactPath }), z.string().max(200), z.boolean()]))
    .optional(),
})
export type ApiRequest = z.infer<typeof ApiRequest>

/** What a fired rule says: a finding, a value for a memory key, or evidence that is wanted next. */
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
  z.strictObject({ request_api: ApiRequest }),
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
  /** How facts given were read, for rules that ask (`verified_by`). */
  methods: z.record(FactName, Name).optional(),
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
  /** With boosts a rule fires when `when` holds and the boosts that hold sum to `threshold`. */
  boosts: z.array(Boost).min(1).optional(),
  threshold: z.number().gt(0).max(1).optional(),
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

/** Everything a rule tests: its condition and what boosts it. */
export function conditionsOf(rule: Pick<Rule, 'when' | 'boosts'>): readonly Condition[] {
  return [rule.when, ...(rule.boosts ?? []).map((boost) => boost.condition)]
}
