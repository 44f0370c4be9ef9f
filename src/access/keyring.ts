import type { AccessKey } from '../domain/access-key.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/** The keys of the store as they were at most half a second ago. */
export interface Keyring {
  /** Every key there ever was, by id. Failure: STORE_UNAVAILABLE, never an older list. */
  read(): Promise<ReadonlyMap<string, AccessKey>>
}

/** Keys made or revoked by another process are known within this time. */
const keptMs = 500

/**
 * Reads all keys at once and keeps them for a moment: however many ids are tried, the store is read twice a second
 * at most, and what is kept is no more than it holds.
 */
export function openKeyring(store: Pick<Store, 'listKeys'>, clock: Clock): Keyring {
  let kept: { readonly atMs: number; readonly keys: ReadonlyMap<string, AccessKey> } | undefined
  let reading: Promise<ReadonlyMap<string, AccessKey>> | undefined

  async function readNow(): Promise<ReadonlyMap<string, AccessKey>> {
    const atMs = clock.nowMs()
    try {
      const keys = new Map((await store.listKeys()).map((key) => [key.id, key]))
      kept = { atMs, keys }
      return keys
    } finally {
      reading = undefined
    }
  }

  return {
    async read() {
      const ageMs = clock.nowMs() - (kept?.atMs ?? Number.NEGATIVE_INFINITY)
      // A clock that stepped back says nothing about the age.
      if (kept !== undefined && ageMs >= 0 && ageMs < keptMs) return kept.keys
      reading ??= readNow()
      return reading
    },
  }
}
