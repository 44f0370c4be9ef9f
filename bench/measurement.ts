/** One figure; `peers` are measured in the same run, `ratio` is ours divided by the first of them. */
export interface Measurement {
  readonly bench: string
  readonly case: string
  readonly metric: string
  readonly unit: string
  readonly ours: number
  readonly peers: Readonly<Record<string, number>>
  readonly ratio: number | null
  readonly target: number | null
  readonly met: boolean | null
}

/** The value below which the given share of the sorted values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function measured(
  bench: string,
  what: { case: string; metric: string; unit: string },
  ours: number,
  peers: Readonly<Record<string, number>>,
): Measurement {
  const first = Object.values(peers)[0]
  const ratio = first === undefined ? null : rounded(ours / first)
  const shown = Object.fromEntries(Object.entries(peers).map(([name, value]) => [name, rounded(value)]))
  return { bench, ...what, ours: rounded(ours), peers: shown, ratio, target: null, met: null }
}

/** The figure with the ratio that it may have at most. */
export function targeted(measurement: Measurement, target: number): Measurement {
  return { ...measurement, target, met: measurement.ratio !== null && measurement.ratio <= target }
}

function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
