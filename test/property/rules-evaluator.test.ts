import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FactState } from '../../src/domain/fact.ts'
import type { Condition } from '../../src/domain/rule.ts'
import { testCondition } from '../../src/rules/evaluate.ts'
import { randomCases } from '../support/cases.ts'
import { factsWith, packWithRules, ruleWith } from '../support/pack-builders.ts'
import { meaningOf } from '../support/reference-evaluator.ts'

const numbers = new Set(['n1', 'n2', 'n3'])
const facts = factsWith({
  facts: `n1: {type: number, en: N1, zh: 一, may_be_none: true}
n2: {type: number, en: N2, zh: 二, may_be_none: true}
n3: {type: number, en: N3, zh: 三, may_be_none: true}
t1: {type: text, en: T1, zh: 四, may_be_none: true}
b1: {type: boolean, en: B1, zh: 五, may_be_none: true}
l1: {type: list, of: text, en: L1, zh: 六, may_be_none: true}`,
})
const pack = packWithRules([ruleWith({})], { facts })

const confidence = fc.integer({ min: 70, max: 100 }).map((percent) => percent / 100)
const numberText = fc.constantFrom('0', '1', '2', '2.5', '-1', '10000', '9999.99', '0.3')
const wordText = fc.constantFrom('a', 'b', 'ab')

function stateOf(value: fc.Arbitrary<string | boolean | string[]>): fc.Arbitrary<FactState> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ state: fc.constant('known' as const), value, confidence }) },
    { weight: 2, arbitrary: fc.constant({ state: 'unknown' as const, why: 'absent', missing: ['x'] }) },
    { weight: 2, arbitrary: fc.record({ state: fc.constant('none' as const), confidence }) },
    { weight: 1, arbitrary: fc.constant({ state: 'error' as const, why: 'division by zero' }) },
  )
}

const factStates = fc.record({
  n1: stateOf(numberText),
  n2: stateOf(numberText),
  n3: stateOf(numberText),
  t1: stateOf(wordText),
  b1: stateOf(fc.boolean()),
  l1: stateOf(fc.array(wordText, { maxLength: 3 })),
})

const numberName = fc.constantFrom('n1', 'n2', 'n3')
const comparisons = fc.constantFrom(
  ...(['equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'] as const),
)
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    fact: numberName,
    operator: comparisons,
    value: fc.oneof(numberText, fc.record({ fact: numberName })),
  }),
  fc.record({
    fact: numberName,
    operator: fc.constantFrom('in' as const, 'notIn' as const),
    value: fc.array(numberText, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    fact: fc.constantFrom('t1', 'l1'),
    operator: fc.constantFrom('contains' as const, 'doesNotContain' as const),
    value: wordText,
  }),
  fc.record({
    fact: fc.constant('b1'),
    operator: fc.constantFrom('equal' as const, 'notEqual' as const),
    value: fc.boolean(),
  }),
  fc.record({
    fact: fc.constantFrom('n1', 't1', 'b1', 'l1'),
    operator: fc.constantFrom('isKnown' as const, 'isUnknown' as const, 'isNone' as const),
  }),
)

const conditions: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
    tie('tree').map((not) => ({ not })),
  ),
})).tree

function judged(condition: Condition, states: Readonly<Record<string, FactState>>) {
  const { result, confidence: sure } = testCondition(pack, condition, new Map(Object.entries(states)))
  return { result, confidence: sure }
}

describe('the evaluator of conditions', () => {
  it('says what the plain reference says, confidence too, for any condition and facts', () => {
    const cases = randomCases('evaluator against the reference', 50_000)
    fc.assert(
      fc.property(conditions, factStates, (condition, states) => {
        assert.deepEqual(judged(condition, states), meaningOf(condition, states, numbers))
      }),
      cases,
    )
  })

  it('keeps the laws of three-valued logic', () => {
    const cases = randomCases('laws of three-valued logic', 20_000)
    fc.assert(
      fc.property(conditions, conditions, factStates, (one, two, states) => {
        const same = (left: Condition, right: Condition) =>
          assert.deepEqual(judged(left, states), judged(right, states))
        same({ not: { not: one } }, one)
        same({ all: [one, two] }, { all: [two, one] })
        same({ any: [one, two] }, { any: [two, one] })
        same({ all: [one] }, one)
        same({ any: [one] }, one)
        same({ all: [one, one] }, one)
        same({ any: [one, one] }, one)
      }),
      cases,
    )
  })

  it('losing a fact never turns an answer around: it stays, or nobody knows', () => {
    const withoutUnknown = conditions.filter((condition) => !JSON.stringify(condition).includes('isUnknown'))
    const cases = randomCases('losing a fact', 20_000)
    fc.assert(
      fc.property(
        withoutUnknown,
        factStates,
        fc.constantFrom('n1', 'n2', 'n3', 't1', 'b1', 'l1'),
        (condition, states, lost) => {
          const before = judged(condition, states).result
          const after = judged(condition, {
            ...states,
            [lost]: { state: 'unknown', why: 'lost', missing: [lost] },
          }).result
          // A rule that fired stays fired or is unknown; one that is unknown or in error never reads as passed.
          if (before === 'true')
            assert.ok(after === 'true' || after === 'unknown' || after === 'error', after)
          if (before === 'false' || before === 'none') assert.notEqual(after, 'true')
          if (before === 'unknown' || before === 'error')
            assert.ok(after === 'unknown' || after === 'error', after)
        },
      ),
      cases,
    )
  })
})
