import type { AppliedMigration, AppliedOperation } from '../domain/change-set.ts'
import type { LedgerRecord, RecordBody } from '../domain/record.ts'
import type { Store } from '../ports/store.ts'
import type { FaultList } from './collect-faults.ts'
import { hashOfMigration } from './migration-record.ts'
import { readOrBroken } from './read-or-broken.ts'

type MigrationPayload = Extract<RecordBody, { kind: 'graph_migrated' }>['payload']

export interface MigrationVerifier {
  see(record: LedgerRecord, payload: MigrationPayload): void
  /** After the last record: compares what the records say with what is stored. */
  finish(): Promise<void>
}

/** Checks that applied migrations and change log are what the ledger says, and that nothing was applied beside it. */
export async function verifyMigrations(store: Store, faults: FaultList): Promise<MigrationVerifier> {
  const records: { readonly record: LedgerRecord; readonly payload: MigrationPayload }[] = []
  // Only what was applied before the ledger is read must have its record there.
  const unrecorded = new Set((await store.appliedMigrations()).map(({ migration }) => migration))
  return {
    see(record, payload) {
      records.push({ record, payload })
      unrecorded.delete(payload.migration)
    },
    async finish() {
      const nowhere = { writer: '', seq: 0 }
      const log = await readOrBroken(() => store.readGraphLog())
      if ('broken' in log) return faults.add(nowhere, log.broken)
      const lines = Map.groupBy(log.value, (line) => line.migration)
      const applied = new Map((await store.appliedMigrations()).map((row) => [row.migration, row]))
      for (const { record, payload } of records) {
        const { migration } = payload
        const why = faultOf(payload, applied.get(migration), lines.get(migration) ?? [])
        if (why !== undefined) faults.add(record, why)
      }
      for (const name of unrecorded) faults.add(nowhere, `migration \`${name}\` was applied without a record`)
      for (const name of lines.keys()) {
        if (!applied.has(name))
          faults.add(nowhere, `the change log holds \`${name}\`, which was never applied`)
      }
    },
  }
}

function faultOf(
  payload: MigrationPayload,
  row: AppliedMigration | undefined,
  lines: readonly AppliedOperation[],
): string | undefined {
  if (row === undefined) return `migration \`${payload.migration}\` is not stored`
  if (row.checksum !== payload.checksum || row.last_sequence !== payload.last_sequence) {
    return `migration \`${payload.migration}\` was changed`
  }
  if (hashOfMigration(row, lines) !== payload.log) {
    return `migration \`${payload.migration}\` or its change log was changed`
  }
  return undefined
}
