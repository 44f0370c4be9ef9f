import { z } from 'zod'
import { FactType, FactValue } from './fact.ts'
import { FactName, Name } from './names.ts'

/** Which of the matching rows give the result, after DMN; `collect` lists them, the last four reckon with them. */
export const HitPolicy = z.enum([
  'unique',
  'first',
  'priority',
  'any',
  'collect',
  'sum',
  'min',
  'max',
  'count',
])
export type HitPolicy = z.infer<typeof HitPolicy>

/**
 * What a cell accepts: one value, or an interval. `from` and `to` belong to it, `above` and `below` do not.
 * Values are typed by the column's fact; decimals are decimal text.
 */
export const TestPart = z.union([
  z.strictObject({ equal: z.union([z.string(), z.boolean()]) }),
  z.strictObject({
    from: z.string().optional(),
    above: z.string().optional(),
    to: z.string().optional(),
    below: z.string().optional(),
  }),
])
export type TestPart = z.infer<typeof TestPart>

/** A cell of a table, read: `-` accepts everything and asks for nothing. */
export const UnaryTest = z.union([
  z.literal('-'),
  z.strictObject({ in: z.array(TestPart).min(1) }),
  z.strictObject({ not_in: z.array(TestPart).min(1) }),
])
export type UnaryTest = z.infer<typeof UnaryTest>

/** A column: the fact it tests, and the values for which the table is made. Outside them it says unknown. */
export const TableInput = z.strictObject({ fact: FactName, domain: UnaryTest.optional() })
export type TableInput = z.infer<typeof TableInput>

/** What a row yields. An enumeration lists its values. */
export const TableOutput = z.strictObject({
  type: FactType,
  unit: z.string().min(1).max(20).optional(),
  values: z.array(z.string().min(1).max(100)).min(1).max(500).optional(),
})
export type TableOutput = z.infer<typeof TableOutput>

export const TableRow = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  /** One cell for each input, in their order. */
  when: z.array(UnaryTest).min(1),
  then: FactValue,
})
export type TableRow = z.infer<typeof TableRow>

/** A test inside a table's file: the inputs given (others are unknown) and what must come of it. */
export const TableTest = z.strictObject({
  name: z.string().min(1).max(200),
  given: z.record(FactName, FactValue.nullable()),
  expect: z.strictObject({
    value: FactValue.optional(),
    outcome: z.enum(['known', 'none', 'unknown', 'error']).optional(),
    /** Rows that matched, by name or number, in the order of the table. */
    rows: z.array(z.string()).optional(),
  }),
})
export type TableTest = z.infer<typeof TableTest>

/** A decision table as checked content: `tables/NAME.yaml` of a pack, its rows from YAML or a CSV file beside it. */
export const DecisionTable = z.strictObject({
  table: Name,
  description: z.string().min(1).max(1000),
  inputs: z.array(TableInput).min(1).max(30),
  output: TableOutput,
  hit_policy: HitPolicy,
  /** Of `priority`: every output, the one that wins first. */
  order: z.array(FactValue).min(1).optional(),
  /** Values for which no row is written are accepted; the result is unknown there. */
  gaps: z.literal('allowed').optional(),
  rows: z.array(TableRow).min(1).max(10_000),
  tests: z.array(TableTest).optional(),
})
export type DecisionTable = z.infer<typeof DecisionTable>

/** How a row is named in messages and traces: its name, else its number, counted from 1. */
export function rowLabel(row: Pick<TableRow, 'name'>, index: number): string {
  return row.name ?? String(index + 1)
}
