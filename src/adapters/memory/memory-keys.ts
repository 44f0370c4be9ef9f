import type { AccessKey, CreatedKey } from '../../domain/access-key.ts'
import { compareText } from '../../domain/compare-text.ts'
import { Failure } from '../../errors.ts'

/** Keys of access by id, and when they were revoked; nothing is ever taken out. */
export interface MemoryKeys {
  /** REQUEST_INVALID when the id is taken. */
  add(key: CreatedKey): void
  /** The key, if this revoked it; `undefined` when it was revoked before. KEY_UNKNOWN. */
  revoke(id: string, time: string): CreatedKey | undefined
  list(): readonly AccessKey[]
  find(id: string): AccessKey | undefined
}

export function openMemoryKeys(): MemoryKeys {
  const created = new Map<string, CreatedKey>()
  const revokedAt = new Map<string, string>()

  function standing(key: CreatedKey): AccessKey {
    return Object.freeze({ ...key, revoked_at: revokedAt.get(key.id) ?? null })
  }

  return {
    add(key) {
      if (created.has(key.id)) {
        throw new Failure('REQUEST_INVALID', { at: key.id, why: 'a key with this id exists already' })
      }
      created.set(key.id, key)
    },
    revoke(id, time) {
      const key = created.get(id)
      if (key === undefined) throw new Failure('KEY_UNKNOWN', { at: '', why: `no key has the id \`${id}\`` })
      if (revokedAt.has(id)) return undefined
      revokedAt.set(id, time)
      return key
    },
    list: () => [...created.values()].map(standing).sort(byCreation),
    find(id) {
      const key = created.get(id)
      return key === undefined ? undefined : standing(key)
    },
  }
}

function byCreation(one: AccessKey, other: AccessKey): number {
  const [left, right] = [`${one.created_at} ${one.id}`, `${other.created_at} ${other.id}`]
  return compareText(left, right)
}
