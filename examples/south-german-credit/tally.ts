/** Decisions of one kind against what became of the loans. */
export interface TallyLine {
  readonly decision: string
  readonly good: number
  readonly bad: number
  /** Share of bad loans, rounded to four decimals. */
  readonly bad_share: number
}

export interface Decided {
  readonly decision: string
  readonly outcome: 'good' | 'bad'
}

const order = ['approve', 'counteroffer', 'manual_review', 'insufficient_evidence', 'hold', 'decline', 'stop']

/** Counts good and bad loans by decision, in the order from approve to stop, with a line `all` at the end. */
export function tally(decided: readonly Decided[]): readonly TallyLine[] {
  const kinds = order.filter((kind) => decided.some(({ decision }) => decision === kind))
  return [
    ...kinds.map((kind) =>
      line(
        kind,
        decided.filter(({ decision }) => decision === kind),
      ),
    ),
    line('all', decided),
  ]
}

function line(decision: string, decided: readonly Decided[]): TallyLine {
  const bad = decided.filter(({ outcome }) => outcome === 'bad').length
  const total = decided.length
  return {
    decision,
    good: total - bad,
    bad,
    bad_share: total === 0 ? 0 : Math.round((bad / total) * 10_000) / 10_000,
  }
}

/** The tally as a table of aligned columns. */
export function drawTally(lines: readonly TallyLine[]): string {
  const rows = [
    ['decision', 'good', 'bad', 'total', 'bad share'],
    ...lines.map(({ decision, good, bad, bad_share }) => [
      decision,
      String(good),
      String(bad),
      String(good + bad),
      `${(bad_share * 100).toFixed(1)} %`,
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .map((text) => `${text.trimEnd()}\n`)
    .join('')
}
