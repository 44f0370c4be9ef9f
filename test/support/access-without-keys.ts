import { type Access, openAccess } from '../../src/access/open-access.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'

/** Access as it is before the first key is made: everybody on this machine may do everything. */
export function accessWithoutKeys(): Access {
  return openAccess({ store: openMemoryStore(), clock: { nowMs: () => 0 }, log: () => {} })
}
