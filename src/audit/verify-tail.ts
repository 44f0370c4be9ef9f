import type { LedgerRecord } from '../domain/record.ts'
import type { Store } from '../ports/store.ts'
import { collectFaults, type LedgerFault } from './collect-faults.ts'
import { lastSequence } from './last-sequence.ts'
import { genesis } from './link-record.ts'
import { verifyLink } from './verify-ledger.ts'

export interface TailReport {
  readonly records: number
  readonly faults: readonly LedgerFault[]
  /** The last record of all writers by its time; `undefined` when there is none. */
  readonly newest: LedgerRecord | undefined
}

/** Checks number, link and hash of each writer's last records; says nothing of what the records bind to. */
export async function verifyTail(store: Store, recordsMax: number): Promise<TailReport> {
  const faults = collectFaults()
  let records = 0
  let newest: LedgerRecord | undefined
  for (const writer of await store.writers()) {
    const first = Math.max(0, (await lastSequence(store, writer)) - recordsMax)
    // The record before the first is read too: the first is linked to it.
    const page = await store.readLedger(writer, Math.max(0, first - 1), recordsMax + 1)
    let before: Pick<LedgerRecord, 'seq' | 'hash'> = { seq: 0, hash: genesis }
    for (const record of page) {
      if (record.seq > first || first === 0) {
        verifyLink(before, record, faults)
        records++
      }
      before = record
      if (newest === undefined || record.time > newest.time) newest = record
    }
  }
  return { records, faults: faults.report().faults, newest }
}
