import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Rule } from '../../src/domain/rule.ts'
import { Failure } from '../../src/errors.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { factsWith, packFiles, policyYaml, sourcesYaml } from '../support/pack-builders.ts'

const facts = factsWith({
  facts: `employer: {type: object, en: E, zh: 雇, fields: {size: {type: integer}}}
race: {type: text, prohibited: true, en: Race, zh: 种族}`,
})

function files(rule: string) {
  return packFiles({
    't.yaml': rule,
    'us-08a.yaml': undefined,
    'facts.yaml': facts,
    'policy.yaml': policyYaml,
    'sources.yaml': sourcesYaml,
  })
}

function ruleOf(text: string): Rule {
  const [rule] = parsePack(files(text)).content.rules
  assert.ok(rule)
  return rule
}

function faultsOf(text: string): string[] {
  try {
    parsePack(files(text))
  } catch (cause) {
    assert.ok(cause instanceof Failure)
    return cause.faults.map((fault) => `${fault.at} ${fault.why}`)
  }
  return []
}

function refused(text: string, pattern: RegExp): void {
  const faults = faultsOf(text)
  assert.equal(faults.length, 1, faults.join('\n'))
  assert.match(faults[0] ?? '', pattern)
}

function compact(fields: { trigger?: string; conditions?: string; action?: string; more?: string }): string {
  const { trigger, conditions, action, more } = fields
  return `rule_id: T-1
version: 1.0.0
description: A rule of a test
regulation: lender/test
trigger: ${trigger ?? 'score > 5'}
${conditions === undefined ? '' : `conditions: ${conditions}\n`}action: ${action ?? '[{type: set_memory, key: affordability, value: failed}]'}
${more ?? ''}`
}

const whenOf = (trigger: string) => ruleOf(compact({ trigger: `"${trigger}"` })).when

describe('a trigger', () => {
  it('is read into the tree that `when` writes', () => {
    assert.deepEqual(whenOf("score < 25 and product == 'personal'"), {
      all: [
        { fact: 'score', operator: 'lessThan', value: '25' },
        { fact: 'product', operator: 'equal', value: 'personal_loan' },
      ],
    })
    assert.deepEqual(whenOf('score >= -1.50e1 or not (is_verified and share != 0.5)'), {
      any: [
        { fact: 'score', operator: 'greaterThanInclusive', value: '-15' },
        {
          not: {
            all: [
              { fact: 'is_verified', operator: 'equal', value: true },
              { fact: 'share', operator: 'notEqual', value: '0.5' },
            ],
          },
        },
      ],
    })
  })

  it('`and` binds before `or`, `not` before both', () => {
    assert.deepEqual(whenOf('score == 1 or score == 2 and not is_verified'), {
      any: [
        { fact: 'score', operator: 'equal', value: '1' },
        {
          all: [
            { fact: 'score', operator: 'equal', value: '2' },
            { not: { fact: 'is_verified', operator: 'equal', value: true } },
          ],
        },
      ],
    })
  })

  it('knows lists, ranges, other facts, paths, and every operator by its name', () => {
    assert.deepEqual(whenOf("product in ('mortgage', 'personal') and score not in [1, 2]"), {
      all: [
        { fact: 'product', operator: 'in', value: ['mortgage', 'personal_loan'] },
        { fact: 'score', operator: 'notIn', value: ['1', '2'] },
      ],
    })
    assert.deepEqual(whenOf("discharged between '2024-01-01' and '2024-12-31' and is_verified == false"), {
      all: [
        { fact: 'discharged', operator: 'between', value: ['2024-01-01', '2024-12-31'] },
        { fact: 'is_verified', operator: 'equal', value: false },
      ],
    })
    assert.deepEqual(whenOf('loan_amount > monthly_income and employer.size < 5'), {
      all: [
        { fact: 'loan_amount', operator: 'greaterThan', value: { fact: 'monthly_income' } },
        { fact: 'employer.size', operator: 'lessThan', value: '5' },
      ],
    })
    assert.deepEqual(whenOf("tags contains 'it''s' and label ocr_verified and discharged exists"), {
      all: [
        { fact: 'tags', operator: 'contains', value: "it's" },
        { fact: 'label', operator: 'verified_by', value: ['ocr'] },
        { fact: 'discharged', operator: 'isKnown' },
      ],
    })
  })

  it('an error stands where it is', () => {
    const at = (trigger: string, pattern: RegExp) => refused(compact({ trigger }), pattern)
    at('score < 25 and produkt == 1', /^t.yaml:5:25 there is no fact `produkt`; did you mean `product`\?/)
    at("score < 'many'", /^t.yaml:5:18 expected a whole number; got the text `many`/)
    at('score <> 5', /^t.yaml:5:17 did not expect `>` here/)
    at('score <', /^t.yaml:5:17 the trigger ends too early/)
    at("product == 'mortgag'", /^t.yaml:5:21 .*did you mean `mortgage`/)
    at('\'score == "x"\'', /^t.yaml:5:20 a text stands in single quotes/)
    at('score has 5', /^t.yaml:5:16 there is no operator `has`/)
    at('is_verified and label', /^t.yaml:5:26 `label` is a text: compare it/)
    at('label > 5', /needs an order/)
    at('5', /^t.yaml:5:10 expected a trigger such as/)
    at('process.exit() == 1', /did not expect `\(` here/)
    at(`"${'('.repeat(60)}score > 5${')'.repeat(60)}"`, /nested deeper than 40 levels/)
    at(`"${'score > 5 and '.repeat(200)}score > 5"`, /at most 2000 characters/)
    at("race == 'x'", /reads `race`, a protected attribute/)
  })
})

describe('the compact form', () => {
  it('conditions are boosts, actions consequences', () => {
    const rule = ruleOf(
      compact({
        conditions:
          '[{field: discharged, operator: exists, confidence_boost: 0.30}, {field: score, operator: lessThan, value: 5, confidence_boost: 0.4}]',
        action:
          '[{type: request_api, api: underwriting, params: {number: {fact: label}, kind: full, fast: true, depth: 1.50}}, {type: set_memory, key: affordability, value: failed, confidence: 0.9}, {type: episode, episode: strain, toward: credit_rejection}, {type: want, fact: score}]',
        more: 'threshold: 0.6',
      }),
    )
    assert.deepEqual(rule.boosts, [
      { condition: { fact: 'discharged', operator: 'isKnown' }, boost: 0.3 },
      { condition: { fact: 'score', operator: 'lessThan', value: '5' }, boost: 0.4 },
    ])
    assert.equal(rule.threshold, 0.6)
    assert.deepEqual(rule.then, [
      {
        request_api: {
          api: 'underwriting',
          params: { number: { fact: 'label' }, kind: 'full', fast: true, depth: '1.5' },
        },
      },
      { set_memory: { key: 'affordability', value: 'failed', confidence: 0.9 } },
      { episode: 'strain', toward: 'credit_rejection' },
      { want: 'score' },
    ])
  })

  it('both forms make the same rule set', () => {
    const full = `rule_id: T-1
version: 1.0.0
description: A rule of a test
regulation: lender/test
when: {fact: score, operator: greaterThan, value: 5}
boosts: [{condition: {fact: discharged, operator: exists}, boost: 0.7}]
then: [{set_memory: {key: affordability, value: failed}}]
`
    const short = compact({ conditions: '[{field: discharged, operator: exists, confidence_boost: 0.7}]' })
    assert.equal(parsePack(files(short)).hash, parsePack(files(full)).hash)
  })

  it('says what is wrong at its place', () => {
    refused(
      compact({ more: 'when: {fact: score, operator: equal, value: 1}' }),
      /^t.yaml:5:1 `trigger` stands for `when`, which is there too/,
    )
    refused(
      compact({ conditions: '[{field: score, operator: exists}]' }),
      /`confidence_boost` is missing; what has to hold in any case/,
    )
    refused(
      compact({ conditions: '[{field: score, operator: exists, confidence_boost: 1.5}]' }),
      /expected at most 1; got `1.5`/,
    )
    refused(
      compact({ conditions: '[{field: score, operator: exists, confidence_boost: 0.6}]' }),
      /never fires: its boosts sum to `0.6`, and the threshold is `0.7`/,
    )
    refused(
      compact({ conditions: '[{field: scor, operator: exists, confidence_boost: 1}]' }),
      /no fact `scor`; did you mean `score`/,
    )
    refused(compact({ conditions: '[]' }), /expected a list under `conditions`; got an empty list/)
    refused(compact({ more: 'threshold: 0.5' }), /`threshold` goes with `boosts`/)
    refused(compact({ action: '[{type: approve}]' }), /there is no action `approve`; known are `set_memory`/)
    refused(compact({ action: '[{key: affordability}]' }), /expected an action with its `type`/)
    refused(
      compact({ action: '[{type: set_memory, key: affordabilty, value: failed}]' }),
      /did you mean `affordability`/,
    )
  })

  it('a request names a declared source and plain parameters, and takes no protected fact with it', () => {
    const request = (fields: string) => compact({ action: `[{type: request_api, ${fields}}]` })
    refused(request('api: bureau'), /there is no source `bureau` in sources.yaml/)
    refused(request('api: underwriting, params: [a]'), /expected parameters by name/)
    refused(request('api: underwriting, params: {a: [1]}'), /expected a plain value or/)
    refused(
      request('api: underwriting, params: {a: 0123}'),
      /expected a text in quotes or a plain number; got `0123`/,
    )
    refused(request('api: underwriting, params: {a: ~}'), /expected a value/)
    refused(request('api: underwriting, params: {a: {fact: labell}}'), /did you mean `label`/)
    refused(request('api: underwriting, params: {a: {fact: race}}'), /reads `race`, a protected attribute/)
    refused(request('api: underwriting, url: "http://x"'), /there is no field `url`/)
  })
})
