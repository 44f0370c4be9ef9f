import type { LedgerRecord } from '../domain/record.ts'
import type { NotedHead, Store } from '../ports/store.ts'
import type { FaultList } from './collect-faults.ts'
import { readOrBroken } from './read-or-broken.ts'

export interface HeadVerifier {
  /** What was noted; the record of this number must be seen, and the last one. */
  readonly noted: NotedHead | undefined
  see(record: LedgerRecord): void
  /** After the last record: whether the chain reaches what was noted. */
  finish(): void
}

/**
 * Checks that the ledger still holds the record at which it was last noted to end: a tail cut off together with its
 * decisions leaves a chain without a fault. To be opened before the ledger is read, since the ledger may grow.
 */
export async function verifyHead(store: Pick<Store, 'notedHead'>, faults: FaultList): Promise<HeadVerifier> {
  const read = await readOrBroken(() => store.notedHead())
  if ('broken' in read) faults.add({ writer: '', seq: 0 }, read.broken)
  const head: NotedHead | undefined = 'value' in read ? read.value : undefined
  let last = 0
  let found: string | undefined
  return {
    noted: head,
    see({ writer, seq, hash }) {
      if (writer !== head?.writer) return
      last = seq
      if (seq === head.seq) found = hash
    },
    finish() {
      if (head === undefined || found === head.hash) return
      const { writer, seq } = head
      const why =
        found === undefined
          ? `the ledger ends at record ${last}; it was noted in \`ledger-head.json\` to reach record ${seq}: records are gone`
          : `\`ledger-head.json\` notes another hash of this record, \`${head.hash}\``
      faults.add({ writer, seq }, why)
    },
  }
}
