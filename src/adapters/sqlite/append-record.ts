import { genesis, linkRecord } from '../../audit/link-record.ts'
import type { LedgerRecord, RecordBody } from '../../domain/record.ts'
import { recordToRow } from './rows.ts'
import type { Statements } from './statements.ts'

/** All processes on one file share this chain: its end is read inside the transaction that writes. */
export const writer = 'embedded'

/** End of the chain: what the next record links to. */
export type Head = Pick<LedgerRecord, 'seq' | 'hash'>

export function readHead(statements: Statements): Head {
  const row = statements.head.get(writer)
  return row === undefined ? { seq: 0, hash: genesis } : { seq: Number(row.seq), hash: String(row.hash) }
}

export function appendRecord(
  statements: Statements,
  head: Head,
  content: { readonly time: string; readonly actor: string; readonly body: RecordBody },
): LedgerRecord {
  const record = linkRecord({ writer, seq: head.seq + 1, prev: head.hash, ...content })
  statements.addRecord.run(recordToRow(record))
  return record
}
