import fc from 'fast-check'

const soaking = process.env.CAUSEBOOK_SOAK === '1'

/**
 * How many random cases to run: the full count under `npm run soak`, otherwise the stated share (default 1/20,
 * at least 100). Prints count and seed, so that a run can be repeated with `CAUSEBOOK_SEED`.
 */
export function randomCases(name: string, full: number, share = 1 / 20): { numRuns: number; seed: number } {
  const numRuns = soaking ? full : Math.min(full, Math.max(100, Math.round(full * share)))
  const given = process.env.CAUSEBOOK_SEED
  const seed = given === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(given)
  console.log(`${name}: ${numRuns} of ${full} cases, seed ${seed}`)
  return { numRuns, seed }
}

/** Seeds fast-check's own random source for code that wants plain numbers. */
export { fc }
