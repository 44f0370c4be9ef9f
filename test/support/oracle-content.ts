import type { DecisionTable } from '../../src/domain/decision-table.ts'
import type { FactType } from '../../src/domain/fact.ts'
import { parseUnaryTest } from '../../src/rules/tables/parse-unary-test.ts'
import type { ValueType } from '../../src/rules/typed-value.ts'
import type { OracleTable } from './table-oracle.ts'

export function typesOf({ columns }: OracleTable): ValueType[] {
  return columns.map(({ type, values }) => ({
    type: type as FactType,
    ...(values === undefined ? {} : { values: Object.fromEntries(values.map((value) => [value, []])) }),
  }))
}

/** The table as checked content, its cells read from their text. Inputs are named `i0`, `i1`, … */
export function contentOf(table: OracleTable): DecisionTable {
  const types = typesOf(table)
  const read = (text: string, index: number) => parseUnaryTest(text, types[index] ?? { type: 'text' }, 'UTC')
  return {
    table: 'random',
    description: 'x',
    inputs: table.columns.map(({ domain }, index) => ({
      fact: `i${index}`,
      ...(domain === undefined ? {} : { domain: read(domain.text, index) }),
    })),
    output: { type: 'integer' },
    hit_policy: table.policy,
    ...(table.policy === 'priority' ? { order: table.order.map(String) } : {}),
    rows: table.rows.map(({ cells, output }) => ({
      when: cells.map(({ text }, index) => read(text, index)),
      then: String(output),
    })),
  }
}
