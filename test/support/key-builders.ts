import { hashOfSecret, writeSecret } from '../../src/access/key-secret.ts'
import type { CreatedKey } from '../../src/domain/access-key.ts'
import { aSalt } from './store-builders.ts'

/** An id of a key, the same for the same name. */
export function aKeyId(name: string): string {
  return aSalt(name).slice(0, 12)
}

/** The secret of the key that `aKey` gives under this name. */
export function aSecret(name: string): string {
  return writeSecret(aKeyId(name), aSalt(`secret of ${name}`))
}

export function aKey(name: string, fields: Partial<CreatedKey> = {}): CreatedKey {
  return {
    id: aKeyId(name),
    roles: ['underwriter'],
    name,
    created_at: '2026-06-01T14:00:00.000Z',
    expires_at: null,
    rate_per_minute: 6000,
    hash: hashOfSecret(aSecret(name)),
    ...fields,
  }
}
