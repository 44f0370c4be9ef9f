import type { FactState } from '../../src/domain/fact.ts'
import type { Question } from '../../src/rules/evaluation.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { PackFile } from '../../src/rules/parse-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'

export const policyYaml = `policy: test-pack
version: 2026.1
zone: America/New_York
currency: USD
outcomes:
  - {decision: stop, event: prohibited_customer, threshold: 0.9}
  - {decision: decline, event: credit_rejection, threshold: 0.4}
  - {decision: insufficient_evidence, event: evidence_required, threshold: 0.3}
  - {decision: manual_review, event: manual_review_required, threshold: 0.3}
  - {decision: counteroffer, event: terms_exceeded, threshold: 0.5}
  - {decision: approve, event: conditions_required, threshold: 0.5}
required: [monthly_income]
min_confidence: 0.7
weights: {perceived: 0.3, reasoned: 0.3, verified: 0.4}
`

export const factsYaml = `facts:
  monthly_income: {type: money, unit: USD, en: Monthly income, zh: 月收入}
  monthly_debts: {type: money, unit: USD, en: Monthly debts, zh: 月债务}
  new_payment: {type: money, unit: USD, en: New payment, zh: 新增月供}
  loan_amount: {type: money, unit: USD, en: Loan amount, zh: 贷款金额}
  score: {type: integer, en: Score, zh: 分数, may_be_none: true}
  share: {type: ratio, en: Share, zh: 比例, may_be_none: true}
  label: {type: text, en: Label, zh: 标签}
  product: {type: enum, values: {personal_loan: [personal, 'unsecured loan'], mortgage: []}, en: Product, zh: 产品}
  is_verified: {type: boolean, en: Verified, zh: 已核实}
  discharged: {type: date, may_be_none: true, en: Discharged, zh: 免责日}
  checked_at: {type: instant, en: Checked at, zh: 核查时间}
  grace: {type: duration, en: Grace, zh: 宽限期}
  tags: {type: list, of: text, en: Tags, zh: 标签}
  amounts: {type: list, of: money, en: Amounts, zh: 金额}
  extra: {type: object, en: Extra, zh: 其他}
derived:
  debt_to_income: {type: ratio, en: Debt to income, zh: 负债收入比, expression: (monthly_debts + new_payment) / monthly_income}
  overdues: {type: integer, en: Overdues, zh: 逾期次数, episodes: {type: credit_overdue, within_days: 180, where: {days_overdue: '>= 30'}, take: count}}
memory:
  affordability: {type: enum, values: {passed: [], failed: []}, en: Affordability, zh: 偿付能力}
`

export const sourcesYaml = `caller: underwriting
applicant: applicant
sources:
  underwriting: {trust: 0.95, en: Underwriting, zh: 承保系统}
  applicant: {trust: 0.6, en: Applicant, zh: 申请人}
methods: {ocr: 0.67, api: 0.97}
`

export const reasonsYaml = `reasons:
  C1-09: {label: {en: Debts too high, zh: 负债过高}, hmda: 1}
`

export const ruleYaml = `rule_id: US-08a
version: 1.0.0
description: Total debts over 45 % of income strain repayment
regulation: lender/credit-policy-7
when:
  all:
    - {fact: debt_to_income, operator: greaterThan, value: 0.45}
then:
  - {episode: dti_high, toward: credit_rejection}
reason:
  code: C1-09
  tell: reason
  text: {en: 'Debts would be {debt_to_income|percent} of income; our limit is 45 %', zh: '占收入 {debt_to_income|percent}'}
tests:
  - {name: just above, given: {debt_to_income: 0.4501}, expect: {fires: true, episodes: [dti_high]}}
  - {name: at the limit, given: {debt_to_income: 0.45}, expect: {fires: false}}
`

/** Files of a small valid pack; given texts stand in the place of the usual ones, `undefined` leaves a file out. */
export function packFiles(changes: Readonly<Record<string, string | undefined>> = {}): PackFile[] {
  const usual = {
    'policy.yaml': policyYaml,
    'facts.yaml': factsYaml,
    'sources.yaml': sourcesYaml,
    'reasons.yaml': reasonsYaml,
    'us-08a.yaml': ruleYaml,
  }
  return Object.entries({ ...usual, ...changes }).flatMap(([path, text]) =>
    text === undefined ? [] : [{ path, text }],
  )
}

/** The usual facts with more lines under `facts:`, `derived:` or `memory:`. */
export function factsWith(more: { facts?: string; derived?: string; memory?: string }): string {
  const indent = (lines: string | undefined) =>
    (lines ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  ${line}\n`)
      .join('')
  return factsYaml
    .replace('facts:\n', `facts:\n${indent(more.facts)}`)
    .replace('derived:\n', `derived:\n${indent(more.derived)}`)
    .replace('memory:\n', `memory:\n${indent(more.memory)}`)
}

/** A rule file with one condition, written as YAML flow text. */
export function ruleWith(fields: {
  id?: string
  version?: string
  when?: string
  then?: string
  more?: string
}): string {
  return `rule_id: ${fields.id ?? 'T-1'}
version: ${fields.version ?? '1.0.0'}
description: A rule of a test
regulation: lender/test
when: ${fields.when ?? '{fact: is_verified, operator: equal, value: false}'}
then: ${fields.then ?? '[{episode: something, toward: manual_review_required}]'}
${fields.more ?? ''}`
}

/** A compiled pack with these rule files instead of the usual one. */
export function packWithRules(
  rules: readonly string[],
  more: { facts?: string; policy?: string } = {},
): RuleSet {
  const files = Object.fromEntries(rules.map((text, index) => [`rule-${index}.yaml`, text]))
  return loadPack(
    packFiles({
      'us-08a.yaml': undefined,
      ...(more.facts === undefined ? {} : { 'facts.yaml': more.facts }),
      ...(more.policy === undefined ? {} : { 'policy.yaml': more.policy }),
      ...files,
    }),
  )
}

export function known(value: (FactState & { state: 'known' })['value'], confidence = 1): FactState {
  return { state: 'known', value, confidence }
}

export function none(confidence = 1): FactState {
  return { state: 'none', confidence }
}

/** A question of 1 June 2026 with an empty history; only what a test is about is named. */
export function aQuestion(
  facts: Readonly<Record<string, FactState>> = {},
  changes: Partial<Omit<Question, 'facts'>> = {},
): Question {
  const atMs = Date.UTC(2026, 5, 1, 12)
  return {
    facts: new Map(Object.entries(facts)),
    consents: [],
    asOfMs: atMs,
    receivedAtMs: atMs,
    history: [],
    isSubtype: () => false,
    ...changes,
  }
}
