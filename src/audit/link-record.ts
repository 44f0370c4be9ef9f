import type { LedgerRecord, RecordBody } from '../domain/record.ts'
import { canonicalJson, sha256 } from './canonical.ts'

/** `prev` of a writer's first record: no hash of anything, so nothing can claim to come before it. */
export const genesis = `sha256:${'0'.repeat(64)}`

/** What a record says and where it stands in its writer's chain. */
export interface UnlinkedRecord {
  readonly writer: string
  /** 1 for the writer's first record, whose `prev` is `genesis`. */
  readonly seq: number
  readonly prev: string
  readonly time: string
  readonly actor: string
  readonly body: RecordBody
}

/** Links one record to the one before: its hash covers every other field, `prev` among them. */
export function linkRecord(unlinked: UnlinkedRecord): LedgerRecord {
  const { writer, seq, prev, time, actor, body } = unlinked
  const rest = { writer, seq, prev, time, actor, kind: body.kind, payload: body.payload }
  return { ...rest, hash: hashOfRecord(rest) }
}

/** SHA-256 over the canonical JSON of all fields of a record but its hash. */
export function hashOfRecord(record: Omit<LedgerRecord, 'hash'>): string {
  const { writer, seq, time, actor, kind, payload, prev } = record
  return sha256(canonicalJson({ writer, seq, time, actor, kind, payload, prev }))
}
