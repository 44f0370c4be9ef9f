/** Columns of the data set, in the order of its header. */
export const columns = [
  'id',
  'status',
  'duration',
  'credit_history',
  'purpose',
  'amount',
  'savings',
  'employment_duration',
  'installment_rate',
  'personal_status_sex',
  'other_debtors',
  'present_residence',
  'property',
  'age',
  'other_installment_plans',
  'housing',
  'number_credits',
  'job',
  'people_liable',
  'telephone',
  'foreign_worker',
  'credit_risk',
] as const
export type Column = (typeof columns)[number]

/** One line of the data set, every value as it stands in the file. */
export type Applicant = Readonly<Record<Column, string>>

/**
 * Reads the data set. The file has no quotes, so a line is split at its commas; a header or a line that is not as
 * expected is an error that names the line.
 */
export function readApplicants(csv: string): readonly Applicant[] {
  const [header = '', ...lines] = csv.trimEnd().split(/\r?\n/)
  if (header !== columns.join(',')) {
    throw new Error(`line 1: expected the header \`${columns.join(',')}\`; got \`${header}\``)
  }
  return lines.map((line, index) => {
    const values = line.split(',')
    if (values.length !== columns.length || values.some((value) => value === '')) {
      throw new Error(`line ${index + 2}: expected ${columns.length} values; got \`${line}\``)
    }
    return Object.fromEntries(columns.map((column, at) => [column, values[at]])) as Applicant
  })
}

/** What became of the loan. */
export function outcomeOf(applicant: Applicant): 'good' | 'bad' {
  const { id, credit_risk } = applicant
  if (credit_risk !== '1' && credit_risk !== '0') {
    throw new Error(`${id}: expected a credit_risk of 1 or 0; got \`${credit_risk}\``)
  }
  return credit_risk === '1' ? 'good' : 'bad'
}
