import { lastSequence } from '../audit/last-sequence.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'

/** How long the ledger is, by writer. */
export function measureStore(metrics: Metrics, store: Pick<Store, 'writers' | 'readLedger'>): void {
  metrics.gauge('causebook_ledger_records', 'Records in the ledger, by writer.', async () => {
    const writers = await store.writers()
    return Promise.all(
      writers.map(async (writer) => ({ labels: { writer }, value: await lastSequence(store, writer) })),
    )
  })
}
