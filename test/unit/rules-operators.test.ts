import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FactState, FactValue } from '../../src/domain/fact.ts'
import { Failure } from '../../src/errors.ts'
import { evaluate } from '../../src/rules/evaluate.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import {
  aQuestion,
  factsWith,
  known,
  none,
  packFiles,
  packWithRules,
  ruleWith,
} from '../support/pack-builders.ts'

const facts = factsWith({
  facts: `employer: {type: object, en: Employer, zh: 雇主, may_be_none: true, fields: {size: {type: integer}, since: {type: date}, address: {type: object, fields: {city: {type: text}}}, faith: {type: text, prohibited: true}}}
accounts: {type: list, of: object, en: Accounts, zh: 账户, may_be_none: true, fields: {type: {type: enum, values: {a: [checking], b: []}}, balance: {type: money, unit: USD}, limit: {type: money, unit: USD}, cards: {type: list, of: object, fields: {brand: {type: text}}}, district: {type: text, proxy: true}}}
plain: {type: list, of: object, en: Plain, zh: 无字段}`,
})

function outcome(when: string, states: Readonly<Record<string, FactState>>) {
  const [rule] = evaluate(packWithRules([ruleWith({ when })], { facts }), aQuestion(states)).rules
  assert.ok(rule)
  return rule.outcome
}

function traceOf(when: string, states: Readonly<Record<string, FactState>>) {
  const [rule] = evaluate(packWithRules([ruleWith({ when })], { facts }), aQuestion(states)).rules
  assert.ok(rule)
  return rule.trace
}

function faultsOf(when: string, more: string = ''): string[] {
  try {
    parsePack(packFiles({ 't.yaml': ruleWith({ when, more }), 'facts.yaml': facts }))
  } catch (cause) {
    assert.ok(cause instanceof Failure)
    return cause.faults.map((fault) => `${fault.at} ${fault.why}`)
  }
  return []
}

function refused(when: string, pattern: RegExp): void {
  const faults = faultsOf(when)
  assert.equal(faults.length, 1, faults.join('\n'))
  assert.match(faults[0] ?? '', pattern)
}

const readBy = (value: FactValue, method: string | null): FactState => ({
  state: 'known',
  value,
  confidence: 0.9,
  method,
})

describe('between', () => {
  it('includes both ends, of numbers, amounts, days and times', () => {
    const within = '{fact: loan_amount, operator: between, value: [100, 200.50]}'
    for (const [amount, expected] of [
      ['99.99', 'not_fired'],
      ['100', 'fired'],
      ['200.5', 'fired'],
      ['200.51', 'not_fired'],
    ] as const)
      assert.equal(outcome(within, { loan_amount: known(amount) }), expected, amount)
    const days = '{fact: discharged, operator: between, value: [2024-02-28, 2024-02-29]}'
    assert.equal(outcome(days, { discharged: known('2024-02-29') }), 'fired')
    assert.equal(outcome(days, { discharged: known('2024-03-01') }), 'not_fired')
    assert.equal(outcome(days, { discharged: none() }), 'not_applicable')
    assert.equal(outcome(days, {}), 'unknown')
    // A day stands for its start in the policy's zone.
    const times = '{fact: checked_at, operator: between, value: [2026-01-01, 2026-01-02]}'
    assert.equal(outcome(times, { checked_at: known('2026-01-02T05:00:00.000Z') }), 'fired')
    assert.equal(outcome(times, { checked_at: known('2026-01-02T05:00:00.001Z') }), 'not_fired')
  })

  it('shows the distance to the nearer end', () => {
    const margin = (when: string, states: Readonly<Record<string, FactState>>) => {
      const trace = traceOf(when, states)
      return 'margin' in trace ? trace.margin : undefined
    }
    const within = '{fact: score, operator: between, value: [10, 20]}'
    assert.equal(margin(within, { score: known('18') }), '2')
    assert.equal(margin(within, { score: known('7') }), '3')
    const days = '{fact: discharged, operator: between, value: [2024-01-01, 2024-12-31]}'
    assert.equal(margin(days, { discharged: known('2025-01-02') }), 'P2D')
  })

  it('takes two values in order', () => {
    refused('{fact: score, operator: between, value: 5}', /needs `\[low, high\]`, both included; got `5`/)
    refused('{fact: score, operator: between, value: [1, 2, 3]}', /both included; got 3 values/)
    refused('{fact: score, operator: between, value: [2, 1]}', /never hold: `2` lies above `1`/)
    refused('{fact: score, operator: between, value: {fact: loan_amount}}', /for a fact use two comparisons/)
    refused('{fact: label, operator: between, value: [a, b]}', /needs an order/)
  })
})

describe('days and times', () => {
  it('compare as they lie in time', () => {
    for (const [operator, before, same, after] of [
      ['lessThan', 'fired', 'not_fired', 'not_fired'],
      ['lessThanInclusive', 'fired', 'fired', 'not_fired'],
      ['equal', 'not_fired', 'fired', 'not_fired'],
      ['notEqual', 'fired', 'not_fired', 'fired'],
      ['greaterThanInclusive', 'not_fired', 'fired', 'fired'],
      ['greaterThan', 'not_fired', 'not_fired', 'fired'],
    ] as const) {
      const day = `{fact: discharged, operator: ${operator}, value: 2024-02-29}`
      assert.equal(outcome(day, { discharged: known('2024-02-28') }), before)
      assert.equal(outcome(day, { discharged: known('2024-02-29') }), same)
      assert.equal(outcome(day, { discharged: known('2024-03-01') }), after)
      const time = `{fact: checked_at, operator: ${operator}, value: 2024-02-29T23:30:00-05:00}`
      assert.equal(outcome(time, { checked_at: known('2024-03-01T04:29:59.999Z') }), before)
      assert.equal(outcome(time, { checked_at: known('2024-03-01T04:30:00.000Z') }), same)
      assert.equal(outcome(time, { checked_at: known('2024-03-01T04:30:00.001Z') }), after)
    }
  })

  it('a day and a time are not compared with each other', () => {
    refused('{fact: discharged, operator: lessThan, value: {fact: checked_at}}', /cannot compare it with/)
  })
})

describe('how a fact was read', () => {
  const byOcr = '{fact: label, operator: ocr_verified}'

  it('ocr_verified and verified_by hold for the method of the believed reading', () => {
    assert.equal(outcome(byOcr, { label: readBy('x', 'ocr') }), 'fired')
    assert.equal(outcome(byOcr, { label: readBy('x', 'api') }), 'not_fired')
    assert.equal(outcome(byOcr, { label: readBy('x', null) }), 'not_fired')
    assert.equal(outcome(byOcr, { label: known('x') }), 'not_fired')
    const either = '{fact: label, operator: verified_by, value: [ocr, api]}'
    assert.equal(outcome(either, { label: readBy('x', 'api') }), 'fired')
    assert.equal(
      outcome('{fact: label, operator: verified_by, value: api}', { label: readBy('x', 'api') }),
      'fired',
    )
  })

  it('an unknown or weak reading is unknown, a none not applicable', () => {
    assert.equal(outcome(byOcr, {}), 'unknown')
    assert.equal(
      outcome(byOcr, { label: { ...readBy('x', 'ocr'), confidence: 0.69 } as FactState }),
      'unknown',
    )
    assert.equal(
      outcome('{fact: discharged, operator: ocr_verified}', { discharged: none() }),
      'not_applicable',
    )
  })

  it('exists holds when there is a value, and does not for a none', () => {
    const exists = '{all: [{fact: discharged, operator: exists}, {fact: score, operator: equal, value: 1}]}'
    const score = known('1')
    assert.equal(outcome(exists, { score, discharged: known('2024-01-01') }), 'fired')
    assert.equal(outcome(exists, { score, discharged: none() }), 'not_fired')
    assert.equal(outcome(exists, { score }), 'unknown')
  })

  it('exists is isKnown: no adverse rule rests on it alone', () => {
    refused('{fact: label, operator: exists}', /an adverse rule may not rest on `isKnown` alone/)
  })

  it('methods are declared, and nothing worked out has one', () => {
    refused(
      '{fact: label, operator: verified_by, value: ocrr}',
      /no method `ocrr` under `methods` in sources.yaml; did you mean `ocr`/,
    )
    refused('{fact: label, operator: bank_api_confirmed}', /no method `bank_api`/)
    refused('{fact: debt_to_income, operator: ocr_verified}', /is worked out, so no method has read it/)
    refused('{fact: label, operator: exists, value: true}', /takes no `value`/)
    refused('{fact: label, operator: verified_by}', /`value` is missing/)
  })
})

describe('fields of an object', () => {
  const employer = (fields: Readonly<Record<string, FactValue>>) => ({ employer: known(fields) })

  it('are read by a plain path, written either way, and typed', () => {
    for (const when of [
      '{fact: employer.size, operator: lessThan, value: 50}',
      '{fact: employer, path: size, operator: lessThan, value: 50}',
    ]) {
      assert.equal(outcome(when, employer({ size: '9' })), 'fired')
      assert.equal(outcome(when, employer({ size: '50' })), 'not_fired')
      assert.equal(outcome(when, employer({})), 'unknown')
      assert.equal(outcome(when, {}), 'unknown')
      assert.equal(outcome(when, { employer: none() }), 'not_applicable')
    }
    const city = '{fact: employer.address.city, operator: equal, value: Lyon}'
    assert.equal(outcome(city, employer({ address: { city: 'Lyon' } })), 'fired')
    assert.equal(outcome(city, employer({ address: {} })), 'unknown')
  })

  it('what is missing is the object', () => {
    const pack = packWithRules([ruleWith({ when: '{fact: employer.size, operator: lessThan, value: 5}' })], {
      facts,
    })
    const [rule] = evaluate(pack, aQuestion(employer({}))).rules
    assert.deepEqual(rule?.unknownFacts, ['employer'])
  })

  it('can be used in expressions, offers nothing inherited, and evaluates nothing', () => {
    const derived = factsWith({
      facts: 'employer: {type: object, en: E, zh: 雇, fields: {size: {type: integer}}}',
      derived: 'double: {type: integer, expression: employer.size * 2, en: D, zh: 倍}',
    })
    const pack = packWithRules([ruleWith({ when: '{fact: double, operator: equal, value: 8}' })], {
      facts: derived,
    })
    assert.equal(evaluate(pack, aQuestion(employer({ size: '4' }))).rules[0]?.outcome, 'fired')
    refused('{fact: employer.constructor, operator: isKnown}', /there is no fact `employer.constructor`/)
    refused('{fact: employer.__proto__, operator: isKnown}', /there is no fact/)
    refused('{fact: "employer[?(@.size)]", operator: isKnown}', /there is no fact/)
    refused('{fact: employer.sise, operator: isKnown}', /did you mean `employer.size`/)
    refused('{fact: employer, operator: equal, value: {size: 4}}', /compare a field of it/)
  })

  it('a protected field is refused like a protected fact', () => {
    refused(
      '{fact: employer.faith, operator: equal, value: x}',
      /reads `employer.faith`, a protected attribute/,
    )
  })
})

describe('some and every', () => {
  const accounts = (...list: Readonly<Record<string, FactValue>>[]) => ({ accounts: known(list) })
  const both = (operator: string) =>
    `{fact: accounts, operator: ${operator}, value: {all: [{field: type, operator: equal, value: A}, {field: balance, operator: greaterThan, value: 100}]}}`

  it('test one element at a time', () => {
    const apart = accounts({ type: 'a', balance: '50' }, { type: 'b', balance: '500' })
    assert.equal(outcome(both('some'), apart), 'not_fired')
    assert.equal(
      outcome(both('some'), accounts({ type: 'b', balance: '1' }, { type: 'a', balance: '101' })),
      'fired',
    )
    assert.equal(
      outcome(both('every'), accounts({ type: 'a', balance: '101' }, { type: 'a', balance: '500' })),
      'fired',
    )
    assert.equal(outcome(both('every'), apart), 'not_fired')
  })

  it('of an empty list some is false, and every is not applicable, so that no rule fires on nothing', () => {
    assert.equal(outcome(both('some'), accounts()), 'not_fired')
    assert.equal(outcome(both('every'), accounts()), 'not_applicable')
    assert.equal(outcome(`{not: ${both('every')}}`, accounts()), 'not_applicable')
    assert.equal(outcome(`{not: ${both('some')}}`, accounts()), 'fired')
    assert.equal(outcome(both('some'), { accounts: none() }), 'not_applicable')
    assert.equal(outcome(both('some'), {}), 'unknown')
  })

  it('a field that an element lacks is unknown, and decides nothing', () => {
    assert.equal(outcome(both('some'), accounts({ type: 'a' })), 'unknown')
    assert.equal(outcome(both('some'), accounts({ type: 'a' }, { type: 'a', balance: '500' })), 'fired')
    assert.equal(outcome(both('some'), accounts({ type: 'b' })), 'not_fired')
    assert.equal(outcome(both('every'), accounts({ type: 'a' }, { type: 'b', balance: '1' })), 'not_fired')
  })

  it('compare with a fact, with another field, and with lists inside', () => {
    const outside =
      '{fact: accounts, operator: some, value: {field: balance, operator: greaterThan, value: {fact: loan_amount}}}'
    const states = { ...accounts({ balance: '500' }), loan_amount: known('499') }
    assert.equal(outcome(outside, states), 'fired')
    const beside =
      '{fact: accounts, operator: some, value: {field: balance, operator: greaterThan, value: {field: limit}}}'
    assert.equal(
      outcome(beside, accounts({ balance: '1', limit: '2' }, { balance: '3', limit: '2' })),
      'fired',
    )
    const inside =
      '{fact: accounts, operator: some, value: {all: [{field: type, operator: equal, value: b}, {field: cards, operator: every, value: {field: brand, operator: equal, value: x}}]}}'
    assert.equal(outcome(inside, accounts({ type: 'b', cards: [{ brand: 'x' }] })), 'fired')
    assert.equal(
      outcome(inside, accounts({ type: 'b', cards: [{ brand: 'x' }, { brand: 'y' }] })),
      'not_fired',
    )
    assert.equal(outcome(inside, accounts({ type: 'b', cards: [] })), 'not_applicable')
  })

  it('the trace shows the first element that decides', () => {
    const trace = traceOf(both('some'), accounts({ type: 'b', balance: '1' }, { type: 'a', balance: '101' }))
    assert.ok('element' in trace)
    assert.equal(trace.element?.index, 1)
    assert.equal(trace.element?.trace.result, 'true')
    assert.equal(trace.why, 'element 2 of 2 is true')
  })

  it('need a list of objects with declared fields, and name those', () => {
    const test = (fact: string, value: string) => `{fact: ${fact}, operator: some, value: ${value}}`
    refused(
      test('plain', '{field: a, operator: isKnown}'),
      /needs a list `of: object` with its `fields` declared; `plain` is a list without `fields`/,
    )
    refused(test('tags', '{field: a, operator: isKnown}'), /`tags` is a list/)
    refused(
      test('accounts', '{field: balanse, operator: isKnown}'),
      /no field `balanse` in an element of `accounts`; did you mean `balance`/,
    )
    refused(
      test('accounts', '{fact: loan_amount, operator: isKnown}'),
      /names a `field` of `accounts`[\s\S]*/,
    )
    refused(
      '{fact: accounts.balance, operator: equal, value: 1}',
      /`accounts` is a list: test its elements with `some` or `every`/,
    )
    refused('{fact: "accounts[].balance", operator: equal, value: 1}', /there is no fact/)
    refused(
      test('accounts', '{field: district, operator: equal, value: x}'),
      /reads `accounts\[\].district`, a likely proxy/,
    )
    refused('{fact: score, operator: equal, value: {field: balance}}', /within `some` or `every`; use `fact`/)
    refused(
      '{not: {fact: accounts, operator: some, value: {field: balance, operator: isUnknown}}}',
      /may not stand under `not`/,
    )
  })
})
