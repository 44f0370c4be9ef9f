import type { AccessKey } from '../domain/access-key.ts'
import type { LedgerRecord, RecordBody } from '../domain/record.ts'
import type { Store } from '../ports/store.ts'
import type { FaultList } from './collect-faults.ts'
import { hashOfKey } from './key-record.ts'
import { readOrBroken } from './read-or-broken.ts'

type KeyBody = Extract<RecordBody, { kind: 'key_created' | 'key_revoked' }>

export interface KeyVerifier {
  see(record: LedgerRecord, body: KeyBody): void
  /** After the last record: compares what the records say with what is stored. */
  finish(): Promise<void>
}

/** Checks that keys are what the ledger says, and that none was made, changed or revoked beside it. */
export async function verifyKeys(store: Store, faults: FaultList): Promise<KeyVerifier> {
  const seen: { readonly record: LedgerRecord; readonly body: KeyBody }[] = []
  // Only what was there before the ledger is read must have its record there.
  const before = await readOrBroken(() => store.listKeys())
  return {
    see(record, body) {
      seen.push({ record, body })
    },
    async finish() {
      const nowhere = { writer: '', seq: 0 }
      const now = await readOrBroken(() => store.listKeys())
      if ('broken' in before) return faults.add(nowhere, before.broken)
      if ('broken' in now) return faults.add(nowhere, now.broken)
      const keys = new Map(now.value.map((key) => [key.id, key]))
      const recorded = (kind: KeyBody['kind']) =>
        new Set(seen.filter(({ body }) => body.kind === kind).map(({ body }) => body.payload.id))
      for (const { record, body } of seen) {
        const why = faultOf(record, body, keys.get(body.payload.id))
        if (why !== undefined) faults.add(record, why)
      }
      const [created, revoked] = [recorded('key_created'), recorded('key_revoked')]
      for (const { id, revoked_at } of before.value) {
        if (!created.has(id)) faults.add(nowhere, `key \`${id}\` was created without a record`)
        if (revoked_at !== null && !revoked.has(id)) {
          faults.add(nowhere, `key \`${id}\` was revoked without a record`)
        }
      }
    },
  }
}

function faultOf(record: LedgerRecord, body: KeyBody, key: AccessKey | undefined): string | undefined {
  const { id } = body.payload
  if (key === undefined) return `key \`${id}\` is not stored`
  if (body.kind === 'key_created') {
    return hashOfKey(key) === body.payload.key ? undefined : `key \`${id}\` was changed`
  }
  return key.revoked_at === record.time ? undefined : `the revocation of key \`${id}\` is gone or was changed`
}
