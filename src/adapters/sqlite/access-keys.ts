import { keyCreatedRecord, keyRevokedRecord } from '../../audit/key-record.ts'
import type { AccessKey, CreatedKey } from '../../domain/access-key.ts'
import { Failure } from '../../errors.ts'
import { appendRecord, readHead } from './append-record.ts'
import { keyFromRow, keyToRow } from './rows.ts'
import type { Statements } from './statements.ts'

/** Adds a key and its record inside the transaction that is open. */
export function addKey(statements: Statements, key: CreatedKey, actor: string): void {
  if (statements.key.get(key.id) !== undefined) {
    throw new Failure('REQUEST_INVALID', { at: key.id, why: 'a key with this id exists already' })
  }
  statements.addKey.run(keyToRow(key))
  appendRecord(statements, readHead(statements), { time: key.created_at, actor, body: keyCreatedRecord(key) })
}

/** Revokes a key, with its record, inside the transaction that is open; false when it is revoked already. */
export function addRevocation(statements: Statements, id: string, time: string, actor: string): boolean {
  const key = readKey(statements, id)
  if (key === undefined) throw new Failure('KEY_UNKNOWN', { at: '', why: `no key has the id \`${id}\`` })
  if (key.revoked_at !== null) return false
  statements.addRevocation.run({ id, revoked_at: time })
  appendRecord(statements, readHead(statements), { time, actor, body: keyRevokedRecord(key) })
  return true
}

export function readKey(statements: Statements, id: string): AccessKey | undefined {
  const row = statements.key.get(id)
  return row === undefined ? undefined : keyFromRow(row)
}
