import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FactState } from '../../src/domain/fact.ts'
import { evaluate, type Question } from '../../src/rules/evaluate.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { aQuestion, factsWith, known, none, packWithRules, ruleWith } from '../support/pack-builders.ts'

type Facts = Readonly<Record<string, FactState>>

function outcomeOf(ruleSet: RuleSet, facts: Facts, changes: Partial<Question> = {}) {
  const { rules } = evaluate(ruleSet, aQuestion(facts, changes))
  return Object.fromEntries(rules.map((rule) => [rule.ruleId, rule.outcome]))
}

function only(ruleSet: RuleSet, facts: Facts, changes: Partial<Question> = {}) {
  const [rule] = evaluate(ruleSet, aQuestion(facts, changes)).rules
  assert.ok(rule)
  return rule
}

const dti = ruleWith({ when: '{fact: debt_to_income, operator: greaterThan, value: 0.45}' })

describe('evaluating rules', () => {
  it('ends every rule as fired, not fired, not applicable, unknown or error', () => {
    const pack = packWithRules([dti])
    const facts = (income: FactState): Facts => ({
      monthly_income: income,
      monthly_debts: known('1800'),
      new_payment: known('0'),
    })
    assert.equal(only(pack, facts(known('3999'))).outcome, 'fired')
    assert.equal(only(pack, facts(known('4000'))).outcome, 'not_fired')
    assert.equal(only(pack, facts(known('0'))).outcome, 'error')
    assert.match(only(pack, facts(known('0'))).error ?? '', /debt_to_income: division by zero/)
    const unknown = only(pack, { monthly_debts: known('1800') })
    assert.equal(unknown.outcome, 'unknown')
    assert.deepEqual(unknown.unknownFacts, ['monthly_income', 'new_payment'])
    const score = packWithRules([ruleWith({ when: '{fact: score, operator: lessThan, value: 5}' })])
    assert.equal(only(score, { score: none() }).outcome, 'not_applicable')
  })

  it('takes a none for unknown where the fact may not be none, and a weak fact for unknown', () => {
    const pack = packWithRules([ruleWith({})])
    assert.equal(only(pack, { is_verified: none() }).outcome, 'unknown')
    const weak = only(pack, { is_verified: known(false, 0.54) })
    assert.equal(weak.outcome, 'unknown')
    assert.deepEqual(weak.unknownFacts, ['is_verified'])
    assert.equal('why' in weak.trace && weak.trace.why, 'not evaluated: confidence 0.54 < 0.70')
    assert.equal(only(pack, { is_verified: known(false, 0.7) }).outcome, 'fired')
  })

  it('gives findings the confidence of the weakest base fact, and names it', () => {
    const pack = packWithRules([dti.replace('toward: manual_review_required', 'toward: credit_rejection')])
    const facts = {
      monthly_income: known('1000', 0.95),
      monthly_debts: known('900', 0.8),
      new_payment: known('0', 0.9),
    }
    const { findings, states } = evaluate(pack, aQuestion(facts))
    assert.deepEqual(findings, [
      {
        type: 'something',
        toward: 'credit_rejection',
        rule: 'T-1@1.0.0',
        confidence: 0.8,
        weakest: 'monthly_debts',
        occurred_at: null,
        may_prevent: true,
      },
    ])
    assert.deepEqual(states.get('debt_to_income'), known('0.9', 0.8))
  })

  it('traces actual and required values with the margin', () => {
    const pack = packWithRules([
      ruleWith({
        when: `{all: [{fact: score, operator: lessThan, value: 5}, {fact: discharged, operator: greaterThan, value: 2025-01-01},
  {fact: monthly_income, operator: greaterThan, value: {fact: monthly_debts}}]}`,
      }),
    ])
    const { trace } = only(pack, {
      score: known('7'),
      discharged: known('2025-01-13'),
      monthly_income: known('10.5'),
      monthly_debts: known('10'),
    })
    assert.ok('parts' in trace)
    const shown = trace.parts.map((part) =>
      'margin' in part ? [part.result, part.actual, part.required, part.requiredFact, part.margin] : [],
    )
    assert.deepEqual(shown, [
      ['false', '7', '5', null, '2'],
      ['true', '2025-01-13', '2025-01-01', null, 'P12D'],
      ['true', '10.5', '10', 'monthly_debts', '0.5'],
    ])
  })

  it('reads as_of, received_at and the consents as facts', () => {
    const pack = packWithRules([
      ruleWith({ id: 'A', when: '{fact: consents, operator: doesNotContain, value: credit_bureau}' }),
      ruleWith({ id: 'B', when: '{fact: received_at, operator: lessThan, value: {fact: as_of}}' }),
    ])
    assert.deepEqual(outcomeOf(pack, {}), { A: 'fired', B: 'not_fired' })
    const later = { consents: ['credit_bureau'], asOfMs: Date.UTC(2026, 5, 2) }
    assert.deepEqual(outcomeOf(pack, {}, later), { A: 'not_fired', B: 'fired' })
  })

  it('runs the highest version in force on the day of receipt in the pack\u2019s zone, and says where none is', () => {
    const version = (number: string, from: string, until: string) =>
      ruleWith({ id: 'A', version: number, more: `effective: {from: ${from}, until: ${until}}` })
    const pack = packWithRules([
      version('1.9.0', '2026-01-01', '2026-07-01'),
      version('1.10.0', '2026-03-01', '2026-06-01'),
      ruleWith({ id: 'B', more: 'effective: {until: 2026-01-01}' }),
    ])
    const inForce = (receivedAtMs: number) => {
      const { rules, notInForce } = evaluate(pack, aQuestion({}, { receivedAtMs }))
      return [rules.map((rule) => rule.id), notInForce]
    }
    // Midnight of 1 June in New York is 04:00 UTC.
    assert.deepEqual(inForce(Date.UTC(2026, 5, 1, 3, 59)), [['A@1.10.0'], ['B']])
    assert.deepEqual(inForce(Date.UTC(2026, 5, 1, 4)), [['A@1.9.0'], ['B']])
    assert.deepEqual(inForce(Date.UTC(2026, 6, 1, 4)), [[], ['A', 'B']])
    assert.deepEqual(inForce(Date.UTC(2025, 11, 31)), [['B@1.0.0'], ['A']])
  })

  it('dates a finding by its fact, and is unknown while that date is', () => {
    const pack = packWithRules([ruleWith({ then: '[{episode: something, dated_by: discharged}]' })])
    const facts = (date: FactState): Facts => ({ is_verified: known(false), discharged: date })
    const dated = only(pack, facts(known('2026-05-01', 0.75)))
    assert.deepEqual(
      dated.findings.map(({ occurred_at, confidence, weakest }) => [occurred_at, confidence, weakest]),
      [['2026-05-01T04:00:00.000Z', 0.75, 'discharged']],
    )
    const lost = only(pack, { is_verified: known(false) })
    assert.deepEqual([lost.outcome, lost.unknownFacts], ['unknown', ['discharged']])
    const undated = only(pack, facts(none()))
    assert.deepEqual(
      undated.findings.map(({ occurred_at, may_prevent }) => [occurred_at, may_prevent]),
      [[null, false]],
    )
  })

  it('lets findings of a rule that tests isUnknown prevent nothing', () => {
    const pack = packWithRules([ruleWith({ when: '{fact: is_verified, operator: isUnknown}' })])
    const rule = only(pack, {})
    assert.deepEqual([rule.outcome, rule.confidence, rule.findings[0]?.may_prevent], ['fired', 1, false])
    assert.equal(only(pack, { is_verified: known(true) }).outcome, 'not_fired')
  })

  it('an unknown episode history leaves what counts it unknown', () => {
    const pack = packWithRules([ruleWith({ when: '{fact: overdues, operator: greaterThan, value: 0}' })])
    assert.equal(only(pack, {}).outcome, 'not_fired')
    const rule = only(pack, {}, { history: undefined })
    assert.deepEqual([rule.outcome, rule.unknownFacts], ['unknown', ['overdues']])
  })
})

describe('memory that rules set', () => {
  const writer = (
    id: string,
    value: string,
    when = '{fact: is_verified, operator: equal, value: true}',
    more = '',
  ) => ruleWith({ id, when, then: `[{set_memory: {key: affordability, value: ${value}${more}}}]` })
  const reader = ruleWith({ id: 'A-reader', when: '{fact: affordability, operator: equal, value: failed}' })

  it('is there before it is read, whatever the rules are called', () => {
    const pack = packWithRules([reader, writer('Z', 'failed')])
    assert.deepEqual(outcomeOf(pack, { is_verified: known(true) }), { 'A-reader': 'fired', Z: 'fired' })
  })

  it('is none when no writer fired, unknown when one is unknown or in error', () => {
    const pack = packWithRules([reader, writer('Z', 'failed')])
    assert.equal(outcomeOf(pack, { is_verified: known(false) })['A-reader'], 'not_applicable')
    const open = evaluate(pack, aQuestion({}))
    assert.deepEqual(open.rules[0]?.unknownFacts, ['is_verified'])
    assert.equal(open.rules[0]?.outcome, 'unknown')
    const broken = packWithRules([
      reader,
      writer('Z', 'failed', '{fact: debt_to_income, operator: greaterThan, value: 1}'),
    ])
    const zero = { monthly_income: known('0'), monthly_debts: known('0'), new_payment: known('0') }
    assert.deepEqual(outcomeOf(broken, zero), { 'A-reader': 'unknown', Z: 'error' })
  })

  it('is contested, hence unknown, when writers differ, and as sure as the surest when they agree', () => {
    const facts = { is_verified: known(true, 0.9) }
    const differ = evaluate(
      packWithRules([reader, writer('Y', 'failed'), writer('Z', 'passed')]),
      aQuestion(facts),
    )
    assert.equal(differ.rules[0]?.outcome, 'unknown')
    const [write] = differ.memory
    assert.match(write?.state.state === 'unknown' ? write.state.why : '', /contested: Y@1\.0\.0, Z@1\.0\.0/)
    const weaker = writer('Y', 'failed', undefined, ', confidence: 0.75')
    const agree = evaluate(packWithRules([reader, weaker, writer('Z', 'failed')]), aQuestion(facts))
    assert.deepEqual(agree.memory, [
      { key: 'affordability', state: known('failed', 0.9), writers: ['Y@1.0.0', 'Z@1.0.0'] },
    ])
    assert.deepEqual([agree.findings[0]?.confidence, agree.findings[0]?.weakest], [0.9, 'is_verified'])
    const alone = evaluate(packWithRules([reader, weaker]), aQuestion(facts))
    assert.deepEqual([alone.findings[0]?.confidence, alone.findings[0]?.weakest], [0.75, 'affordability'])
  })

  it('set with too little confidence is unknown to its readers', () => {
    const pack = packWithRules([reader, writer('Z', 'failed', undefined, ', confidence: 0.5')])
    assert.equal(outcomeOf(pack, { is_verified: known(true) })['A-reader'], 'unknown')
  })

  it('can be read by derived facts', () => {
    const facts = factsWith({
      derived: 'has_failed: {type: boolean, en: X, zh: 甲, expression: "affordability == \'failed\'"}',
    })
    const last = ruleWith({ id: 'A', when: '{fact: has_failed, operator: equal, value: true}' })
    const pack = packWithRules([last, writer('Z', 'failed')], { facts })
    assert.deepEqual(outcomeOf(pack, { is_verified: known(true) }), { A: 'fired', Z: 'fired' })
  })
})
