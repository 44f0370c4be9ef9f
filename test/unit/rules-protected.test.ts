import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { factsWith, packFiles, ruleWith } from '../support/pack-builders.ts'

const facts = `race: {type: text, prohibited: true, en: Race, zh: 种族}
age: {type: integer, prohibited: true, except: [{rule: US-04, operator: lessThan, value: 18}], en: Age, zh: 年龄}
born: {type: date, prohibited: true, en: Born, zh: 出生日期}
offered_age: {type: integer, en: Offered age, zh: 甲}
postal_code: {type: text, proxy: true, en: Postal code, zh: 邮编}`

function faultsOf(more: { rule?: string; facts?: string; derived?: string }): string[] {
  const files = packFiles({
    'facts.yaml': factsWith({ facts: `${facts}\n${more.facts ?? ''}`, derived: more.derived ?? '' }),
    ...(more.rule === undefined ? {} : { 't.yaml': more.rule }),
  })
  try {
    parsePack(files)
  } catch (cause) {
    assert.ok(cause instanceof Failure)
    return cause.faults.map((fault) => `${fault.at} ${fault.why}`)
  }
  return []
}

function refused(faults: readonly string[], fact: string): void {
  assert.equal(faults.length, 1, faults.join('\n'))
  assert.match(
    faults[0] ?? '',
    new RegExp(`reads \`${fact}\`, a protected attribute \\(12 CFR 1002\\.6\\(b\\), 15 USC 1691\\(a\\)\\)`),
  )
}

describe('protected attributes', () => {
  it('are refused in a condition, on either side and under any operator, with rule, regulation and place', () => {
    const faults = faultsOf({ rule: ruleWith({ when: '{any: [{fact: race, operator: equal, value: x}]}' }) })
    refused(faults, 'race')
    assert.match(faults[0] ?? '', /^t\.yaml:5:14 rule `T-1` \(lender\/test\)/)
    refused(
      faultsOf({ rule: ruleWith({ when: '{fact: label, operator: equal, value: {fact: race}}' }) }),
      'race',
    )
    refused(faultsOf({ rule: ruleWith({ when: '{fact: race, operator: isUnknown}' }) }), 'race')
    refused(faultsOf({ rule: ruleWith({ when: '{not: {fact: race, operator: isNone}}' }) }), 'race')
  })

  it('are refused in derivations, counts, texts, offers, dates and memory', () => {
    refused(faultsOf({ derived: 'x: {type: boolean, en: X, zh: 甲, expression: "race == \'a\'"}' }), 'race')
    refused(
      faultsOf({
        derived:
          'x: {type: integer, en: X, zh: 甲, episodes: {type: y, take: count, where: {race: "= \'a\'"}}}',
      }),
      'race',
    )
    const reason = (text: string, more = '') =>
      `reason: {code: C1-09, tell: offer, text: {en: '${text}', zh: 甲}${more}}`
    refused(faultsOf({ rule: ruleWith({ more: reason('You are {race}') }) }), 'race')
    refused(faultsOf({ rule: ruleWith({ more: reason('x', ', terms: {offered_age: age}') }) }), 'age')
    refused(faultsOf({ rule: ruleWith({ then: '[{episode: x, dated_by: born}]' }) }), 'born')
  })

  it('are readable only as the exception says: this rule, this operator, this value', () => {
    const rule = (id: string, operator: string, value: string) =>
      faultsOf({ rule: ruleWith({ id, when: `{fact: age, operator: ${operator}, value: ${value}}` }) })
    assert.deepEqual(rule('US-04', 'lessThan', '18'), [])
    refused(rule('US-04', 'lessThan', '21'), 'age')
    refused(rule('US-04', 'greaterThan', '18'), 'age')
    refused(rule('US-05', 'lessThan', '18'), 'age')
    const memory = '[{set_memory: {key: affordability, value: failed}}]'
    const set = faultsOf({
      rule: ruleWith({ id: 'US-04', when: '{fact: age, operator: lessThan, value: 18}', then: memory }),
    })
    assert.match(set.join(), /by exception may not set memory/)
  })

  it('a likely proxy needs a reason and a second person, also through a derived fact', () => {
    const rule = (more: string, fact = 'postal_code') =>
      faultsOf({
        rule: ruleWith({
          when: `{fact: ${fact}, operator: equal, value: ${fact === 'postal_code' ? "'1'" : 'true'}}`,
          more,
        }),
        derived: 'is_near: {type: boolean, en: X, zh: 甲, expression: "postal_code == \'1\'"}',
      })
    const approved = 'proxy_reason: flood maps\nauthor: ann\napproved_by: bob'
    assert.deepEqual(rule(approved), [])
    assert.deepEqual(rule(approved, 'is_near'), [])
    assert.match(rule('').join(), /reads `postal_code`, a likely proxy/)
    assert.match(rule('', 'is_near').join(), /reads `postal_code`, a likely proxy/)
    assert.match(rule(approved.replace('bob', 'Ann ')).join(), /another person/)
    assert.match(rule('proxy_reason: x\napproved_by: bob').join(), /another person/)
  })
})
