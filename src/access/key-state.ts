import type { AccessKey } from '../domain/access-key.ts'
import { readInstant } from '../domain/time.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

/** What a key is worth at an instant: its last moment is the one before `expires_at`. */
export function keyState(key: Pick<AccessKey, 'revoked_at' | 'expires_at'>, nowMs: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'active'
  // A time that can't be read has passed.
  return nowMs < (readInstant(key.expires_at) ?? Number.NEGATIVE_INFINITY) ? 'active' : 'expired'
}
