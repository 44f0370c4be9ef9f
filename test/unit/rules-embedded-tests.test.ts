import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import { packWithRules, ruleWith } from '../support/pack-builders.ts'

function loads(rule: string): string {
  try {
    packWithRules([rule])
  } catch (cause) {
    assert.ok(cause instanceof Failure)
    assert.equal(cause.code, 'RULE_FILE_INVALID')
    return cause.message
  }
  return ''
}

const over = '{fact: debt_to_income, operator: greaterThan, value: 0.45}'
const test = (given: string, expect: string) =>
  ruleWith({ when: over, more: `tests: [{name: one, given: ${given}, expect: ${expect}}]` })

describe('tests inside a rule file', () => {
  it('pass when the rule does what they say, a derived fact given or worked out', () => {
    assert.equal(loads(test('{debt_to_income: 0.4501}', '{fires: true, episodes: [something]}')), '')
    assert.equal(
      loads(
        test(
          '{monthly_income: 1000, monthly_debts: 450, new_payment: 0}',
          '{outcome: not_fired, episodes: []}',
        ),
      ),
      '',
    )
    assert.equal(loads(test('{monthly_income: 1000}', '{outcome: unknown, fires: false}')), '')
    assert.equal(loads(test('{debt_to_income: null}', '{outcome: not_applicable}')), '')
  })

  it('stop the pack when it does something else, and say what it did', () => {
    const message = loads(test('{debt_to_income: 0.45}', '{fires: true}'))
    assert.match(message, /T-1@1\.0\.0: test `one`: expected fired; got not_fired, episodes \[\]/)
    assert.match(message, /debt_to_income greaterThan 0\.45 is false: 0\.45/)
  })

  it('run each version inside its own time, and can name the times and consents', () => {
    const ended = `effective: {from: 2014-01-10, until: 2022-10-01}\ntests: [{name: one, given: {debt_to_income: 0.5}, expect: {fires: true}}]`
    assert.equal(loads(ruleWith({ when: over, more: ended })), '')
    const until = `effective: {until: 2022-10-01}\ntests: [{name: one, given: {debt_to_income: 0.5}, expect: {fires: true}}]`
    assert.equal(loads(ruleWith({ when: over, more: until })), '')
    const named = ruleWith({
      when: '{all: [{fact: as_of, operator: greaterThan, value: 2026-02-01}, {fact: consents, operator: contains, value: a}]}',
      more: 'tests: [{name: one, given: {as_of: 2026-02-02, received_at: 2026-01-01, consents: [a]}, expect: {fires: true}}]',
    })
    assert.equal(loads(named), '')
    const outside = `effective: {until: 2022-10-01}\ntests: [{name: one, given: {debt_to_income: 0.5, received_at: 2023-01-01}, expect: {fires: true}}]`
    assert.match(loads(ruleWith({ when: over, more: outside })), /not in force at 2023-01-01/)
  })
})
