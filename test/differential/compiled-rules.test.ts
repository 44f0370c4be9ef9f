import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compileRules, evaluate } from '../../src/rules/evaluate.ts'
import { evaluatePlainly } from '../../src/rules/evaluate-plainly.ts'
import { randomCases } from '../support/cases.ts'
import { randomContent, randomLargeContent, randomQuestion } from '../support/random-rule-sets.ts'
import { writeOut } from '../support/write-out.ts'

describe('compiled rules', () => {
  it('come to what looking at every part of every rule comes to: outcome, confidence, findings, memory, trace', () => {
    const cases = randomCases('compiled rules against the plain evaluation', 200_000)
    fc.assert(
      fc.property(randomContent(), randomQuestion(), (content, question) => {
        const ruleSet = compileRules(content)
        assert.deepEqual(writeOut(evaluate(ruleSet, question)), writeOut(evaluatePlainly(ruleSet, question)))
      }),
      cases,
    )
  })

  it('come to the same in a large policy, where most rules are passed over', () => {
    const cases = randomCases('large policies against the plain evaluation', 1_000)
    fc.assert(
      fc.property(randomLargeContent(), randomQuestion(), (content, question) => {
        const ruleSet = compileRules(content)
        assert.deepEqual(writeOut(evaluate(ruleSet, question)), writeOut(evaluatePlainly(ruleSet, question)))
      }),
      cases,
    )
  })
})
