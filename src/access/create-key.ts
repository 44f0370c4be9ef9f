import type { CreatedKey, Role } from '../domain/access-key.ts'
import { writeInstant } from '../domain/time.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { hashOfSecret, writeSecret } from './key-secret.ts'

export interface KeyWish {
  readonly roles: readonly Role[]
  readonly name: string
  readonly expiresAt: string | null
  readonly ratePerMinute: number
}

/** Makes a key, records it, and gives it with its secret, which nobody can be told again. Failures: the store's. */
export async function createKey(
  wish: KeyWish,
  { store, clock, randomness }: { store: Store; clock: Clock; randomness: Randomness },
  actor: string,
): Promise<{ readonly key: CreatedKey; readonly secret: string }> {
  const id = randomness.saltHex().slice(0, 12)
  const secret = writeSecret(id, randomness.saltHex())
  const key: CreatedKey = {
    id,
    roles: [...new Set(wish.roles)].sort(),
    name: wish.name,
    created_at: writeInstant(clock.nowMs()),
    expires_at: wish.expiresAt,
    rate_per_minute: wish.ratePerMinute,
    hash: hashOfSecret(secret),
  }
  await store.saveKey(key, actor)
  return { key, secret }
}
