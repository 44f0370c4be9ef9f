import type { Store } from '../ports/store.ts'

/** Number of a writer's last record, 0 without any; found by halving, since a store only tells what comes after. */
export async function lastSequence(store: Pick<Store, 'readLedger'>, writer: string): Promise<number> {
  const isAfter = async (seq: number) => (await store.readLedger(writer, seq, 1)).length > 0
  if (!(await isAfter(0))) return 0
  let [low, high] = [0, 1]
  while (high < Number.MAX_SAFE_INTEGER && (await isAfter(high))) [low, high] = [high, high * 2]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isAfter(middle)) low = middle
    else high = middle
  }
  return high
}
