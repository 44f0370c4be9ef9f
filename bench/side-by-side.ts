import { percentile } from './measurement.ts'

/** Something to time: one call is one run. */
export type Runs = () => unknown

const roundMs = 30
const rounds = 15
/** A run that takes longer is measured in fewer rounds. */
const slowMs = 200
const slowRounds = 3

/**
 * Microseconds of one run of each, measured in turns so that a busy machine is busy for all of them: the lower
 * quartile of the rounds, since whatever disturbs a round makes it longer. A round lasts about 30 ms, or one run where
 * that takes longer.
 */
export async function sideBySide<Name extends string>(
  runs: Readonly<Record<Name, Runs>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const counts = new Map<Name, number>()
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (const name of names) counts.set(name, await runsPerRound(runs[name]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const count = counts.get(name) ?? 1
      const before = figures.get(name) ?? []
      if (round >= slowRounds && (before[0] ?? 0) > slowMs * 1000) continue
      before.push(((await time(runs[name], count)) / count) * 1000)
    }
  }
  return Object.fromEntries(names.map((name) => [name, percentile(figures.get(name) ?? [], 0.25)])) as Record<
    Name,
    number
  >
}

/** Warms up, and finds how many runs fill a round. */
async function runsPerRound(run: Runs): Promise<number> {
  // The first run compiles.
  await time(run, 1)
  let count = 1
  for (;;) {
    const tookMs = await time(run, count)
    if (tookMs >= roundMs) return Math.max(1, Math.round((count * roundMs) / tookMs))
    count = Math.max(count + 1, Math.min(count * 4, Math.ceil((count * roundMs) / Math.max(tookMs, 0.01))))
  }
}

async function time(run: Runs, count: number): Promise<number> {
  const startedMs = performance.now()
  for (let index = 0; index < count; index++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  return performance.now() - startedMs
}
