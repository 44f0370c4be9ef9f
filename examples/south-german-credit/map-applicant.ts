import type { Applicant, Column } from './read-applicants.ts'

/** A decision request as JSON; what became of the loan is not part of it. */
export interface Request {
  readonly application_id: string
  readonly policy: 'south-german-credit'
  readonly received_at: string
  readonly subject: { readonly id: string }
  readonly facts: Readonly<Record<string, Reading>>
}

export interface Reading {
  readonly value: string | number | boolean
  readonly source: 'bank_file'
  readonly observed_at: string
}

/** The loans were granted from 1973 to 1975; one day stands for all, so that every run is the same. */
const receivedAt = '1975-06-30T10:00:00Z'

/** Codes of each column as the facts of the pack name them (code table of the data set). */
const codes: Readonly<Partial<Record<Column, Readonly<Record<string, string | boolean>>>>> = {
  status: { 1: 'none', 2: 'below_zero', 3: 'under_200', 4: 'from_200' },
  credit_history: { 0: 'past_delays', 1: 'critical', 2: 'nothing_taken', 3: 'paid_till_now', 4: 'all_paid' },
  purpose: {
    0: 'other',
    1: 'new_car',
    2: 'used_car',
    3: 'furniture',
    4: 'radio_tv',
    5: 'appliances',
    6: 'repairs',
    7: 'education',
    8: 'vacation',
    9: 'retraining',
    10: 'business',
  },
  savings: { 1: 'unknown_or_none', 2: 'under_100', 3: 'from_100', 4: 'from_500', 5: 'from_1000' },
  employment_duration: {
    1: 'unemployed',
    2: 'under_1_year',
    3: 'from_1_year',
    4: 'from_4_years',
    5: 'from_7_years',
  },
  installment_rate: { 1: 'from_35', 2: 'from_25', 3: 'from_20', 4: 'under_20' },
  personal_status_sex: {
    1: 'male divorced or separated',
    2: 'female not single, or male single',
    3: 'male married or widowed',
    4: 'female single',
  },
  other_debtors: { 1: 'none', 2: 'co_applicant', 3: 'guarantor' },
  present_residence: { 1: 'under_1_year', 2: 'from_1_year', 3: 'from_4_years', 4: 'from_7_years' },
  property: { 1: 'unknown_or_none', 2: 'car_or_other', 3: 'savings_contract', 4: 'real_estate' },
  other_installment_plans: { 1: 'bank', 2: 'stores', 3: 'none' },
  housing: { 1: 'free', 2: 'rent', 3: 'own' },
  number_credits: { 1: 'one', 2: 'two_or_three', 3: 'four_or_five', 4: 'six_or_more' },
  job: { 1: 'unskilled_non_resident', 2: 'unskilled_resident', 3: 'skilled', 4: 'highly_qualified' },
  people_liable: { 1: 'three_or_more', 2: 'up_to_two' },
  telephone: { 1: false, 2: true },
  foreign_worker: { 1: true, 2: false },
}

/**
 * One line of the data set as a request. Age, personal status and foreign worker are passed on, but the pack
 * declares them prohibited: they are stored for monitoring, and no rule may read them.
 */
export function mapApplicant(applicant: Applicant): Request {
  const reading = (value: Reading['value']): Reading => ({
    value,
    source: 'bank_file',
    observed_at: receivedAt,
  })
  const number = (column: Column) => reading(numberIn(applicant, column))
  const coded = (column: Column) => reading(meaningOf(applicant, column))
  return {
    application_id: applicant.id,
    policy: 'south-german-credit',
    received_at: receivedAt,
    subject: { id: applicant.id },
    facts: {
      amount: number('amount'),
      duration_months: number('duration'),
      purpose: coded('purpose'),
      account: coded('status'),
      savings: coded('savings'),
      credit_history: coded('credit_history'),
      employment: coded('employment_duration'),
      instalment_share: coded('installment_rate'),
      other_debtors: coded('other_debtors'),
      other_plans: coded('other_installment_plans'),
      property: coded('property'),
      housing: coded('housing'),
      residence: coded('present_residence'),
      number_credits: coded('number_credits'),
      job: coded('job'),
      people_liable: coded('people_liable'),
      telephone: coded('telephone'),
      age: number('age'),
      personal_status_sex: coded('personal_status_sex'),
      foreign_worker: coded('foreign_worker'),
    },
  }
}

function numberIn(applicant: Applicant, column: Column): number {
  const text = applicant[column]
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`${applicant.id}: expected a whole number in \`${column}\`; got \`${text}\``)
}

function meaningOf(applicant: Applicant, column: Column): string | boolean {
  const meanings = codes[column] ?? {}
  const code = applicant[column]
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined
  if (meaning !== undefined) return meaning
  const known = Object.keys(meanings).join(', ')
  throw new Error(`${applicant.id}: expected one of ${known} in \`${column}\`; got \`${code}\``)
}
