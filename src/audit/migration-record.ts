import type { AppliedMigration, AppliedOperation } from '../domain/change-set.ts'
import type { RecordBody } from '../domain/record.ts'
import { Failure } from '../errors.ts'
import { canonicalJson, sha256 } from './canonical.ts'

/** What the ledger says of one applied migration; binds to its lines in the change log. */
export function migrationRecord(
  migration: AppliedMigration,
  operations: readonly AppliedOperation[],
): RecordBody {
  const { checksum, last_sequence } = migration
  const payload = {
    migration: migration.migration,
    checksum,
    last_sequence,
    log: hashOfMigration(migration, operations),
  }
  return { kind: 'graph_migrated', payload }
}

/** SHA-256 over the canonical JSON of an applied migration and its lines of the change log. */
export function hashOfMigration(
  migration: AppliedMigration,
  operations: readonly AppliedOperation[],
): string {
  return sha256(canonicalJson({ migration, operations }))
}

/**
 * `GRAPH_FILE_INVALID` unless the lines continue the change log, whose last sequence is given, without a gap and
 * belong to the migration.
 */
export function checkContinues(
  migration: AppliedMigration,
  operations: readonly AppliedOperation[],
  lastSequence: number,
): void {
  const refuse = (why: string): never => {
    throw new Failure('GRAPH_FILE_INVALID', { at: migration.migration, why })
  }
  if (operations.length === 0) refuse('expected at least one operation')
  operations.forEach((line, index) => {
    const wanted = lastSequence + index + 1
    if (line.migration !== migration.migration) refuse(`line ${index + 1} belongs to \`${line.migration}\``)
    if (line.sequence !== wanted)
      refuse(`expected sequence ${wanted} next in the log; got \`${line.sequence}\``)
  })
  const last = lastSequence + operations.length
  if (migration.last_sequence !== last) {
    refuse(`expected last_sequence ${last}; got \`${migration.last_sequence}\``)
  }
}
