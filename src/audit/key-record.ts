import { CreatedKey } from '../domain/access-key.ts'
import type { RecordBody } from '../domain/record.ts'
import { canonicalJson, sha256 } from './canonical.ts'

/** What the ledger says of a key that was created; binds to all of it, the secret's hash included. */
export function keyCreatedRecord(key: CreatedKey): RecordBody {
  const { id, roles, expires_at, rate_per_minute } = key
  return { kind: 'key_created', payload: { id, roles, expires_at, rate_per_minute, key: hashOfKey(key) } }
}

export function keyRevokedRecord({ id, roles }: Pick<CreatedKey, 'id' | 'roles'>): RecordBody {
  return { kind: 'key_revoked', payload: { id, roles } }
}

/** SHA-256 over the canonical JSON of a key as it was created. The hash inside keeps its name from being guessed. */
export function hashOfKey(key: CreatedKey): string {
  const { id, roles, name, created_at, expires_at, rate_per_minute, hash } = key
  return sha256(canonicalJson({ id, roles, name, created_at, expires_at, rate_per_minute, hash }))
}

/** What every store asks of a key before it takes it in; a key of another shape is a bug of the caller (TypeError). */
export function checkKey(key: CreatedKey): void {
  const parsed = CreatedKey.safeParse(key)
  if (!parsed.success) throw new TypeError(`the key is not valid: ${parsed.error.message}`)
}
