import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DecisionTable } from '../../src/domain/decision-table.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { analyseTable } from '../../src/rules/tables/analyse-table.ts'
import { tableFaults, tablePackFiles } from '../support/table-builders.ts'

/** Faults of a table with these inputs, hit policy and rows. */
function faults(inputs: string, policy: string, rows: readonly string[], more = ''): string[] {
  return tableFaults({ 't.yaml': tableText(inputs, policy, rows, more) }, fact(policy))
}

function tableText(inputs: string, policy: string, rows: readonly string[], more = ''): string {
  return `table: t\ndescription: x\ninputs: ${inputs}\noutput: {type: integer}\nhit_policy: ${policy}\n${more}rows:\n${rows.map((row) => `  - ${row}\n`).join('')}`
}

function fact(policy: string): string {
  const type = policy === 'collect' ? 'list' : 'integer'
  return `made: {type: ${type}, en: M, zh: 所得, table: tables/t.yaml}`
}

describe('two rows of a table that can both match', () => {
  it('are an error of `unique`, with both places and an applicant that falls in', () => {
    assert.deepEqual(
      faults('[age, status]', 'unique', [
        "['<= 18', '-', 1]",
        "['>= 18', not(married), 2]",
        "['> 18', married, 3]",
      ]),
      [
        'tables/t.yaml:8:5 row `1` (tables/t.yaml:7:5) and this row `2` of table `t` both match age `18`, status `single`; `hit_policy: unique` allows one',
      ],
    )
  })

  it('are an error of `any` where their outputs differ', () => {
    assert.deepEqual(faults('[age]', 'any', ["['<= 18', 1]", "['>= 18', 1]"]), [])
    assert.deepEqual(faults('[age]', 'any', ["['<= 18', 1]", "['>= 18', 2]"]), [
      'tables/t.yaml:8:5 row `1` (tables/t.yaml:7:5) and this row `2` of table `t` both match age `18`; with different outputs, which `any` forbids',
    ])
  })

  it('are told in a CSV by its lines', () => {
    const text = tableText('[age]', 'unique', []).replace('rows:\n', 'csv: t.csv\n')
    const csv = 'age,output\n< 18,1\n17,2\n>= 18,3\n'
    assert.deepEqual(tableFaults({ 't.yaml': text, 't.csv': csv }, fact('unique')), [
      'tables/t.csv:3:1 row `1` (tables/t.csv:2:1) and this row `2` of table `t` both match age `17`; `hit_policy: unique` allows one',
    ])
  })

  it('are a warning of `sum` where both are of one characteristic', () => {
    const text = tableText('[age, status]', 'sum', [
      "['<= 18', '-', 1]",
      "['>= 18', '-', 2]",
      "['-', '-', 5]",
    ])
    const { warnings } = parsePack(tablePackFiles({ 't.yaml': text }, fact('sum')))
    assert.equal(warnings.length, 1)
    assert.match(
      warnings[0]?.why ?? '',
      /row `1` \(.*\) and this row `2` of table `t` both match age `18`, status `single`; both are added/,
    )
  })
})

describe('a gap of a table', () => {
  const gap = (what: string) =>
    `tables/t.yaml:7:3 no row of table \`t\` matches ${what}; write a row, or \`gaps: allowed\``

  it('is an error, with an applicant that falls in', () => {
    assert.deepEqual(faults('[age, status]', 'unique', ["['< 18', '-', 1]", "['>= 18', '-', 2]"]), [])
    assert.deepEqual(faults('[age, status]', 'unique', ["['< 18', '-', 1]", "['> 18', '-', 2]"]), [
      gap('age `18`, status `single`'),
    ])
    assert.deepEqual(
      faults('[age, status]', 'first', ["['< 18', '-', 1]", "['>= 18', 'single, widowed', 2]"]),
      [gap('age `18`, status `married`')],
    )
    assert.deepEqual(faults('[age]', 'unique', ["['< 18', 1]", "['> 18', 2]"], 'gaps: allowed\n'), [])
  })

  it('lies between 5 and 6 for decimals, not for whole numbers, days, times or durations', () => {
    assert.deepEqual(faults('[age]', 'unique', ["['<= 5', 1]", "['>= 6', 2]"]), [])
    assert.deepEqual(faults('[rate]', 'unique', ["['<= 5', 1]", "['>= 6', 2]"]), [gap('rate `5.5`')])
    assert.deepEqual(faults('[rate]', 'unique', ["['<= 0.05', 1]", "['> 0.051', 2]"]), [gap('rate `0.0505`')])
    assert.deepEqual(faults('[since]', 'unique', ["['<= 2026-02-28', 1]", "['>= 2026-03-01', 2]"]), [])
    assert.deepEqual(faults('[since]', 'unique', ["['<= 2028-02-28', 1]", "['>= 2028-03-01', 2]"]), [
      gap('since `2028-02-29`'),
    ])
    assert.deepEqual(faults('[term]', 'unique', ["['<= P5D', 1]", "['>= P6D', 2]"]), [])
    assert.deepEqual(faults('[term]', 'unique', ["['<= P9D', 1]", "['> P10D', 2]"]), [gap('term `P10D`')])
    assert.deepEqual(faults('[received_at]', 'unique', ["['< 2026-01-01', 1]", "['> 2026-01-01', 2]"]), [
      gap('received_at `2026-01-01T05:00:00.000Z`'),
    ])
  })

  it('lies only among values that can be: those of the fact, of the domain, of the calendar', () => {
    assert.deepEqual(faults('[age]', 'unique', ["['[0..120]', 1]"]), [])
    assert.deepEqual(faults('[age]', 'unique', ["['[1..120)', 1]"]), [gap('age `0`'), gap('age `120`')])
    assert.deepEqual(faults('[rate]', 'unique', ["['[0..1]', 1]"]), [gap('rate `-1`'), gap('rate `2`')])
    assert.deepEqual(faults('[{fact: rate, domain: {min: 0, max: 1}}]', 'unique', ["['[0..1]', 1]"]), [])
    assert.deepEqual(faults("[{fact: rate, domain: '[0..1)'}]", 'unique', ["['[0..1)', 1]"]), [])
    assert.deepEqual(
      faults('[{fact: status, domain: {values: [single, married]}}]', 'unique', [
        '[single, 1]',
        '[married, 2]',
      ]),
      [],
    )
    assert.deepEqual(faults('[status]', 'unique', ['[single, 1]', '[married, 2]']), [gap('status `widowed`')])
    assert.deepEqual(faults('[is_verified]', 'unique', ['[true, 1]']), [gap('is_verified `false`')])
    assert.deepEqual(faults('[label]', 'unique', ['[a, 1]', '[not(a), 2]']), [])
    assert.deepEqual(faults('[label]', 'unique', ['[a, 1]', '[b, 2]']), [gap('label `any other text`')])
    assert.deepEqual(
      faults('[since]', 'unique', ["['[0000-01-01..2026-01-01)', 1]", "['[2026-01-01..9999-12-31]', 2]"]),
      [],
    )
  })

  it('of a sum is a value for which one characteristic says nothing', () => {
    const rows = ["['< 18', '-', 1]", "['>= 18', '-', 2]", "['-', single, 5]"]
    assert.deepEqual(faults('[age, status]', 'sum', rows), [
      'tables/t.yaml:7:3 no row of table `t` matches status `married`, so nothing would be added for it; write a row, with 0 where nothing counts, or `gaps: allowed`',
    ])
    assert.deepEqual(faults('[age, status]', 'sum', [...rows, "['-', not(single), 0]"]), [])
  })
})

describe('a row of a table without effect', () => {
  it('is an error where it can never match', () => {
    assert.deepEqual(faults('[age]', 'unique', ["['-', 1]", "['> 120', 2]"]), [
      'tables/t.yaml:8:5 row `2` of table `t` can never match: nothing that can occur passes > 120 of `age`',
    ])
    assert.match(
      faults('[age]', 'collect', ["['-', 1]", "['(5..6)', 2]"])[0] ?? '',
      /row `2` of table `t` can never match/,
    )
  })

  it('is an error of `first` where rows above it take all it matches, together or alone', () => {
    assert.deepEqual(faults('[age]', 'first', ["['< 18', 1]", "['>= 18', 2]", "['[10..30]', 3]"]), [
      'tables/t.yaml:9:5 row `3` of table `t` never decides: rows above it match whatever it matches',
    ])
    assert.deepEqual(faults('[age]', 'first', ["['< 18', 1]", "['[10..30]', 3]", "['-', 2]"]), [])
  })

  it('is an error of `priority` where rows of better outputs do', () => {
    assert.deepEqual(faults('[age]', 'priority', ["['-', 1]", "['< 18', 2]"], 'order: [1, 2]\n'), [
      'tables/t.yaml:9:5 row `2` of table `t` never decides: rows whose outputs stand before its own in `order` match whatever it matches',
    ])
    assert.deepEqual(faults('[age]', 'priority', ["['-', 1]", "['< 18', 2]"], 'order: [2, 1]\n'), [])
    assert.deepEqual(faults('[age]', 'priority', ["['-', 1]", "['< 18', 1]"], 'order: [1]\n'), [])
  })
})

it('too many combinations are said not to be decided, in bounded steps', () => {
  const columns = 24
  const table: DecisionTable = {
    table: 't',
    description: 'x',
    inputs: Array.from({ length: columns }, (_, index) => ({ fact: `i${index}` })),
    output: { type: 'integer' },
    hit_policy: 'first',
    rows: [
      ...Array.from({ length: 300 }, (_, row) => ({
        when: Array.from({ length: columns }, (_, column) =>
          (row * 7 + column * 5) % 6 === 0
            ? { in: [{ equal: String((row * 3 + column) % 9) }] }
            : ('-' as const),
        ),
        then: String(row),
      })),
      { when: Array.from({ length: columns }, () => '-' as const), then: '0' },
    ],
  }
  const budget = { left: 20_000 }
  const found = analyseTable(
    table,
    table.inputs.map(() => ({ type: 'integer' })),
    budget,
  )
  assert.ok(found.some((each) => each.kind === 'not_decided'))
  assert.ok(!found.some((each) => each.kind === 'gap' || each.kind === 'never_decides'))
  assert.ok(budget.left < 0 && budget.left > -1000)
})
