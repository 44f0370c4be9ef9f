import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FactState, FactValue } from '../../src/domain/fact.ts'
import type { Condition } from '../../src/domain/rule.ts'
import { testCondition } from '../../src/rules/evaluate.ts'
import { computedOf } from '../../src/rules/given-state.ts'
import { judgeWhole } from '../../src/rules/judge-boosts.ts'
import { randomCases } from '../support/cases.ts'
import { factsWith, packWithRules, ruleWith } from '../support/pack-builders.ts'
import { meaningOf, ruleMeaning } from '../support/reference-evaluator.ts'

const numbers = new Set(['n1', 'n2', 'n3', 'o1.n', 'a1[].n'])
const facts = factsWith({
  facts: `n1: {type: number, en: N1, zh: 一, may_be_none: true}
n2: {type: number, en: N2, zh: 二, may_be_none: true}
n3: {type: number, en: N3, zh: 三, may_be_none: true}
t1: {type: text, en: T1, zh: 四, may_be_none: true}
b1: {type: boolean, en: B1, zh: 五, may_be_none: true}
l1: {type: list, of: text, en: L1, zh: 六, may_be_none: true}
d1: {type: date, en: D1, zh: 七, may_be_none: true}
i1: {type: instant, en: I1, zh: 八, may_be_none: true}
o1: {type: object, fields: {n: {type: number}, t: {type: text}}, en: O1, zh: 九, may_be_none: true}
a1: {type: list, of: object, fields: {n: {type: number}, t: {type: text}}, en: A1, zh: 十, may_be_none: true}`,
})
const pack = packWithRules([ruleWith({})], { facts })

const confidence = fc.integer({ min: 70, max: 100 }).map((percent) => percent / 100)
const numberText = fc.constantFrom('0', '1', '2', '2.5', '-1', '10000', '9999.99', '0.3')
const wordText = fc.constantFrom('a', 'b', 'ab')

const method = fc.constantFrom('ocr', 'api')

function stateOf(value: fc.Arbitrary<FactValue>): fc.Arbitrary<FactState> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        { state: fc.constant('known' as const), value, confidence, method },
        { requiredKeys: ['state', 'value', 'confidence'] },
      ),
    },
    { weight: 2, arbitrary: fc.constant({ state: 'unknown' as const, why: 'absent', missing: ['x'] }) },
    { weight: 2, arbitrary: fc.record({ state: fc.constant('none' as const), confidence }) },
    { weight: 1, arbitrary: fc.constant({ state: 'error' as const, why: 'division by zero' }) },
  )
}

const day = fc.constantFrom('2026-01-31', '2026-02-01', '2025-12-31')
const time = fc.constantFrom(
  '2026-01-31T12:00:00.000Z',
  '2026-01-31T12:00:00.001Z',
  '2025-12-31T00:00:00.000Z',
)
// A field may be left out: then it is unknown.
const object = fc.record({ n: numberText, t: wordText }, { requiredKeys: [] })

const factStates = fc.record({
  n1: stateOf(numberText),
  n2: stateOf(numberText),
  n3: stateOf(numberText),
  t1: stateOf(wordText),
  b1: stateOf(fc.boolean()),
  l1: stateOf(fc.array(wordText, { maxLength: 3 })),
  d1: stateOf(day),
  i1: stateOf(time),
  o1: stateOf(object),
  a1: stateOf(fc.array(object, { maxLength: 3 })),
})
type States = Readonly<Record<string, FactState>>

/** The fields of the object as facts of their own. */
function withFields(states: States): States {
  const { o1 } = states
  const fieldOf = (name: string): FactState => {
    if (o1?.state !== 'known') return o1 ?? { state: 'unknown', why: 'absent', missing: ['o1'] }
    const value = (o1.value as Readonly<Record<string, FactValue>>)[name]
    return value === undefined ? { state: 'unknown', why: 'not given', missing: ['o1'] } : { ...o1, value }
  }
  return { ...states, 'o1.n': fieldOf('n'), 'o1.t': fieldOf('t') }
}

const numberName = fc.constantFrom('n1', 'n2', 'n3', 'o1.n')
const comparisons = fc.constantFrom(
  ...(['equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'] as const),
)
const range = (value: fc.Arbitrary<string>) => fc.tuple(value, value)
const elementLeaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    fact: fc.constant('a1[].n'),
    operator: comparisons,
    value: fc.oneof(numberText, fc.record({ fact: numberName })),
  }),
  fc.record({ fact: fc.constant('a1[].t'), operator: fc.constant('equal' as const), value: wordText }),
  fc.record({
    fact: fc.constantFrom('a1[].n', 'a1[].t', 'b1'),
    operator: fc.constantFrom('isKnown' as const, 'isUnknown' as const),
  }),
  fc.record({
    fact: fc.constant('a1[].t'),
    operator: fc.constant('verified_by' as const),
    value: fc.array(method, { minLength: 1, maxLength: 2 }),
  }),
)
const elementConditions = treesOf(elementLeaf)

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    fact: fc.constant('a1'),
    operator: fc.constantFrom('some' as const, 'every' as const),
    value: elementConditions,
  }),
  fc.record({
    fact: fc.constantFrom('n1', 't1', 'l1', 'o1', 'o1.t', 'a1'),
    operator: fc.constant('verified_by' as const),
    value: fc.array(method, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ fact: numberName, operator: fc.constant('between' as const), value: range(numberText) }),
  fc.record({ fact: fc.constant('d1'), operator: fc.constant('between' as const), value: range(day) }),
  fc.record({ fact: fc.constant('d1'), operator: comparisons, value: day }),
  fc.record({ fact: fc.constant('i1'), operator: comparisons, value: time }),
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
    fact: fc.constantFrom('n1', 't1', 'b1', 'l1', 'o1.t', 'a1'),
    operator: fc.constantFrom('isKnown' as const, 'isUnknown' as const, 'isNone' as const),
  }),
)

function treesOf(leaves: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaves,
      fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
      tie('tree').map((not) => ({ not })),
    ),
  })).tree
}
const conditions = treesOf(leaf)

const boosted = fc.record(
  {
    when: conditions,
    boosts: fc.array(
      fc.record({
        condition: conditions,
        boost: fc.integer({ min: 1, max: 20 }).map((twentieth) => twentieth / 20),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    threshold: fc.constantFrom(0.05, 0.3, 0.6, 0.7, 1),
  },
  { requiredKeys: ['when', 'boosts'] },
)
type Boosted = Parameters<typeof judgeWhole>[0]

function judged(condition: Condition, states: States) {
  const all = new Map(Object.entries(withFields(states)))
  const { result, confidence: sure } = testCondition(pack, condition, all)
  return { result, confidence: sure }
}

function judgedWhole(rule: Boosted, states: States) {
  const all = withFields(states)
  const read = (name: string) => computedOf(name, pack.declared.get(name), all[name])
  const { result, trust, trace } = judgeWhole(rule, { declared: pack.declared, read })
  assert.equal(trace.result, result)
  const isClosed = result !== 'unknown' && result !== 'error'
  assert.equal(trace.confidence, isClosed ? trust.confidence : null)
  return { result, confidence: trace.confidence }
}

describe('the evaluator of conditions', () => {
  it('says what the plain reference says, confidence too, for any condition and facts', () => {
    const cases = randomCases('evaluator against the reference', 50_000)
    fc.assert(
      fc.property(conditions, factStates, (condition, states) => {
        assert.deepEqual(judged(condition, states), meaningOf(condition, withFields(states), numbers))
      }),
      cases,
    )
  })

  it('says what the plain reference says of rules with boosts', () => {
    const cases = randomCases('boosts against the reference', 50_000)
    fc.assert(
      fc.property(boosted, factStates, (rule, states) => {
        assert.deepEqual(judgedWhole(rule, states), ruleMeaning(rule, withFields(states), numbers))
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

  const lostFact = fc.constantFrom('n1', 'n2', 'n3', 't1', 'b1', 'l1', 'd1', 'o1', 'a1')
  const lose = (states: States, lost: string): States => ({
    ...states,
    [lost]: { state: 'unknown', why: 'lost', missing: [lost] },
  })
  /** A rule that fired stays fired or is unknown; one that is unknown or in error never reads as passed. */
  const assertNoneTurned = (before: string, after: string): void => {
    if (before === 'true') assert.ok(after === 'true' || after === 'unknown' || after === 'error', after)
    if (before === 'false' || before === 'none') assert.notEqual(after, 'true')
    if (before === 'unknown' || before === 'error') assert.ok(after === 'unknown' || after === 'error', after)
  }
  const testsUnknown = (tested: unknown) => JSON.stringify(tested).includes('isUnknown')

  it('losing a fact never turns an answer around: it stays, or nobody knows', () => {
    const cases = randomCases('losing a fact', 20_000)
    const withoutUnknown = conditions.filter((condition) => !testsUnknown(condition))
    fc.assert(
      fc.property(withoutUnknown, factStates, lostFact, (condition, states, lost) => {
        assertNoneTurned(judged(condition, states).result, judged(condition, lose(states, lost)).result)
      }),
      cases,
    )
  })

  it('losing a fact never turns a rule with boosts around', () => {
    const cases = randomCases('losing a fact under boosts', 20_000)
    const withoutUnknown = boosted.filter((rule) => !testsUnknown(rule))
    fc.assert(
      fc.property(withoutUnknown, factStates, lostFact, (rule, states, lost) => {
        assertNoneTurned(judgedWhole(rule, states).result, judgedWhole(rule, lose(states, lost)).result)
      }),
      cases,
    )
  })
})
