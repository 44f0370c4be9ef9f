import type { TestPart, UnaryTest } from '../../domain/decision-table.ts'

/** A cell as people write it, from what was read. */
export function writeUnaryTest(test: UnaryTest): string {
  if (test === '-') return '-'
  const parts = ('in' in test ? test.in : test.not_in).map(writePart).join(', ')
  return 'in' in test ? parts : `not(${parts})`
}

function writePart(part: TestPart): string {
  if ('equal' in part) return String(part.equal)
  const { from, above, to, below } = part
  const low = from ?? above
  const high = to ?? below
  if (low === undefined) return to === undefined ? `< ${below}` : `<= ${to}`
  if (high === undefined) return from === undefined ? `> ${above}` : `>= ${from}`
  return `${from === undefined ? '(' : '['}${low}..${high}${to === undefined ? ')' : ']'}`
}
