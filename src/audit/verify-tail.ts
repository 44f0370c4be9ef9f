import type { LedgerRecord } from '../domain/record.ts'
import type { Store } from '../ports/store.ts'
import { collectFaults, type LedgerFault } from './collect-faults.ts'
import { lastSequence } from './last-sequence.ts'
import { genesis } from './link-record.ts'
import { verifyHead } from './verify-head.ts'
import { verifyLink } from './verify-ledger.ts'

export interface TailReport {
  readonly records: number
  readonly faults: readonly LedgerFault[]
  /** The last record of all writers by its time; `undefined` when there is none. */
  readonly newest: LedgerRecord | undefined
}

/**
 * Checks number, link and hash of each writer's last records, and that the chain reaches what was noted of its end;
 * says nothing of what the records bind to.
 */
export async function verifyTail(store: Store, recordsMax: number): Promise<TailReport> {
  const faults = collectFaults()
  const head = await verifyHead(store, faults)
  let records = 0
  let newest: LedgerRecord | undefined
  if (head.noted !== undefined) {
    const { writer, seq } = head.noted
    for (const record of await store.readLedger(writer, seq - 1, 1)) head.see(record)
  }
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
      head.see(record)
      if (newest === undefined || record.time > newest.time) newest = record
    }
  }
  head.finish()
  return { records, faults: faults.report().faults, newest }
}
