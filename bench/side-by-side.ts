import { percentile } from './measurement.ts'

/** Something to time: one call is one run. */
export type Runs = () => unknown

const roundMs = 60
const roundsMin = 7

/**
 * Median microseconds of one run of each, measured in turns so that a busy machine is busy for all of them. Each
 * round of each lasts about 60 ms, or one run where that takes longer.
 */
export async function sideBySide<Name extends string>(
  runs: Readonly<Record<Name, Runs>>,
  rounds = roundsMin,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const counts = new Map<Name, number>()
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (const name of names) counts.set(name, await runsPerRound(runs[name]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const count = counts.get(name) ?? 1
      figures.get(name)?.push(((await time(runs[name], count)) / count) * 1000)
    }
  }
  return Object.fromEntries(names.map((name) => [name, percentile(figures.get(name) ?? [], 0.5)])) as Record<
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
