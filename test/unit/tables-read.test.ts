import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadPack } from '../../src/rules/load-pack.ts'
import { parseUnaryTest } from '../../src/rules/tables/parse-unary-test.ts'
import { writeUnaryTest } from '../../src/rules/tables/write-unary-test.ts'
import type { ValueType } from '../../src/rules/typed-value.ts'
import { tableFaults, tablePack, tablePackFiles } from '../support/table-builders.ts'

const kind: ValueType = { type: 'enum', values: { A: ['ay'], B: [], 'C D': [] } }
const read = (text: string, type: ValueType | ValueType['type'], zone = 'UTC') =>
  parseUnaryTest(text, typeof type === 'string' ? { type } : type, zone)

describe('a cell of a table', () => {
  it('is a value, an interval, a list of these, `not` of these, or `-`', () => {
    assert.equal(read(' - ', 'integer'), '-')
    assert.deepEqual(read('"A"', kind), { in: [{ equal: 'A' }] })
    assert.deepEqual(read('ay, C D ,"B"', kind), { in: [{ equal: 'A' }, { equal: 'C D' }, { equal: 'B' }] })
    assert.deepEqual(read('not("A", B)', kind), { not_in: [{ equal: 'A' }, { equal: 'B' }] })
    assert.deepEqual(read('"a, \\"b\\""', 'text'), { in: [{ equal: 'a, "b"' }] })
    assert.deepEqual(read('5', 'integer'), { in: [{ equal: '5' }] })
    assert.deepEqual(read('-5', 'integer'), { in: [{ equal: '-5' }] })
    assert.deepEqual(read('< 1.50', 'money'), { in: [{ below: '1.5' }] })
    assert.deepEqual(read('<=1e3', 'number'), { in: [{ to: '1000' }] })
    assert.deepEqual(read('> -1', 'integer'), { in: [{ above: '-1' }] })
    assert.deepEqual(read('>= 0', 'ratio'), { in: [{ from: '0' }] })
    assert.deepEqual(read('[100..120)', 'integer'), { in: [{ from: '100', below: '120' }] })
    assert.deepEqual(read('( -0.5 .. 0.5 ]', 'ratio'), { in: [{ above: '-0.5', to: '0.5' }] })
    assert.deepEqual(read(']1..2[', 'integer'), { in: [{ above: '1', below: '2' }] })
    assert.deepEqual(read('< 5, [10..20], 30', 'integer'), {
      in: [{ below: '5' }, { from: '10', to: '20' }, { equal: '30' }],
    })
    assert.deepEqual(read('true', 'boolean'), { in: [{ equal: true }] })
    assert.deepEqual(read('true, false', 'boolean'), { in: [{ equal: true }, { equal: false }] })
    assert.deepEqual(read('[2026-01-01..2026-07-01)', 'date'), {
      in: [{ from: '2026-01-01', below: '2026-07-01' }],
    })
    assert.deepEqual(read('>= date("2026-01-01")', 'date'), { in: [{ from: '2026-01-01' }] })
    assert.deepEqual(read('> duration("P30D"), P7D', 'duration'), {
      in: [{ above: 'P30D' }, { equal: 'P7D' }],
    })
    assert.deepEqual(read('< date("2026-01-01")', 'instant', 'America/New_York'), {
      in: [{ below: '2026-01-01T05:00:00.000Z' }],
    })
  })

  it('keeps decimals exactly as they are written', () => {
    assert.deepEqual(read('0.1000000000000000055511151231257827', 'ratio'), {
      in: [{ equal: '0.1000000000000000055511151231257827' }],
    })
    assert.deepEqual(read('[9007199254740993..9007199254740994)', 'integer'), {
      in: [{ from: '9007199254740993', below: '9007199254740994' }],
    })
  })

  it('is written as people write it', () => {
    for (const text of ['-', '< 5', '<= 5', '> 5', '>= 5', '[1..2)', '(1..2]', '7', 'not(1, 2)', '1, > 3'])
      assert.equal(writeUnaryTest(read(text, 'integer')), text)
  })

  const wrong: readonly (readonly [string, ValueType | ValueType['type'], RegExp])[] = [
    ['', 'integer', /expected a test; `-` accepts everything/],
    ['"5"', 'integer', /expected a whole number; got the text `5`, which is never equal to one/],
    ['"2026-01-01"', 'date', /got the text `2026-01-01`/],
    ['5.5', 'integer', /expected a whole number; got `5.5`/],
    ['007', 'integer', /`007` is no such number/],
    ['1_000', 'money', /`1_000` is no such number/],
    ['= 5', 'integer', /write the value alone, without `=`/],
    ['<', 'integer', /expected a whole number/],
    ['< 5 6', 'integer', /`5 6` is no such number/],
    ['[5..', 'integer', /expected a whole number/],
    ['[5..6', 'integer', /expected `\]` or `\)` at the end of the interval/],
    ['[5-6]', 'integer', /`5-6` is no such number/],
    ['[6..5]', 'integer', /`\[6\.\.5\]` holds no value/],
    ['(5..5]', 'integer', /`\(5\.\.5\]` holds no value/],
    ['[1..2] x', 'integer', /did not expect `x` here/],
    ['-, 5', 'integer', /`-` accepts everything and stands alone/],
    ['not(5', 'integer', /expected `\)` at the end of `not/],
    ['not(not(5))', 'integer', /is no such number|did not expect|expected/],
    ['A, E', kind, /expected one of `A`, `B`, `C D`; got `E`/],
    ['BB', kind, /did you mean `B`/],
    ['< A', kind, /`<` does not go here: a text has no order/],
    ['[A..B]', kind, /`\[` does not go here/],
    ['> true', 'boolean', /true and false have no order/],
    ['yes', 'boolean', /expected true or false; got the text `yes`/],
    ['2026-02-30', 'date', /expected an existing day/],
    ['duration("P1D")', 'date', /expected an existing day/],
    ['"A', kind, /the closing `"` is missing/],
  ]
  for (const [text, type, why] of wrong) {
    it(`says what is wrong with ${text === '' ? 'an empty one' : text}`, () => {
      assert.throws(() => read(text, type), why)
    })
  }
})

const points = `table: points
description: Points by age and status
inputs: [age, status]
output: {type: integer}
hit_policy: unique
rows:
  - ['< 18', '-', 0]
  - ['[18..26)', single, 10]
  - ['[18..26)', 'not(single)', 20]
  - {name: grown up, when: {age: '>= 26'}, then: 30}
`
const withCsv = `${points.slice(0, points.indexOf('rows:'))}csv: sheet.csv\n`
const fact = 'points: {type: integer, en: P, zh: 分, table: tables/points.yaml}'
const faults = (changes: readonly (readonly [string, string])[], derived = fact) =>
  tableFaults(
    { 'points.yaml': changes.reduce((text, [from, to]) => text.replace(from, () => to), points) },
    derived,
  )

describe('a table file', () => {
  it('loads with its rows as lists or by input, and is part of the hash', () => {
    const set = tablePack({ 'points.yaml': points }, fact)
    const table = set.content.tables?.['tables/points.yaml']
    assert.equal(table?.rows.length, 4)
    assert.deepEqual(table?.rows[3], { name: 'grown up', when: [{ in: [{ from: '26' }] }, '-'], then: '30' })
    const other = tablePack({ 'points.yaml': points.replace('then: 30', 'then: 31') }, fact)
    assert.notEqual(set.hash, other.hash)
  })

  it('says the same in a CSV beside it, with quotes, a byte order mark and CR LF', () => {
    const csv =
      '\uFEFFname,status,age,output\r\n,-,< 18,0\r\n,"""single""",[18..26),10\r\n\r\n,not("single"),"[18..26)", 20\r\ngrown up,-,>= 26,30'
    const yaml = withCsv
    const fromCsv = tablePack({ 'points.yaml': yaml, 'sheet.csv': csv }, fact)
    assert.equal(fromCsv.hash, tablePack({ 'points.yaml': points }, fact).hash)
  })

  it('lies in `tables/` of the pack, wherever the pack lies', () => {
    const files = tablePackFiles({ 'points.yaml': points }, fact)
    const moved = files.map((file) => ({ ...file, path: `my-pack/${file.path}` }))
    assert.equal(loadPack(moved).hash, loadPack(files).hash)
    assert.equal(loadPack(moved.toReversed()).hash, loadPack(files).hash)
  })

  it('names each thing wrong in it at its place, all at once', () => {
    assert.deepEqual(
      faults([
        ["'[18..26)', single", "'[18..26)', singel"],
        ["'< 18'", "'< 18.5'"],
        ['then: 30', 'then: thirty'],
      ]),
      [
        'tables/points.yaml:7:9 expected a whole number; got `18.5`',
        'tables/points.yaml:8:18 expected one of `married`, `single`, `widowed`; got `singel`; did you mean `single`?',
        'tables/points.yaml:10:50 expected a whole number; `thirty` is no such number',
      ],
    )
  })

  const cases: readonly (readonly [string, readonly (readonly [string, string])[], RegExp])[] = [
    [
      'an unknown field',
      [['hit_policy', 'hitpolicy']],
      /5:1 there is no field `hitpolicy` here; did you mean `hit_policy`/,
    ],
    ['an unknown hit policy', [['unique', 'uniqe']], /5:13 .*got `uniqe`; did you mean `unique`/],
    ['an unknown input', [['[age,', '[agee,']], /3:10 there is no fact `agee`; did you mean `age`/],
    ['an input twice', [['[age, status]', '[age, age]']], /3:15 `age` is an input a second time/],
    [
      'a list as an input',
      [['[age, status]', '[age, tags]']],
      /3:15 a table tests single values; `tags` is `list`/,
    ],
    ['a cell too few', [["'-', 0]", '0]']], /7:5 expected 3 cells \(`age`, `status`, `output`\); got 2/],
    [
      'an unknown input in `when`',
      [['when: {age', 'when: {aeg']],
      /is no input of this table; did you mean `age`/,
    ],
    [
      'a quoted number',
      [["'< 18'", '"18"']],
      /7:6 expected a whole number; got the text `18`; write it without quotes/,
    ],
    ['a text that YAML changes', [['single, 10', '0123, 10']], /`0123` is not read as a text everywhere/],
    ['an empty cell', [["'-', 0", '~, 0']], /expected a test; got nothing; `-` accepts everything/],
    ['a missing output', [["'-', 0]", "'-', ~]"]], /expected the output of this row; got nothing/],
    [
      'an order without priority',
      [['rows:', 'order: [10]\nrows:']],
      /`order` goes with `hit_policy: priority`/,
    ],
    ['priority without an order', [['unique', 'priority']], /`priority` needs `order`/],
    [
      'an order that lacks an output',
      [['unique', 'priority\norder: [30, 20, 10]']],
      /`order` lacks `0`, which rows yield/,
    ],
    [
      'an enumeration without values',
      [['type: integer', 'type: enum']],
      /an `enum` output lists its `values`/,
    ],
    [
      'a sum of texts',
      [['{type: integer}\nhit_policy: unique', '{type: text}\nhit_policy: sum']],
      /`sum` adds numbers/,
    ],
    ['rows and csv', [['rows:', 'csv: a.csv\nrows:']], /a table has either `rows` or `csv`/],
    ['no rows', [[points.slice(points.indexOf('rows:')), '']], /expected `rows`, or `csv`/],
    [
      'a csv elsewhere',
      [[points.slice(points.indexOf('rows:')), 'csv: ../a.csv']],
      /expected the name of a CSV file beside this one/,
    ],
    [
      'a csv that is not there',
      [[points.slice(points.indexOf('rows:')), 'csv: a.csv']],
      /there is no file `tables\/a.csv`/,
    ],
    [
      'a domain that is none',
      [['[age,', '[{fact: age, domain: {min: 5, max: 1}},']],
      /`max` `1` lies below `min` `5`/,
    ],
    [
      'a domain of the wrong kind',
      [[', status]', ', {fact: status, domain: {min: 5}}]']],
      /need values with an order/,
    ],
    [
      'two rows of one name',
      [["- ['< 18', '-', 0]", "- {name: grown up, when: {age: '< 18'}, then: 0}"]],
      /a second row is named `grown up`; the first is tables\/points.yaml:7:5/,
    ],
    [
      'a test of a row that is not there',
      [[points, `${points}tests: [{name: a, given: {age: 30}, expect: {rows: [grown]}}]\n`]],
      /11:53 there is no row `grown`; known are/,
    ],
    [
      'a test that gives something else',
      [[points, `${points}tests: [{name: a, given: {ages: 30}, expect: 30}]\n`]],
      /`ages` is no input of this table; did you mean `age`/,
    ],
    [
      'a test that fails',
      [[points, `${points}tests: [{name: a, given: {age: 30}, expect: 31}]\n`]],
      /^tables\/points.yaml test `a`: expected 31; got 30 by rows grown up/,
    ],
  ]
  for (const [name, changes, why] of cases) {
    it(`is refused for ${name}`, () => {
      const told = faults(changes)
      assert.ok(
        told.some((each) => why.test(each)),
        told.join('\n'),
      )
    })
  }

  it('is made for one derived fact of its own type', () => {
    const told = (declaration: string) => faults([], `points: {en: P, zh: 分, ${declaration}}`)
    assert.match(
      told('type: ratio, table: tables/points.yaml')[0] ?? '',
      /facts.yaml:\d+:\d+ table `points` yields `integer`; this fact is `ratio`/,
    )
    assert.match(
      told('type: integer, table: tables/point.yaml').join('\n'),
      /there is no file `tables\/point.yaml` in the pack; did you mean `tables\/points.yaml`/,
    )
    assert.match(
      told('type: integer, table: points.yaml')[0] ?? '',
      /expected a file such as `tables\/risk-points.yaml`/,
    )
    assert.match(faults([], '')[0] ?? '', /points.yaml:1:1 no derived fact uses this table/)
    assert.match(
      faults([['unique', 'collect']])[0] ?? '',
      /yields `list` by `hit_policy: collect`; this fact is `integer`/,
    )
    const money = [['{type: integer}', '{type: money, unit: EUR}']] as const
    assert.match(
      faults(money, 'points: {type: money, en: P, zh: 分, table: tables/points.yaml}')[0] ?? '',
      /yields `EUR`; this fact is in `USD`/,
    )
  })

  it('may read no protected attribute, and what it makes of a proxy is one', () => {
    const protectedFacts = (more: string) =>
      tableFaults({ 'points.yaml': points }, fact, {
        'facts.yaml': tablePackFiles({}, fact)[1]?.text.replace('status: {', `status: {${more}, `),
      })
    assert.match(
      protectedFacts('prohibited: true')[0] ?? '',
      /points.yaml:3:15 table `points` reads `status`, a protected attribute/,
    )
    const rule = `rule_id: T-9
version: 1.0.0
description: x
regulation: lender/x
when: {fact: points, operator: lessThan, value: 5}
then: [{episode: low, toward: manual_review_required}]
`
    const proxy = tableFaults({ 'points.yaml': points }, fact, {
      'facts.yaml': tablePackFiles({}, fact)[1]?.text.replace('status: {', 'status: {proxy: true, '),
      't-9.yaml': rule,
    })
    assert.match(proxy[0] ?? '', /rule `T-9` reads `status`, a likely proxy/)
  })

  it('may not read what is worked out from it', () => {
    const circle = points
      .replace('[age, status]', '[age, status, other]')
      .replace(/^rows:.*/ms, 'rows: [[-1, single, 1, 5]]')
    const told = tableFaults(
      { 'points.yaml': circle },
      `${fact}\nother: {type: integer, en: O, zh: 其他, expression: points + 1}`,
    )
    assert.match(told.join('\n'), /goes round in a circle: other -> points -> other/)
  })

  it('holds one table, and each name stands for one', () => {
    assert.match(
      faults([[points, `${points}---\n${points}`]])[0] ?? '',
      /points.yaml:12:1 a file holds one table/,
    )
    assert.match(faults([[points, '']])[0] ?? '', /points.yaml:1:1 the file holds no table/)
    const twice = tableFaults(
      { 'points.yaml': points, 'second.yaml': points },
      `${fact}\nothers: {type: integer, en: P, zh: 分, table: tables/second.yaml}`,
    )
    assert.match(
      twice[0] ?? '',
      /second.yaml:1:8 a second table is named `points`; the first is tables\/points.yaml:1:1/,
    )
  })

  it('is read from a CSV with each thing wrong named at its place', () => {
    const yaml = withCsv
    const told = (csv: string) => tableFaults({ 'points.yaml': yaml, 'sheet.csv': csv }, fact).join('\n')
    assert.match(
      told('age,stats,output\n-,-,1'),
      /sheet.csv:1:5 `stats` is no input of table `points`; did you mean `status`/,
    )
    assert.match(told('age;status;output\n-;-;1'), /separate the values with commas/)
    assert.match(told('age,output\n-,1'), /there is no column `status`/)
    assert.match(told('age,status,output,age\n-,-,1,-'), /sheet.csv:1:19 a second column is named `age`/)
    assert.match(told('age,status,output'), /expected a header and at least one row/)
    assert.match(told(''), /expected a header and at least one row/)
    assert.match(
      told('age,status,output\n< 18,single,married,1'),
      /sheet.csv:2:1 expected 3 values, as in the header; got 4; a list of values stands in quotes/,
    )
    assert.match(
      told('age,status,output\n"< 18,-,1'),
      /sheet.csv:2:1 the closing `"` of this value is missing/,
    )
    assert.match(
      told('age,status,output\n"< 18"x,-,1'),
      /sheet.csv:2:7 expected a comma after the closing `"`/,
    )
    assert.match(told('age,status,output\n"< x",-,1'), /sheet.csv:2:4 expected a whole number/)
    assert.match(told('age,status,output\n,-,1'), /sheet.csv:2:1 expected a test; `-` accepts everything/)
    assert.match(told('age,status,output\n-,-,'), /sheet.csv:2:5 expected the output of this row/)
    assert.match(told('age,status,output\n-,-,1.5'), /sheet.csv:2:5 expected a whole number; got `1.5`/)
    assert.match(
      tableFaults({ 'points.yaml': points, 'sheet.csv': 'a' }, fact)[0] ?? '',
      /sheet.csv:1:1 no table names this file under `csv`/,
    )
  })
})
