/** What the example reads of an answer. */
export interface Answer {
  readonly decision: string
  readonly reasons: readonly { readonly text: { readonly en: string } }[]
  readonly conditions: readonly { readonly text: { readonly en: string } }[]
  readonly facts: {
    readonly believed: Readonly<Record<string, Believed>>
    readonly missing: readonly { readonly fact: string }[]
  }
}

interface Believed {
  readonly state: string
  readonly value: unknown
  readonly why?: string
  readonly rows?: readonly string[]
}

/** In the order in which one is worked out from the other. */
const chain = [
  ...['application_score', 'pre_bureau_risk', 'bureau_call', 'post_bureau_risk', 'contingency_factor'],
  ...['yearly_rate', 'longest_term', 'monthly_payment', 'free_income', 'affordable'],
  ...['eligibility', 'routing', 'documents'],
]

/** One application as text: what it is about, what each table and formula came to and by which rows, the decision. */
export function drawAnswer(about: string, answer: Answer): string {
  const { believed, missing } = answer.facts
  const lines = chain.map((name) => {
    const fact = believed[name]
    const rows = fact?.rows === undefined ? '' : `  by ${fact.rows.map(nameOf).join(', ')}`
    return `  ${name.padEnd(20)}${drawValue(fact).padEnd(14)}${rows}`.trimEnd()
  })
  const said = [...answer.reasons, ...answer.conditions].map(({ text }) => `  ${text.en}`)
  const wanted = missing.map(({ fact }) => `  missing: ${fact}`)
  return [about, ...lines, `  => ${answer.decision}`, ...said, ...wanted, ''].join('\n')
}

/** A row has a name, or its number. */
function nameOf(row: string): string {
  return /^\d+$/.test(row) ? `row ${row}` : row
}

function drawValue(fact: Believed | undefined): string {
  if (fact === undefined || fact.state !== 'known') return fact?.state ?? 'unknown'
  return Array.isArray(fact.value) ? fact.value.join(' ') : String(fact.value)
}
