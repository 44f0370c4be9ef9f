import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { openTestService, type TestService } from '../support/open-test-service.ts'

const decidedAt = '2026-06-01T12:00:00Z'

type Changes = Readonly<Record<string, unknown>>

/** A row of a policy: what is changed in an application that passes, the decision, and the rules that decide. */
type Row = readonly [
  what: string,
  changes: Changes,
  decision: string,
  rules: readonly string[],
  more?: Readonly<Record<string, unknown>>,
]

const personalLoan: readonly Row[] = [
  ['nothing changed', {}, 'approve', []],
  ['address not verified', { address_verified: false }, 'insufficient_evidence', ['US-01']],
  ['taxpayer number of a dead person', { ssn_status: 'deceased' }, 'hold', ['US-02a']],
  ['fraud alert open', { bureau_alert: 'fraud_unresolved' }, 'hold', ['US-02b']],
  ['sanctions list, confirmed', { ofac_result: 'confirmed' }, 'stop', ['US-03a']],
  ['sanctions list, possible', { ofac_result: 'possible' }, 'hold', ['US-03b']],
  ['17 years old', { age: 17 }, 'decline', ['US-04']],
  ['18 years old', { age: 18 }, 'approve', []],
  ['91 years old', { age: 91 }, 'approve', []],
  ['income cut because of its kind', { income_discounted: true }, 'manual_review', ['US-06']],
  ['report of 30 days', { consumer_report_date: '2026-05-02' }, 'approve', []],
  ['report of 31 days', { consumer_report_date: '2026-05-01' }, 'insufficient_evidence', ['US-07a']],
  ['debts at 39.98 %', { monthly_debts: 1749 }, 'approve', []],
  ['debts at exactly 40 %', { monthly_debts: 1750 }, 'manual_review', ['US-08b']],
  ['debts at exactly 45 %', { monthly_debts: 2020 }, 'manual_review', ['US-08b']],
  ['debts a cent over 45 %', { monthly_debts: 2020.01 }, 'decline', ['US-08a']],
  ['Illinois at its limit', { all_in_apr: 36 }, 'approve', []],
  ['Illinois over its limit with insurance', { all_in_apr: 36.01 }, 'counteroffer', ['US-12a']],
  [
    'Illinois over its limit in any case',
    { all_in_apr: 37, all_in_apr_without_ancillary: 36.5 },
    'stop',
    ['US-12b'],
  ],
  ['a state without a limit on record', { state: 'Texas' }, 'manual_review', ['US-12c']],
  ['no licence in the state', { lender_licensed: false }, 'manual_review', ['US-12c']],
  [
    'covered borrower at the limit',
    { covered_borrower: true, mapr: 36, mapr_without_ancillary: 30 },
    'approve',
    [],
  ],
  [
    'covered borrower over the limit with insurance',
    { covered_borrower: true, mapr: 36.1, mapr_without_ancillary: 36 },
    'counteroffer',
    ['US-13a'],
  ],
  [
    'covered borrower over the limit in any case',
    { covered_borrower: true, mapr: 38, mapr_without_ancillary: 36.1 },
    'stop',
    ['US-13b'],
  ],
  ['covered borrower status not known', { covered_borrower: undefined }, 'hold', ['US-13c']],
  ['one payment 60 days late', { late_60_days_12m: 1 }, 'decline', ['US-14a']],
  ['bankruptcy a day under 24 months ago', { bankruptcy_discharged: '2024-06-02' }, 'decline', ['US-14b']],
  ['bankruptcy 24 months ago', { bankruptcy_discharged: '2024-06-01' }, 'approve', []],
  [
    '11 months in a new field',
    { employment_months: 11, prior_same_field: false },
    'manual_review',
    ['US-15'],
  ],
  ['11 months in the same field', { employment_months: 11 }, 'approve', []],
  [
    'income document missing, due today',
    { income_document: 'missing', income_document_due: '2026-06-01' },
    'insufficient_evidence',
    ['US-16a'],
  ],
  [
    'income document overdue',
    { income_document: 'missing', income_document_due: '2026-05-31' },
    'insufficient_evidence',
    ['US-16c'],
  ],
  [
    'income document missing, never asked for',
    { income_document: 'missing', income_document_due: null },
    'insufficient_evidence',
    ['US-16d'],
  ],
  ['income document unverifiable', { income_document: 'unverifiable' }, 'decline', ['US-16b']],
  ['loan of exactly 40 % of annual income', { loan_amount: 25920 }, 'approve', []],
  ['loan just over 40 % of annual income', { loan_amount: 25921 }, 'counteroffer', ['US-17']],
  ['a product the policy does not cover', { product: 'credit_card' }, 'insufficient_evidence', []],
]

const mortgage: readonly Row[] = [
  ['debts over 43 %, received today', {}, 'approve', []],
  [
    'debts over 43 %, received in 2020',
    {},
    'manual_review',
    ['US-10a'],
    { received_at: '2020-06-01T10:00:00-04:00' },
  ],
  [
    'debts over 43 %, received on the last day of that test',
    {},
    'manual_review',
    ['US-10a'],
    { received_at: '2021-02-28T23:59:59-05:00' },
  ],
  [
    'debts over 43 %, received on the first day of the price test',
    {},
    'approve',
    [],
    { received_at: '2021-03-01T00:00:00-05:00' },
  ],
  ['spread just under 1.5', { apr: 7.89 }, 'approve', []],
  ['spread of 1.5', { apr: 7.9 }, 'approve', ['US-11']],
  ['spread of 1.5, jumbo', { apr: 7.9, jumbo: true }, 'approve', []],
  ['spread of 2.25', { apr: 8.65 }, 'manual_review', ['US-10b']],
  ['report of four months at the note', { note_date: '2026-09-20' }, 'insufficient_evidence', ['US-07b']],
  ['report a day under four months', { note_date: '2026-09-19' }, 'approve', []],
  ['income not verified', { atr_income_verified: false }, 'insufficient_evidence', ['US-09a']],
  ['employment not verified', { atr_employment_verified: false }, 'insufficient_evidence', ['US-09b']],
  ['debts not verified', { atr_debts_verified: false }, 'insufficient_evidence', ['US-09c']],
]

const onlineLoan: readonly Row[] = [
  ['nothing changed', {}, 'approve', []],
  ['no consent', {}, 'stop', ['CN-01'], { consents: [] }],
  ['identity not verified', { identity_check: 'not_verified' }, 'insufficient_evidence', ['CN-02a']],
  ['name and number do not match', { identity_check: '不一致' }, 'hold', ['CN-02b']],
  ['screening, confirmed', { aml_result: 'confirmed' }, 'stop', ['CN-03a']],
  ['screening, possible', { aml_result: 'possible' }, 'hold', ['CN-03b']],
  ['17 years old', { age: 17 }, 'decline', ['CN-04a']],
  ['62 at the start, 65 at the end', { age: 62 }, 'approve', []],
  ['63 at the start, 66 at the end', { age: 63 }, 'counteroffer', ['CN-04b']],
  ['65 at the start', { age: 65 }, 'manual_review', ['CN-04c']],
  ['recognised with 0.5999', { kyc_confidence: 0.5999 }, 'insufficient_evidence', ['CN-05a']],
  ['recognised with 0.6', { kyc_confidence: 0.6 }, 'manual_review', ['CN-05b']],
  ['recognised with 0.85', { kyc_confidence: 0.85 }, 'manual_review', ['CN-05b']],
  ['recognised with 0.8501', { kyc_confidence: 0.8501 }, 'approve', []],
  ['proof 2.5 times the base', { income_proof: 27000 }, 'manual_review', ['CN-06b']],
  ['proof just over 2.5 times the base', { income_proof: 27001 }, 'decline', ['CN-06a']],
  ['proof 1.5 times the base', { income_proof: 16200 }, 'manual_review', ['CN-06b']],
  ['proof just under 1.5 times the base', { income_proof: 16199 }, 'approve', []],
  [
    'proof just under 0.7 of the base',
    { income_proof: 7559, new_payment: 1000, existing_payments: 1000 },
    'manual_review',
    ['CN-06c'],
  ],
  ['a bonus that nobody saw', { claims_bonus: true, bank_bonus: null }, 'manual_review', ['CN-06d']],
  ['tax record 10 % lower', { tax_income: 10800 }, 'approve', []],
  ['tax record more than 10 % lower', { tax_income: 10799 }, 'manual_review', ['CN-06e']],
  ['neither housing fund nor tax record', { fund_base: null }, 'manual_review', ['CN-07']],
  ['payments at 49.99 %', { existing_payments: 3533.8 }, 'approve', []],
  ['payments at exactly 50 %', { existing_payments: 3535 }, 'manual_review', ['CN-08b']],
  ['payments at exactly 55 %', { existing_payments: 4135 }, 'manual_review', ['CN-08b']],
  ['payments just over 55 %', { existing_payments: 4135.01 }, 'decline', ['CN-08a']],
  ['a loan of one annual income', { loan_amount: 144000 }, 'approve', []],
  ['a loan of more than one annual income', { loan_amount: 144001 }, 'counteroffer', ['CN-09']],
  ['300,000 yuan', { loan_amount: 300000, tax_income: 26000, income_proof: 26000 }, 'approve', []],
  [
    'over 300,000 yuan',
    { loan_amount: 300001, tax_income: 26000, income_proof: 26000 },
    'counteroffer',
    ['CN-10'],
  ],
  [
    '200,001 yuan before the notice',
    { loan_amount: 200001, tax_income: 26000, income_proof: 26000 },
    'counteroffer',
    ['CN-10'],
    { received_at: '2025-03-13T23:59:59+08:00' },
  ],
  ['84 months', { term_months: 84 }, 'approve', []],
  ['85 months', { term_months: 85 }, 'counteroffer', ['CN-11']],
  [
    '61 months before the notice',
    { term_months: 61 },
    'counteroffer',
    ['CN-11'],
    { received_at: '2025-03-13T23:59:59+08:00' },
  ],
  ['now overdue', { currently_overdue: true }, 'decline', ['CN-12a']],
  ['two overdue in six months', { overdue_count_6m: 2, overdue_days_max_6m: 3 }, 'decline', ['CN-12b']],
  [
    'one overdue of 30 days, paid',
    { overdue_count_6m: 1, overdue_days_max_6m: 30 },
    'manual_review',
    ['CN-12c'],
  ],
  [
    'one overdue of 31 days, paid',
    { overdue_count_6m: 1, overdue_days_max_6m: 31 },
    'manual_review',
    ['CN-12d'],
  ],
  ['three overdue in a row', { overdue_run_24m: 3 }, 'decline', ['CN-13a']],
  ['six overdue in 24 months', { overdue_count_24m: 6 }, 'decline', ['CN-13b']],
  ['five overdue in 24 months', { overdue_count_24m: 5 }, 'approve', []],
  ['six queries', { queries_3m: 6 }, 'manual_review', ['CN-14']],
  ['five months in the job', { employment_months: 5 }, 'manual_review', ['CN-15']],
  ['to buy shares', { purpose: 'shares' }, 'decline', ['CN-16a']],
  ['for no stated purpose', { purpose: null }, 'decline', ['CN-16b']],
  ['by a platform at 24 %', { platform_assisted: true, all_in_cost: 24 }, 'approve', []],
  ['by a platform over 24 %', { platform_assisted: true, all_in_cost: 24.1 }, 'stop', ['CN-17']],
  [
    'by a platform over 24 %, before the rule',
    { platform_assisted: true, all_in_cost: 24.1 },
    'approve',
    [],
    { received_at: '2025-09-30T12:00:00+08:00' },
  ],
  ['refuses automation', { objects_to_automation: true }, 'manual_review', ['CN-18']],
  [
    'refuses automation and is overdue',
    { objects_to_automation: true, currently_overdue: true },
    'manual_review',
    ['CN-18'],
  ],
]

let service: TestService['service']
before(async () => {
  service = (await openTestService(decidedAt)).service
})

for (const [policy, base, rows] of [
  ['personal loan', 'b1', personalLoan],
  ['mortgage', 'b4', mortgage],
  ['online loan', 'a1', onlineLoan],
] as const) {
  describe(policy, () => {
    for (const [index, [what, changes, decision, rules, more]] of rows.entries()) {
      it(`${what}: ${decision}`, async () => {
        const answer = await decide(base, `${base}-${index}`, changes, more ?? {})
        assert.equal(answer.decision, decision)
        assert.deepEqual([...new Set(answer.chains.map((chain) => chain.rule?.split('@')[0]))].sort(), rules)
        assertTellable(answer)
      })
    }
  })
}

async function decide(base: string, id: string, changes: Changes, more: object): Promise<RecordedAnswer> {
  const request = JSON.parse(readFileSync(`examples/requests/${base}.json`, 'utf8'))
  const facts = { ...request.facts, ...changes }
  const text = JSON.stringify({ ...request, ...more, application_id: id, subject: { id }, facts })
  return service.decide(readRequest(readJson(text)), 'test')
}

/** Nothing of what may never be told stands in what the applicant reads, and a decline or counteroffer says why. */
function assertTellable({ decision, reasons, offer, conditions }: RecordedAnswer): void {
  const told = [...reasons, ...conditions, ...(offer === null ? [] : [offer])]
    .map(({ code, text }) => `${code} ${text.en} ${text.zh}`)
    .join('\n')
  assert.doesNotMatch(told, /US-OFAC|CN-AML|CN-COST|sanctions|score|policy/i)
  assert.doesNotMatch(told, /反洗钱|制裁|评分|内部政策/)
  if (decision === 'decline') assert.ok(reasons.length >= 1 && reasons.length <= 4)
  if (decision === 'counteroffer') assert.ok(offer !== null && Object.keys(offer.terms).length > 0)
}
