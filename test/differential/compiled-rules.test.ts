import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { askEngine } from '../../src/rules/ask-engine.ts'
import { compileRules, evaluate, type Question } from '../../src/rules/evaluate.ts'
import { evaluatePlainly } from '../../src/rules/evaluate-plainly.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { randomCases } from '../support/cases.ts'
import { randomContent, randomLargeContent, randomQuestion } from '../support/random-rule-sets.ts'
import { writeOut } from '../support/write-out.ts'

/** One after the other of the same compiled rules, received on different days. */
const questions = fc.array(randomQuestion(), { minLength: 1, maxLength: 3 })

function assertSame(ruleSet: RuleSet, question: Question): void {
  assert.deepEqual(writeOut(evaluate(ruleSet, question)), writeOut(evaluatePlainly(ruleSet, question)))
}

describe('compiled rules', () => {
  it('come to what looking at every part of every rule comes to: outcome, confidence, findings, memory, trace', () => {
    const cases = randomCases('compiled rules against the plain evaluation', 200_000)
    fc.assert(
      fc.property(randomContent(), questions, (content, asked) => {
        const ruleSet = compileRules(content)
        for (const question of asked) assertSame(ruleSet, question)
      }),
      cases,
    )
  })

  it('come to the same in a large policy, where most rules are passed over', () => {
    const cases = randomCases('large policies against the plain evaluation', 1_000)
    fc.assert(
      fc.property(randomLargeContent(), randomQuestion(), (content, question) => {
        assertSame(compileRules(content), question)
      }),
      cases,
    )
  })

  it('fire as json-rules-engine fires them, where every fact is there and exact in a double', async () => {
    const cases = randomCases('compiled rules against json-rules-engine', 200_000)
    const plain = { plain: true }
    const seen = { asked: 0, fired: 0, inForce: 0 }
    await fc.assert(
      fc.asyncProperty(randomContent(plain), randomQuestion(plain), async (content, question) => {
        const ruleSet = compileRules(content)
        const evaluation = evaluate(ruleSet, question)
        const { asked, fired } = await askEngine(ruleSet, evaluation)
        const ours = evaluation.notable.filter((rule) => rule.outcome === 'fired').map((rule) => rule.id)
        assert.deepEqual(
          ours.filter((id) => asked.includes(id)),
          asked.filter((id) => fired.has(id)),
        )
        seen.asked += asked.length
        seen.fired += fired.size
        seen.inForce += evaluation.rules.length
      }),
      cases,
    )
    console.log(
      `json-rules-engine was asked about ${seen.asked} of ${seen.inForce} rules; ${seen.fired} fired`,
    )
    assert.ok(seen.asked * 2 > seen.inForce && seen.fired * 10 > seen.asked, 'too few rules were put to it')
  })
})
