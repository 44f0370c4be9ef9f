import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/audit/canonical.ts'
import type { FactState } from '../../src/domain/fact.ts'
import { compileRules, evaluate } from '../../src/rules/evaluate.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { randomCases } from '../support/cases.ts'
import { aQuestion, factsYaml, known, none, packFiles, ruleWith } from '../support/pack-builders.ts'
import { writeOut } from '../support/write-out.ts'

const rules = [
  ruleWith({ id: 'A', version: '1.2.0', when: '{fact: affordability, operator: equal, value: failed}' }),
  ruleWith({ id: 'A', version: '1.10.0', when: '{fact: affordability, operator: equal, value: failed}' }),
  ruleWith({
    id: 'B',
    when: '{fact: debt_to_income, operator: greaterThan, value: 0.4}',
    then: '[{set_memory: {key: affordability, value: failed}}]',
  }),
  ruleWith({
    id: 'C',
    when: '{any: [{fact: score, operator: lessThan, value: 600}, {fact: share, operator: isNone}]}',
  }),
  ruleWith({ id: 'D', when: '{not: {fact: product, operator: in, value: [mortgage]}}' }),
]

const head = 'facts:\n'
const [factLines, rest] = [
  factsYaml.slice(head.length, factsYaml.indexOf('derived:')),
  factsYaml.slice(factsYaml.indexOf('derived:')),
]
const lines = factLines.split('\n').filter((line) => line !== '')

const packs = fc
  .tuple(
    fc.shuffledSubarray(rules, { minLength: rules.length }),
    fc.shuffledSubarray(lines, { minLength: lines.length }),
    fc.integer({ min: 1, max: 5 }),
    fc.boolean(),
  )
  .chain(([order, facts, perFile, crlf]) => {
    const files: Record<string, string> = {}
    for (let at = 0; at < order.length; at += perFile)
      files[`r${at}.yaml`] = order.slice(at, at + perFile).join('\n---\n')
    const all = packFiles({
      'us-08a.yaml': undefined,
      'facts.yaml': `${head}${facts.join('\n')}\n${rest}`,
      ...files,
    })
    const texts = all.map(({ path, text }) => ({ path, text: crlf ? text.replaceAll('\n', '\r\n') : text }))
    return fc.shuffledSubarray(texts, { minLength: texts.length })
  })

const states: fc.Arbitrary<Record<string, FactState>> = fc.record(
  {
    monthly_income: fc.constantFrom(known('1000', 0.9), known('0'), known('900', 0.5)),
    monthly_debts: fc.constantFrom(known('400'), known('500', 0.8)),
    new_payment: fc.constantFrom(known('0'), known('100', 0.85)),
    score: fc.constantFrom(known('599'), known('600', 0.75), none()),
    share: fc.constantFrom(known('0.5'), none(0.8)),
    product: fc.constantFrom(known('mortgage'), known('personal_loan', 0.9)),
  },
  { requiredKeys: [] },
)

function evaluationText(
  ruleSet: ReturnType<typeof compileRules>,
  facts: readonly (readonly [string, FactState])[],
): string {
  return JSON.stringify(writeOut(evaluate(ruleSet, aQuestion(Object.fromEntries(facts)))))
}

describe('the order in which things are written', () => {
  it('of files, rules and facts changes no byte of the content, hash or evaluation', () => {
    const usual = parsePack(packFiles({ 'us-08a.yaml': undefined, 'r.yaml': rules.join('\n---\n') }))
    const usualSet = compileRules(usual.content)
    const cases = randomCases('order of files, rules and facts', 2_000)
    fc.assert(
      fc.property(packs, states, (files, facts) => {
        const pack = parsePack(files)
        assert.equal(canonicalJson(pack.content), canonicalJson(usual.content))
        assert.equal(pack.hash, usual.hash)
        const entries = Object.entries(facts)
        const set = compileRules(pack.content)
        assert.equal(set.hash, usual.hash)
        assert.equal(evaluationText(set, entries.toReversed()), evaluationText(usualSet, entries))
      }),
      cases,
    )
  })

  it('a fact lost never makes a rule fire that did not, nor reads an open rule as passed', () => {
    const { content } = parsePack(packFiles({ 'us-08a.yaml': undefined, 'r.yaml': rules.join('\n---\n') }))
    const set = compileRules(content)
    const cases = randomCases('a fact lost in a rule set', 20_000)
    fc.assert(
      fc.property(states, fc.nat(), (facts, pick) => {
        const names = Object.keys(facts)
        const lost = names[pick % Math.max(1, names.length)]
        const left = Object.fromEntries(Object.entries(facts).filter(([name]) => name !== lost))
        const before = evaluate(set, aQuestion(facts)).rules
        const after = evaluate(set, aQuestion(left)).rules
        for (const [index, rule] of before.entries()) {
          const now = after[index]?.outcome
          if (rule.outcome === 'fired' || rule.outcome === 'unknown' || rule.outcome === 'error') {
            assert.notEqual(now, 'not_fired', rule.id)
            assert.notEqual(now, 'not_applicable', rule.id)
          } else assert.notEqual(now, 'fired', rule.id)
        }
      }),
      cases,
    )
  })
})
