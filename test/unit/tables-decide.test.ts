import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FactState } from '../../src/domain/fact.ts'
import { evaluate } from '../../src/rules/evaluate.ts'
import { aQuestion, known, none } from '../support/pack-builders.ts'
import { tablePack } from '../support/table-builders.ts'

/** What a table over age, status and since comes to; rows as in the file. */
function decide(
  head: string,
  rows: readonly string[],
  facts: Readonly<Record<string, FactState>>,
  type = 'integer',
): FactState | undefined {
  const output = head.includes('output:') ? '' : 'output: {type: integer}\n'
  const text = `table: t\ndescription: x\ninputs: [age, status, since]\n${output}${head}\ngaps: allowed\nrows:\n${rows.map((row) => `  - ${row}\n`).join('')}`
  const set = tablePack({ 't.yaml': text }, `made: {type: ${type}, en: M, zh: 所得, table: tables/t.yaml}`)
  return evaluate(set, aQuestion(facts)).states.get('made')
}

const single = known('single')
const since = known('2020-01-01')

describe('what a table comes to', () => {
  const scores = ["['< 18', '-', '-', 1]", "['-', single, '-', 2]", "['-', '-', '< 2021-01-01', 4]"]
  const facts = { age: known('17'), status: single, since }

  it('is given by its hit policy, and says which rows matched', () => {
    const all = { state: 'known', confidence: 1, rows: ['1', '2', '3'] }
    assert.deepEqual(decide('hit_policy: sum', scores, facts), { ...all, value: '7' })
    assert.deepEqual(decide('hit_policy: count', scores, facts), { ...all, value: '3' })
    assert.deepEqual(decide('hit_policy: min', scores, facts), { ...all, value: '1' })
    assert.deepEqual(decide('hit_policy: max', scores, facts), { ...all, value: '4' })
    assert.deepEqual(decide('hit_policy: first', scores, facts), { ...all, value: '1' })
    assert.deepEqual(decide('hit_policy: priority\norder: [2, 4, 1]', scores, facts), { ...all, value: '2' })
    assert.deepEqual(decide('hit_policy: collect', scores, facts, 'list'), { ...all, value: ['1', '2', '4'] })
    assert.deepEqual(decide('hit_policy: unique', scores.slice(0, 1), facts), {
      ...all,
      value: '1',
      rows: ['1'],
    })
  })

  it('is reckoned in decimals', () => {
    const cents = ["['-', '-', '-', 0.1]", "['-', single, '-', 0.2]"]
    const made = decide('output: {type: ratio}\nhit_policy: sum', cents, facts, 'ratio')
    assert.equal(made?.state === 'known' && made.value, '0.3')
  })

  it('is unknown where no row matches, naming the table and its inputs', () => {
    for (const policy of ['unique', 'sum', 'count', 'min', 'first']) {
      const made = decide(`hit_policy: ${policy}`, ["['< 5', '-', '-', 1]"], facts)
      assert.deepEqual(made, {
        state: 'unknown',
        why: 'no row of table `t` matches these values of `age`, `status`, `since`',
        missing: ['made'],
      })
    }
  })

  it('is unknown while an unknown input could change it, naming what it needs', () => {
    const made = decide('hit_policy: sum', scores, { age: known('17'), status: single })
    assert.deepEqual(made, { state: 'unknown', why: 'table `t` needs `since`', missing: ['since'] })
  })

  it('does not wait for what it has no need of: a `-`, a row already out, an output that changes nothing', () => {
    const first = ["['< 18', '-', '-', 1]", "['-', single, '-', 2]", "['-', '-', '-', 3]"]
    const value = (made: FactState | undefined) => (made?.state === 'known' ? made.value : made?.state)
    assert.equal(value(decide('hit_policy: first', first, { age: known('17') })), '1')
    assert.equal(value(decide('hit_policy: first', first, { status: single })), 'unknown')
    assert.equal(
      value(decide('hit_policy: first', first, { age: known('30'), status: known('married') })),
      '3',
    )
    const same = ["['< 18', '-', '-', 2]", "['-', single, '-', 2]", "['-', '-', '-', 3]"]
    assert.equal(value(decide('hit_policy: first', same, { status: single })), '2')
    assert.equal(value(decide('hit_policy: max', first, {})), '3')
    assert.equal(value(decide('hit_policy: min', first, {})), 'unknown')
    assert.equal(value(decide('hit_policy: unique', ["['-', '-', '-', 9]"], {})), '9')
  })

  it('is none where only a none stands in the way, and unknown where an unknown does too', () => {
    const rows = ["['-', '-', '< 2021-01-01', 1]", "['-', '-', '-', 2]"]
    assert.deepEqual(decide('hit_policy: first', rows, { since: none(0.9) }), {
      state: 'none',
      confidence: 0.9,
    })
    const more = ["['< 18', '-', '-', 2]", ...rows]
    assert.equal(decide('hit_policy: first', more, { since: none() })?.state, 'unknown')
    assert.equal(decide('hit_policy: first', more, { since: none(), age: known('30') })?.state, 'none')
    assert.equal(decide('hit_policy: first', more, { since: none(), age: known('17') })?.state, 'known')
  })

  it('is in error where more rows match than the hit policy allows', () => {
    // Found at load as far as that can be decided; what is not must not decide either.
    const set = tablePack(
      {
        't.yaml':
          "table: t\ndescription: x\ninputs: [age]\noutput: {type: integer}\nhit_policy: collect\nrows: [['>= 0', 1], ['< 18', 2]]\n",
      },
      'made: {type: list, en: M, zh: 所得, table: tables/t.yaml}',
    )
    const step = set.steps.find((each) => each.kind === 'table')
    assert.ok(step?.kind === 'table')
    const as = (hitPolicy: 'unique' | 'any') => {
      const steps = set.steps.map((each) =>
        each === step ? { ...step, table: { ...step.table, hitPolicy } } : each,
      )
      return evaluate({ ...set, steps }, aQuestion({ age: known('17') })).states.get('made')
    }
    assert.deepEqual(as('unique'), {
      state: 'error',
      why: 'rows `1`, `2` of table `t` match; its hit policy allows one',
    })
    assert.deepEqual(as('any'), {
      state: 'error',
      why: 'rows `1`, `2` of table `t` match with different results',
    })
  })

  it('is unknown outside the values that the table is made for', () => {
    const text = `table: t\ndescription: x\ninputs: [{fact: rate, domain: '[0..1)'}]\noutput: {type: integer}\nhit_policy: unique\nrows: [['-', 1]]\n`
    const set = tablePack({ 't.yaml': text }, 'made: {type: integer, en: M, zh: 所得, table: tables/t.yaml}')
    const at = (rate: string) => evaluate(set, aQuestion({ rate: known(rate) })).states.get('made')
    assert.equal(at('0')?.state, 'known')
    assert.equal(at('0.999999')?.state, 'known')
    // A `-` cell asks for nothing, so it need not even be there.
    assert.equal(at('1')?.state, 'known')
    const tested = tablePack(
      { 't.yaml': text.replace("['-', 1]", "['< 0.5', 1], ['>= 0.5', 2]") },
      'made: {type: integer, en: M, zh: 所得, table: tables/t.yaml}',
    )
    assert.deepEqual(evaluate(tested, aQuestion({ rate: known('1') })).states.get('made'), {
      state: 'unknown',
      why: 'table `t` needs `rate`',
      missing: ['made'],
    })
  })

  it('is as sure as the weakest input that it rests on, and no surer than what rules the others out', () => {
    const rows = ["['< 18', '-', '-', 1]", "['-', single, '-', 2]", "['-', '-', '-', 3]"]
    const sure = (made: FactState | undefined) => (made?.state === 'known' ? made.confidence : made?.state)
    const given = { age: known('30', 0.8), status: known('single', 0.9), since }
    assert.equal(sure(decide('hit_policy: first', rows, given)), 0.8)
    assert.equal(sure(decide('hit_policy: first', rows, { ...given, age: known('17', 0.95) })), 0.95)
    assert.equal(sure(decide('hit_policy: max', rows, given)), 1)
    assert.equal(sure(decide('hit_policy: count', rows, given)), 0.8)
  })

  it('counts a weak input as unknown, as rules do', () => {
    const made = decide('hit_policy: first', ["['< 18', '-', '-', 1]", "['-', '-', '-', 3]"], {
      age: known('17', 0.5),
    })
    assert.deepEqual(made, { state: 'unknown', why: 'table `t` needs `age`', missing: ['age'] })
  })
})
