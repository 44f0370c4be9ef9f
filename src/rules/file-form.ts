import { z } from 'zod'
import { DecisionTable, TableTest } from '../domain/decision-table.ts'
import { FactName, FactPath, Name } from '../domain/names.ts'
import {
  DerivedDeclaration,
  FactDeclaration,
  FieldDeclaration,
  Policy,
  ReasonsFile,
  SourcesFile,
} from '../domain/policy.ts'
import {
  ApiRequest,
  Boost,
  ComparisonOperator,
  Consequence,
  ElementOperator,
  EmbeddedTest,
  MethodOperator,
  Rule,
  StateOperator,
} from '../domain/rule.ts'
import { shorthands } from './operators.ts'

// What people write, before values are typed by the facts; the loader checks more than a schema can say.

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Written: z.ZodType = z
  .lazy(() => z.union([Plain, z.array(Written), z.record(z.string(), Written)]))
  .meta({ id: 'Value', description: 'A value; what it means is said by the type of its fact.' })
const Amount = z.union([z.number(), z.string()])

const asksItself = z.enum([...StateOperator.options, ...(Object.keys(shorthands) as [string])])
const compares = z.union([ComparisonOperator, MethodOperator])
const operatorText = 'How the fact is compared; `between` includes both ends.'

const ElementTest: z.ZodType = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(ElementTest).min(1) }),
      z.strictObject({ any: z.array(ElementTest).min(1) }),
      z.strictObject({ not: ElementTest }),
      z.strictObject({ field: FactPath, operator: asksItself }),
      z.strictObject({ field: FactPath, operator: compares.describe(operatorText), value: Written }),
      z.strictObject({ field: FactPath, operator: ElementOperator, value: ElementTest }),
    ]),
  )
  .meta({ id: 'ElementTest', description: 'What one element of a list is tested with, by its fields.' })

const ConditionForm: z.ZodType = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(ConditionForm).min(1) }),
      z.strictObject({ any: z.array(ConditionForm).min(1) }),
      z.strictObject({ not: ConditionForm }),
      z.strictObject({ fact: FactPath, path: FactPath.optional(), operator: asksItself }),
      z.strictObject({
        fact: FactPath,
        path: FactPath.optional(),
        operator: compares.describe(operatorText),
        value: Written,
      }),
      z.strictObject({
        fact: FactPath,
        path: FactPath.optional(),
        operator: ElementOperator,
        value: ElementTest,
      }),
    ]),
  )
  .meta({ id: 'Condition', description: '`all`, `any`, `not`, or one comparison.' })

const Params = z.record(Name, z.union([Plain, z.strictObject({ fact: FactPath })]))
const [FindingForm, , WantForm] = Consequence.options
const MemoryForm = z.strictObject({
  key: FactName,
  value: Written,
  confidence: z.number().gt(0).max(1).optional(),
})
const RequestForm = ApiRequest.extend({ params: Params.optional() })

const Action = z.union([
  z.strictObject({ type: z.literal('set_memory'), ...MemoryForm.shape }),
  z.strictObject({ type: z.literal('request_api'), ...RequestForm.shape }),
  z.strictObject({ type: z.literal('episode'), ...FindingForm.shape }),
  z.strictObject({ type: z.literal('want'), fact: FactName }),
])

const RuleForm = z
  .strictObject({
    ...Rule.shape,
    description: Rule.shape.description.describe('Why, as cause and effect; an auditor reads it first.'),
    regulation: Rule.shape.regulation.describe(
      'Id of a regulation or of a paper of the lender, as in the graph.',
    ),
    when: ConditionForm.optional(),
    trigger: z
      .string()
      .optional()
      .describe("Short for `when`: `user_age < 25 and education_status == 'student'`."),
    boosts: z
      .array(Boost.extend({ condition: ConditionForm }))
      .min(1)
      .optional(),
    conditions: z
      .array(
        z.strictObject({
          field: FactPath,
          operator: z.union([asksItself, compares, ElementOperator]),
          value: Written.optional(),
          confidence_boost: z.number().gt(0).max(1),
        }),
      )
      .min(1)
      .optional()
      .describe('Short for `boosts`.'),
    threshold: Rule.shape.threshold.describe(
      'What the boosts that hold have to sum to; 0.7 where it is left out.',
    ),
    then: z
      .array(
        z.union([
          FindingForm,
          z.strictObject({ set_memory: MemoryForm }),
          WantForm,
          z.strictObject({ request_api: RequestForm }),
        ]),
      )
      .min(1)
      .optional(),
    action: z.array(Action).min(1).optional().describe('Short for `then`.'),
    tests: z.array(EmbeddedTest.extend({ given: z.record(FactName, Written) })).optional(),
  })
  .meta({ id: 'Rule', description: 'One version of a rule, in the full or the compact form.' })

const PolicyForm = Policy.extend({
  version: z.union([z.string(), z.number()]),
  covers: ConditionForm.optional().describe('Whom the policy covers.'),
  required: z
    .array(z.union([FactName, z.strictObject({ fact: FactName, when: ConditionForm })]))
    .min(1)
    .describe('Facts that a decision needs, always or while a condition holds.'),
})

const FieldForm: z.ZodType = z
  .lazy(() =>
    z.strictObject({
      ...fieldShape(),
      min: Amount.optional(),
      max: Amount.optional(),
      fields: z.record(Name, FieldForm).optional(),
    }),
  )
  .meta({ id: 'Field' })

function fieldShape(): Readonly<Record<string, z.ZodType>> {
  const declaration = (FieldDeclaration as unknown as z.ZodLazy<z.ZodObject>).unwrap()
  return declaration.shape as Readonly<Record<string, z.ZodType>>
}

const FactForm = FactDeclaration.extend({
  min: Amount.optional(),
  max: Amount.optional(),
  fields: z.record(Name, FieldForm).optional(),
  tolerance: z
    .union([Amount, z.strictObject({ percent: Amount }), z.strictObject({ amount: Amount })])
    .optional()
    .describe('Readings that differ less agree: an amount, or a share such as `10 %`.'),
  except: z
    .array(z.strictObject({ rule: z.string(), operator: ComparisonOperator, value: Written }))
    .optional(),
  changeable: z
    .strictObject({ step: Amount, changes_with: z.record(FactName, z.string()).optional() })
    .optional(),
})

const FactsForm = z.strictObject({
  facts: z.record(FactName, FactForm),
  derived: z.record(FactName, DerivedDeclaration).optional(),
  memory: z.record(FactName, FactForm).optional(),
})

const Cell = z
  .union([Plain, z.array(Plain).min(1)])
  .describe('`-`, a value, `< 100`, `[100..120)`, `not(…)`, or a list of these.')

const TableForm = z.strictObject({
  ...DecisionTable.shape,
  inputs: z
    .array(
      z.union([
        FactName,
        z.strictObject({
          fact: FactName,
          domain: z
            .union([
              z.string(),
              z.strictObject({ min: Amount.optional(), max: Amount.optional() }),
              z.strictObject({ values: z.array(Plain).min(1) }),
            ])
            .optional()
            .describe('Values for which the table is made; outside them its result is unknown.'),
        }),
      ]),
    )
    .min(1)
    .max(30)
    .describe('The facts that the columns test.'),
  hit_policy: DecisionTable.shape.hit_policy.describe('Which of the rows that match give the result.'),
  order: z.array(Plain).min(1).optional().describe('Of `priority`: the outputs, the one that wins first.'),
  rows: z
    .array(
      z.union([
        z.array(Cell).min(2),
        z.strictObject({ name: z.string().optional(), when: z.record(FactName, Cell), then: Plain }),
      ]),
    )
    .min(1)
    .max(10_000)
    .optional()
    .describe('The cells in the order of the inputs and the output last; or the inputs tested by name.'),
  csv: z.string().optional().describe('A CSV file beside this one that holds the rows.'),
  tests: z
    .array(
      TableTest.extend({
        given: z.record(FactName, Written),
        expect: z.union([
          Plain,
          z.array(Plain),
          TableTest.shape.expect.extend({
            value: Written.optional(),
            rows: z.array(z.union([z.string(), z.number()])).optional(),
          }),
        ]),
      }),
    )
    .min(1)
    .optional(),
})

/** The files of a pack as people write them, by the name of their schema. */
export const fileForms = {
  rule: z.union([RuleForm, z.array(RuleForm).min(1)]),
  table: TableForm,
  policy: PolicyForm,
  facts: FactsForm,
  sources: SourcesFile,
  reasons: ReasonsFile,
} as const satisfies Record<string, z.ZodType>
