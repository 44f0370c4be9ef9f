import type { PackContent } from '../src/domain/policy.ts'
import type { Condition, Rule } from '../src/domain/rule.ts'
import { compileRules, type Question } from '../src/rules/evaluate.ts'
import type { RuleSet } from '../src/rules/rule-set.ts'

/** One comparison of a rule, in words that every engine has. */
export interface Test {
  readonly fact: 'segment' | 'amount' | 'score' | 'income'
  readonly operator: 'equal' | 'greaterThanInclusive' | 'lessThan'
  readonly value: string | number
}

/** A policy: the tests of each rule, all of which must hold. */
export type TestsOfRules = readonly (readonly Test[])[]

export type Facts = Readonly<Record<Test['fact'], string | number>>

/** The applicant of every policy here. */
export const facts: Facts = { segment: 's17', amount: 12_500, score: 641, income: 4200 }

/** Rules that fire for the applicant, whatever the size of the policy. */
export const firingCount = 3

/**
 * A policy of so many rules of three tests: one of 50 values of `segment` and two ranges, or three ranges. The same
 * number of its rules fire. The same seed gives the same policy.
 */
export function policyOf(count: number, kind: 'equality and ranges' | 'ranges', seed = 7): TestsOfRules {
  const next = randomNumbers(seed)
  const rules: Test[][] = []
  let firing = 0
  while (rules.length < count) {
    const first: Test =
      kind === 'ranges'
        ? { fact: 'income', operator: 'greaterThanInclusive', value: next(1000, 9000) }
        : { fact: 'segment', operator: 'equal', value: `s${next(0, 49)}` }
    const rule: Test[] = [
      first,
      { fact: 'amount', operator: 'greaterThanInclusive', value: next(1000, 50_000) },
      { fact: 'score', operator: 'lessThan', value: next(300, 850) },
    ]
    const fires = rule.every(holds)
    // The first so many rules fire and no others do: figures then compare work, not answers.
    if (fires !== firing < firingCount) continue
    if (fires) firing++
    rules.push(rule)
  }
  return rules
}

function holds({ fact, operator, value }: Test): boolean {
  const actual = facts[fact]
  if (operator === 'equal') return actual === value
  return operator === 'lessThan' ? actual < value : actual >= value
}

/** The policy as a rule set of ours, compiled anew. */
export function ruleSetOf(rules: TestsOfRules): RuleSet {
  return compileRules(contentOf(rules))
}

export function contentOf(rules: TestsOfRules): PackContent {
  const names = { en: 'A fact', zh: '事实' }
  const segments = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s${index}`, []]))
  return {
    format: 1,
    policy: {
      policy: 'bench',
      version: '1',
      zone: 'UTC',
      currency: 'USD',
      outcomes: [{ decision: 'decline', event: 'credit_rejection', threshold: 0.4 }],
      required: ['amount'],
      min_confidence: 0.7,
      weights: { perceived: 0.3, reasoned: 0.3, verified: 0.4 },
    },
    facts: {
      facts: {
        segment: { type: 'enum', values: segments, ...names },
        amount: { type: 'money', unit: 'USD', ...names },
        score: { type: 'integer', ...names },
        income: { type: 'money', unit: 'USD', ...names },
      },
    },
    sources: { caller: 'bench', applicant: 'applicant', sources: {}, methods: {} },
    reasons: { reasons: {} },
    rules: rules.map(ruleOf),
  }
}

function ruleOf(tests: readonly Test[], index: number): Rule {
  return {
    rule_id: `B-${String(index).padStart(6, '0')}`,
    version: '1.0.0',
    description: 'A rule of a benchmark',
    regulation: 'lender/bench',
    when: {
      all: tests.map(({ fact, operator, value }): Condition => ({ fact, operator, value: String(value) })),
    },
    then: [{ episode: 'something', toward: 'credit_rejection' }],
  }
}

/** The applicant's facts as a question of ours. */
export function aQuestion(): Question {
  const atMs = Date.UTC(2026, 5, 1, 12)
  return {
    facts: new Map(
      Object.entries(facts).map(([name, value]) => [
        name,
        { state: 'known', value: String(value), confidence: 0.95 },
      ]),
    ),
    consents: [],
    asOfMs: atMs,
    receivedAtMs: atMs,
    history: [],
    isSubtype: () => false,
  }
}

/** Whole numbers from a seed (a linear congruential generator, modulus 2^32). */
function randomNumbers(seed: number): (from: number, to: number) => number {
  let state = seed >>> 0
  return (from, to) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from + Math.floor((state / 2 ** 32) * (to - from + 1))
  }
}
