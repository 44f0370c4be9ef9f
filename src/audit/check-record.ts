import { RecordBody } from '../domain/record.ts'
import { checkJson } from './canonical.ts'

/**
 * What every store asks of a record that stands alone: whole characters (else `REQUEST_INVALID`), and a content
 * that `verifyLedger` will accept, of a kind that binds to nothing beside it (else a bug, TypeError).
 */
export function checkRecord(body: RecordBody): void {
  checkJson(body)
  const parsed = RecordBody.safeParse(body)
  if (!parsed.success) throw new TypeError(`the record is not valid: ${parsed.error.message}`)
  if (['decision', 'graph_migrated', 'key_created', 'key_revoked'].includes(body.kind)) {
    throw new TypeError(`a record of kind \`${body.kind}\` is written with what it binds to`)
  }
}
