import { Role } from '../domain/access-key.ts'
import type { AccessDenied } from '../domain/record.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { idOfSecret, isSecretOf } from './key-secret.ts'
import { keyState } from './key-state.ts'
import { openKeyring } from './keyring.ts'
import { openRateLimiter } from './rate-limiter.ts'
import { type Denials, openDenials } from './record-denials.ts'

/** Who calls: the id of a key, or `local` on a machine without keys. Stands as actor in records. */
export interface Caller {
  readonly id: string
  readonly roles: readonly Role[]
}

/** Why a caller is not let in, and of which key that is known. */
export interface Refusal {
  readonly why: AccessDenied['why']
  readonly keyId: string | null
  /** When to come again, for `rate`. */
  readonly afterMs?: number
}

export interface Access {
  /**
   * Whether requests need a key: from the first key ever made on, though it may have expired or been revoked. While
   * the store cannot tell, what was known last.
   */
  needsKey(): Promise<boolean>
  /** Who shows this `Authorization` header, and whether they may come in now. Failure: STORE_UNAVAILABLE. */
  admit(
    authorization: string | undefined,
  ): Promise<{ readonly caller: Caller } | { readonly refusal: Refusal }>
  readonly denials: Denials
}

/** Who calls while there are no keys: somebody on this machine, who may do everything. */
export const local: Caller = { id: 'local', roles: Role.options }

/** Joins keys, rates and the record of refused calls. */
export function openAccess(deps: {
  readonly store: Pick<Store, 'listKeys' | 'appendRecord'>
  readonly clock: Clock
  readonly log: (line: string) => void
}): Access {
  const keyring = openKeyring(deps.store, deps.clock)
  const limiter = openRateLimiter()
  // Invariant: once a key was made, no failure of the store and no expiry lets anybody in without one.
  let hadKeys = false

  async function readKeys() {
    const keys = await keyring.read()
    hadKeys ||= keys.size > 0
    return keys
  }

  return {
    async needsKey() {
      if (hadKeys) return true
      try {
        return (await readKeys()).size > 0
      } catch {
        return hadKeys
      }
    },
    async admit(authorization) {
      const keys = await readKeys()
      if (!hadKeys) return { caller: local }
      if (authorization === undefined || authorization.trim() === '') return refuse('missing', null)
      const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
      const key = keys.get(idOfSecret(secret) ?? '')
      if (key === undefined || !isSecretOf(secret, key.hash)) return refuse('unknown', null)
      const nowMs = deps.clock.nowMs()
      const state = keyState(key, nowMs)
      if (state !== 'active') return refuse(state, key.id)
      const afterMs = limiter.take(key.id, key.rate_per_minute, nowMs)
      if (afterMs > 0) return { refusal: { why: 'rate', keyId: key.id, afterMs } }
      return { caller: { id: key.id, roles: key.roles } }
    },
    denials: openDenials(deps),
  }
}

function refuse(why: Refusal['why'], keyId: string | null): { readonly refusal: Refusal } {
  return { refusal: { why, keyId } }
}
