import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { Failure } from '../../src/errors.ts'
import { type PackFile, parsePack, readPackContent } from '../../src/rules/parse-pack.ts'
import {
  factsWith,
  factsYaml,
  packFiles,
  policyYaml,
  reasonsYaml,
  ruleWith,
  ruleYaml,
  sourcesYaml,
} from '../support/pack-builders.ts'

/** Everything found wrong with a pack, as `at why` texts. */
function faultsOf(files: readonly PackFile[]): string[] {
  try {
    parsePack(files)
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause))
    assert.equal(cause.code, 'RULE_FILE_INVALID')
    return cause.faults.map((fault) => `${fault.at} ${fault.why}`)
  }
  return []
}

function faultsOfRule(text: string, facts = factsYaml): string[] {
  return faultsOf(packFiles({ 't.yaml': text, 'facts.yaml': facts }))
}

/** The pack has exactly one fault, and it reads like this. */
function oneFault(faults: readonly string[], pattern: RegExp): void {
  assert.equal(faults.length, 1, faults.join('\n'))
  assert.match(faults[0] ?? '', pattern)
}

const when = (condition: string) => faultsOfRule(ruleWith({ when: condition }))

describe('reading a pack', () => {
  it('types values by the declared facts and normalises them', () => {
    const rule = ruleWith({
      when: `{all: [{fact: loan_amount, operator: lessThan, value: 12000.50}, {fact: product, operator: in, value: [Personal, mortgage]},
  {fact: checked_at, operator: greaterThan, value: 2026-01-01}, {fact: share, operator: equal, value: 0.10000000000000000001},
  {fact: grace, operator: lessThan, value: P030D}, {fact: tags, operator: contains, value: vip},
  {fact: loan_amount, operator: greaterThan, value: {fact: monthly_income}}]}`,
    })
    const { content } = parsePack(packFiles({ 't.yaml': rule, 'us-08a.yaml': undefined }))
    assert.deepEqual(content.rules[0]?.when, {
      all: [
        { fact: 'loan_amount', operator: 'lessThan', value: '12000.5' },
        { fact: 'product', operator: 'in', value: ['personal_loan', 'mortgage'] },
        { fact: 'checked_at', operator: 'greaterThan', value: '2026-01-01T05:00:00.000Z' },
        { fact: 'share', operator: 'equal', value: '0.10000000000000000001' },
        { fact: 'grace', operator: 'lessThan', value: 'P30D' },
        { fact: 'tags', operator: 'contains', value: 'vip' },
        { fact: 'loan_amount', operator: 'greaterThan', value: { fact: 'monthly_income' } },
      ],
    })
    assert.equal(content.policy.version, '2026.1')
  })

  it('reads tolerance as a share or an amount', () => {
    const facts = factsWith({
      facts: `t1: {type: money, tolerance: 10 %, en: A, zh: 一}
t2: {type: money, tolerance: 50, en: B, zh: 二}
t3: {type: money, tolerance: 2.50%, en: C, zh: 三}`,
    })
    const { content } = parsePack(packFiles({ 'facts.yaml': facts }))
    assert.deepEqual(content.facts.facts.t1?.tolerance, { percent: '10' })
    assert.deepEqual(content.facts.facts.t2?.tolerance, { amount: '50' })
    assert.deepEqual(content.facts.facts.t3?.tolerance, { percent: '2.5' })
  })

  it('holds one rule, several documents or a list a file, ordered by id and numeric version', () => {
    const one = (id: string, version: string) => ruleWith({ id, version })
    const list = `- ${one('B', '1.0.0').replaceAll('\n', '\n  ')}`
    const files = packFiles({
      'us-08a.yaml': undefined,
      'z.yaml': `${one('A', '1.10.0')}---\n${one('A', '1.9.0')}`,
      'a.yaml': list,
    })
    const ids = parsePack(files).content.rules.map((rule) => `${rule.rule_id}@${rule.version}`)
    assert.deepEqual(ids, ['A@1.9.0', 'A@1.10.0', 'B@1.0.0'])
  })

  it('does not mind a byte order mark or CR LF', () => {
    const windows = packFiles().map(({ path, text }) => ({
      path,
      text: `\uFEFF${text.replaceAll('\n', '\r\n')}`,
    }))
    assert.equal(parsePack(windows).hash, parsePack(packFiles()).hash)
  })

  it('reads stored content back, unchanged', () => {
    const { content } = parsePack(packFiles())
    const text = canonicalJson(content)
    assert.equal(canonicalJson(readPackContent(text)), text)
    assert.throws(() => readPackContent('{"format":2}'), Failure)
    assert.throws(() => readPackContent('{'), Failure)
  })

  it('tells everything that is wrong at once, each at its place with the line and a caret', () => {
    const faults = faultsOf(
      packFiles({
        'us-08a.yaml': ruleYaml
          .replace('greaterThan', 'greatrThan')
          .replace('C1-09', 'C1-9')
          .replace('credit_rejection', 'credit_rejectoin')
          .replace('tests:', 'tets:'),
        'facts.yaml': factsYaml.replace('{type: ratio, en: Share', '{type: rato, en: Share'),
      }),
    )
    assert.equal(faults.length, 5)
    assert.match(faults.join('\n'), /facts\.yaml:7:17 .*`rato`; did you mean `ratio`\?/)
    assert.match(
      faults.join('\n'),
      /us-08a\.yaml:7:40 there is no operator `greatrThan`; did you mean `greaterThan`\?/,
    )
    assert.match(faults.join('\n'), /us-08a\.yaml:9:33 .*did you mean `credit_rejection`\?/)
    assert.match(faults.join('\n'), /us-08a\.yaml:11:9 .*did you mean `C1-09`\?/)
    assert.match(faults.join('\n'), /us-08a\.yaml:14:1 .*did you mean `tests`\?\n {2}tets:\n {2}\^/)
  })

  it('names the nearest fact, operator and value', () => {
    oneFault(
      when('{fact: monthly_incom, operator: lessThan, value: 1}'),
      /t\.yaml:5:14 there is no fact `monthly_incom`; did you mean `monthly_income`/,
    )
    oneFault(when('{fact: score, operator: ">", value: 1}'), /did you mean `greaterThan`/)
    oneFault(when('{fact: product, operator: equal, value: mortgag}'), /did you mean `mortgage`/)
    oneFault(when('{fact: score, operator: equal, valu: 1, value: 2}'), /no field `valu`/)
  })

  it('refuses operators that do not fit the fact, and values of another type', () => {
    oneFault(when('{fact: label, operator: lessThan, value: a}'), /needs an order, and a text has none/)
    oneFault(when('{fact: is_verified, operator: greaterThan, value: true}'), /needs an order/)
    oneFault(when('{fact: product, operator: lessThan, value: mortgage}'), /needs an order/)
    oneFault(when('{fact: score, operator: contains, value: 1}'), /needs a list or a text/)
    oneFault(when('{fact: tags, operator: equal, value: a}'), /use `contains`/)
    oneFault(when('{fact: monthly_income, operator: lessThan, value: "9999.99"}'), /write it without quotes/)
    oneFault(when('{fact: is_verified, operator: equal, value: "true"}'), /expected true or false/)
    oneFault(when('{fact: discharged, operator: lessThan, value: 2026-02-30}'), /existing day/)
    oneFault(when('{fact: score, operator: equal, value: 1.5}'), /whole number/)
    oneFault(when('{fact: score, operator: in, value: 5}'), /needs a list of values/)
    oneFault(when('{fact: score, operator: isNone, value: 5}'), /takes no `value`/)
    oneFault(when('{fact: score, operator: equal}'), /`value` is missing/)
    oneFault(when('{fact: score, operator: equal, value: }'), /use `isNone`/)
    oneFault(
      when('{fact: loan_amount, operator: lessThan, value: {fact: discharged}}'),
      /cannot compare it with `discharged`/,
    )
    oneFault(
      when('{fact: loan_amount, operator: lessThan, value: {fact: share}}'),
      /cannot compare it with `share`/,
    )
  })

  it('asks for quotes where YAML would change a text', () => {
    for (const text of [
      '0123',
      '1.10',
      '9007199254740993',
      '1_000',
      '12:30',
      '1e3',
      'true',
      '0x1F',
      '.5',
      '+1',
    ]) {
      oneFault(when(`{fact: label, operator: equal, value: ${text}}`), /quote it/)
      assert.deepEqual(when(`{fact: label, operator: equal, value: '${text}'}`), [])
    }
  })

  it('takes numbers from their text, and refuses what is no plain number', () => {
    for (const text of ['1e3', '9007199254740993', '0.1']) {
      assert.deepEqual(when(`{fact: monthly_income, operator: lessThan, value: ${text}}`), [])
    }
    for (const text of ['0123', '1_000', '0x1F', '12:30', '.inf', '.nan', '1e400', '.5', '1.', '~x']) {
      oneFault(when(`{fact: monthly_income, operator: lessThan, value: ${text}}`), /expected an amount/)
    }
  })

  it('refuses empty and mixed groups, and isUnknown under not', () => {
    oneFault(when('{all: []}'), /empty list/)
    oneFault(when('{any: }'), /expected conditions under `any`/)
    oneFault(when('{all: [{fact: score, operator: isNone}], fact: score}'), /stands alone/)
    oneFault(when('{not: {any: [{fact: score, operator: isUnknown}]}}'), /may not stand under `not`/)
    oneFault(when('[1]'), /expected a condition/)
  })

  it('names both places of a duplicate key and of a duplicate rule', () => {
    oneFault(
      faultsOfRule(ruleWith({ more: 'version: 2.0.0' })),
      /t\.yaml:7:1 `version` stands here a second time; the first is t\.yaml:2:1/,
    )
    oneFault(
      faultsOf(packFiles({ 't.yaml': ruleWith({}), 'u.yaml': ruleWith({}) })),
      /u\.yaml:1:10 `T-1@1\.0\.0` stands here a second time; the first is t\.yaml:1:10/,
    )
  })

  it('refuses what an adverse rule may not rest on, and memory where it could silence others', () => {
    const adverse = (condition: string) =>
      faultsOfRule(ruleWith({ when: condition, then: '[{episode: x, toward: credit_rejection}]' }))
    oneFault(adverse('{fact: score, operator: isKnown}'), /may not rest on `isKnown` alone/)
    oneFault(
      adverse('{any: [{fact: score, operator: isKnown}, {fact: score, operator: lessThan, value: 1}]}'),
      /isKnown/,
    )
    oneFault(adverse('{not: {not: {fact: score, operator: isKnown}}}'), /isKnown/)
    assert.deepEqual(
      adverse('{all: [{fact: score, operator: isKnown}, {fact: score, operator: lessThan, value: 1}]}'),
      [],
    )
    const memory = '[{set_memory: {key: affordability, value: failed}}]'
    oneFault(
      faultsOfRule(ruleWith({ when: '{fact: score, operator: isUnknown}', then: memory })),
      /may not set memory/,
    )
    oneFault(
      faultsOfRule(ruleWith({ then: '[{set_memory: {key: affordabilty, value: failed}}]' })),
      /not declared under `memory`.*`affordability`/,
    )
    oneFault(
      faultsOfRule(ruleWith({ then: '[{set_memory: {key: affordability, value: fine}}]' })),
      /expected one of `failed`, `passed`/,
    )
  })

  it('checks the reason, its texts and its terms', () => {
    const reason = (text: string, more = '') =>
      faultsOfRule(
        ruleWith({ more: `reason: {code: C1-09, tell: offer, text: {en: '${text}', zh: 甲}${more}}` }),
      )
    assert.deepEqual(reason('{share|percent} of {monthly_income|money} on {checked_at|date}'), [])
    oneFault(reason('{shar}'), /no fact `shar`/)
    oneFault(reason('{share|precent}'), /no format `precent`; did you mean `percent`/)
    oneFault(reason('{label|percent}'), /cannot be written/)
    oneFault(reason('{share'), /brace stands alone/)
    assert.deepEqual(reason('x', ', terms: {loan_amount: monthly_income}'), [])
    oneFault(reason('x', ', terms: {loan_amout: monthly_income}'), /no fact `loan_amout`/)
    oneFault(reason('x', ', terms: {loan_amount: label}'), /`label` is a text/)
  })

  it('checks dates and tests of a rule', () => {
    oneFault(
      faultsOfRule(ruleWith({ more: 'effective: {from: 2024-01-01, until: 2024-01-01}' })),
      /never in force/,
    )
    oneFault(faultsOfRule(ruleWith({ more: 'effective: {from: 2024-02-30}' })), /existing day/)
    const test = (given: string, expect: string) =>
      faultsOfRule(ruleWith({ more: `tests: [{name: a, given: ${given}, expect: ${expect}}]` }))
    oneFault(test('{is_verfied: true}', '{fires: true}'), /did you mean `is_verified`/)
    oneFault(test('{is_verified: "yes"}', '{fires: true}'), /expected true or false/)
    oneFault(test('{is_verified: null}', '{fires: true}'), /not marked `may_be_none`/)
    oneFault(test('{is_verified: true}', '{}'), /expected `fires`, `outcome` or `episodes`/)
    oneFault(test('{is_verified: true}', '{episodes: [somethin]}'), /did you mean `something`/)
  })

  it('finds circles among derived facts, and among rules and memory', () => {
    const derived = factsWith({
      derived: `c1: {type: number, en: A, zh: 一, expression: c2 + 1}
c2: {type: number, en: B, zh: 二, expression: c1 * 2}`,
    })
    oneFault(
      faultsOf(packFiles({ 'facts.yaml': derived })),
      /facts\.yaml:\d+:3 goes round in a circle: c1 -> c2 -> c1/,
    )
    const rule = ruleWith({
      when: '{fact: affordability, operator: equal, value: passed}',
      then: '[{set_memory: {key: affordability, value: failed}}]',
    })
    oneFault(
      faultsOfRule(rule),
      /in a circle: .*T-1@1\.0\.0 -> affordability|in a circle: affordability -> T-1@1\.0\.0 -> affordability/,
    )
  })

  it('finds type and unit errors of expressions at their place', () => {
    const derived = (type: string, expression: string) =>
      faultsOf(
        packFiles({
          'facts.yaml': factsWith({
            derived: `x: {type: ${type}, en: X, zh: 甲, expression: "${expression}"}`,
          }),
        }),
      )
    oneFault(
      derived('money', 'monthly_income + discharged'),
      /facts\.yaml:\d+:64 expected a number here; this is a day/,
    )
    oneFault(
      derived('money', 'monthly_income + share'),
      /`\+` does not go between an amount in USD and a plain number/,
    )
    oneFault(derived('money', 'monthly_income * loan_amount'), /does not go between/)
    oneFault(derived('ratio', 'monthly_income'), /declared ratio, but this yields an amount in USD/)
    oneFault(derived('boolean', 'score'), /declared boolean, but this yields a plain number/)
    oneFault(derived('boolean', "product == 'car'"), /none of the declared values/)
    oneFault(derived('boolean', "label < 'a'"), /needs an order/)
    oneFault(derived('boolean', 'discharged < checked_at'), /cannot compare a day with a time/)
    oneFault(derived('number', 'if(is_verified, 1, discharged)'), /cannot choose/)
    oneFault(derived('number', 'sum(score)'), /needs a list/)
    oneFault(derived('number', 'scor + 1'), /did you mean `score`/)
    oneFault(derived('number', 'days(score, discharged)'), /counts between two days/)
    oneFault(derived('number', '-score ^ 2'), /a minus before a power/)
    for (const [type, good] of [
      ['money', '12 * monthly_income'],
      ['money', 'max(0, monthly_income - 300 * count(amounts))'],
      ['ratio', '(monthly_debts + new_payment) / monthly_income'],
      ['money', 'loan_amount * share / (1 - (1 + share) ^ (-score))'],
      ['integer', "years(ifNone(discharged, date('2020-01-01')), received_at)"],
      ['boolean', "product == 'mortgage' and not is_verified"],
      ['money', 'min(amounts)'],
    ] as const) {
      assert.deepEqual(derived(type, good), [], good)
    }
  })

  it('checks declarations', () => {
    const declared = (line: string) => faultsOf(packFiles({ 'facts.yaml': factsWith({ facts: line }) }))
    oneFault(declared('x: {type: enum, en: X, zh: 甲}'), /lists its `values`/)
    oneFault(
      declared('x: {type: enum, values: {a: [b], b: []}, en: X, zh: 甲}'),
      /would mean both `a` and `b`/,
    )
    oneFault(declared('x: {type: text, min: 1, en: X, zh: 甲}'), /`min` goes with numbers/)
    oneFault(declared('x: {type: number, min: 2, max: 1, en: X, zh: 甲}'), /lies below/)
    oneFault(declared('as_of: {type: instant, en: X, zh: 甲}'), /always there/)
    oneFault(declared('and: {type: instant, en: X, zh: 甲}'), /word of the expressions/)
    oneFault(
      declared('affordability: {type: text, en: X, zh: 甲}'),
      /declared a second time; the first is facts\.yaml:2:3/,
    )
    oneFault(declared('Big: {type: text, en: X, zh: 甲}'), /`Big` is no valid name/)
    oneFault(declared('x: {type: text, en: X}'), /`zh` is missing/)
    oneFault(declared('x: {type: text, en: 12, zh: 甲}'), /write it in quotes/)
    oneFault(declared('x: {type: money, tolerance: much, en: X, zh: 甲}'), /a share such as `10 %`/)
  })

  it('checks the precedence list and what the policy needs', () => {
    const policy = (from: string, to: string) =>
      faultsOf(packFiles({ 'policy.yaml': policyYaml.replace(from, to) }))
    const approve = '  - {decision: approve, event: conditions_required, threshold: 0.5}\n'
    oneFault(policy(approve, `${approve}  - {decision: hold}\n`), /`hold` stands after `approve`/)
    oneFault(
      policy('manual_review, event: manual_review_required, threshold: 0.3', 'hold'),
      /needs an entry `manual_review`/,
    )
    oneFault(
      policy('insufficient_evidence, event: evidence_required', 'hold, event: evidence_required'),
      /needs an entry `insufficient_evidence`/,
    )
    oneFault(policy('threshold: 0.9', 'threshold: 0'), /policy\.yaml:6:61 a threshold is more than 0/)
    assert.match(
      policy('threshold: 0.9', 'treshold: 0.9').join(),
      /no field `treshold` here; did you mean `threshold`/,
    )
    oneFault(policy('[monthly_income]', '[monthly_incme]'), /did you mean `monthly_income`/)
    oneFault(policy('[monthly_income]', '[]'), /expected the list `required`/)
    oneFault(policy('America/New_York', 'America/NewYork'), /IANA time zone/)
    oneFault(
      policy('required:', 'covers: {fact: score, operator: isUnknown}\nrequired:'),
      /`covers` may not rest on what is unknown/,
    )
    assert.deepEqual(
      policy('[monthly_income]', '[{fact: share, when: {fact: product, operator: equal, value: mortgage}}]'),
      [],
    )
  })

  it('checks sources, and says which file is missing', () => {
    oneFault(
      faultsOf(
        packFiles({ 'sources.yaml': sourcesYaml.replace('caller: underwriting', 'caller: underwritng') }),
      ),
      /did you mean `underwriting`/,
    )
    oneFault(
      faultsOf(
        packFiles({
          'sources.yaml': sourcesYaml.replace('{trust: 0.6,', '{trust: 0.6, kinds: {scoer: 0.5},'),
        }),
      ),
      /`scoer` is neither a fact nor what one `measures`; did you mean `score`/,
    )
    oneFault(faultsOf(packFiles({ 'reasons.yaml': undefined })), /^reasons\.yaml the file is missing/)
    oneFault(faultsOf(packFiles({ 'reasons.yaml': '' })), /reasons\.yaml:1:1 the file is empty/)
    oneFault(
      faultsOf(packFiles({ 'reasons.yaml': `${reasonsYaml}---\n${reasonsYaml}` })),
      /holds one document/,
    )
    oneFault(faultsOf(packFiles({ 'us-08a.yaml': undefined })), /holds no rule/)
  })
})
