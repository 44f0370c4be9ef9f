import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FactState } from '../../src/domain/fact.ts'
import { fillTemplate } from '../../src/rules/fill-template.ts'
import { known, none, packWithRules, ruleWith } from '../support/pack-builders.ts'

const { content } = packWithRules([
  ruleWith({
    when: '{any: [{fact: share, operator: greaterThan, value: 0.45}, {fact: monthly_income, operator: lessThan, value: 4000}, {fact: loan_amount, operator: greaterThan, value: {fact: new_payment}}]}',
  }),
])

function fill(template: string, states: Readonly<Record<string, FactState>>, language: 'en' | 'zh' = 'en') {
  return fillTemplate(template, new Map(Object.entries(states)), content, language)
}

describe('reason texts', () => {
  it('write ratios, amounts, numbers and days, the same in every locale', () => {
    assert.equal(fill('{share|percent} of income', { share: known('0.525') }), '52.5 % of income')
    assert.equal(fill('{share|percent}', { share: known('0.3333333333333333333333333333333333') }), '33.33 %')
    assert.equal(fill('{monthly_income|money}', { monthly_income: known('4000') }), 'USD 4,000.00')
    assert.equal(fill('{monthly_income}', { monthly_income: known('1234567.5') }, 'zh'), 'USD 1,234,567.50')
    assert.equal(fill('{score|number} / {score}', { score: known('-12345') }), '-12,345 / -12345')
    assert.equal(fill('{discharged|date}', { discharged: known('2026-05-01') }), '2026-05-01')
    assert.equal(fill('{checked_at|date}', { checked_at: known('2026-05-01T02:00:00.000Z') }), '2026-04-30')
    assert.equal(
      fill('{label}, {is_verified}, {tags}', {
        label: known('a {b}'),
        is_verified: known(true),
        tags: known(['x', 'y']),
      }),
      'a {b}, yes, x, y',
    )
    assert.equal(fill('{is_verified}', { is_verified: known(false) }, 'zh'), '否')
  })

  it('never round a value onto a limit that it is not', () => {
    assert.equal(fill('{share|percent}', { share: known('0.450000001') }), '45.0000001 %')
    assert.equal(fill('{share|percent}', { share: known('0.45') }), '45 %')
    assert.equal(fill('{share|percent}', { share: known('0.44999') }), '44.999 %')
    assert.equal(fill('{monthly_income}', { monthly_income: known('3999.999') }), 'USD 3,999.999')
    assert.equal(
      fill('{loan_amount}', { loan_amount: known('100.001'), new_payment: known('100') }),
      'USD 100.001',
    )
  })

  it('are undefined while a value is not known, and never throw', () => {
    assert.equal(fill('{share}', {}), undefined)
    assert.equal(fill('{share}', { share: none() }), undefined)
    assert.equal(fill('{share}', { share: { state: 'error', why: 'x' } }), undefined)
    assert.equal(fill('{nothing}', {}), undefined)
    assert.equal(fill('{share', { share: known('1') }), undefined)
    assert.equal(fill('{label|percent}', { label: known('x') }), 'x')
    assert.equal(fill('plain', {}), 'plain')
  })
})
