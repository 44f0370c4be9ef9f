import type { StatementSync } from 'node:sqlite'
import { Failure } from '../../errors.ts'

/** A page of ids after one, by the bytes of UTF-8. LEDGER_BROKEN for an id that is none, so that no page comes twice. */
export function readUnnamed(
  statement: StatementSync,
  after: string | undefined,
  limit: number,
): readonly string[] {
  const ids = statement.all(after ?? '', after ?? null, limit).map(({ id }) => String(id))
  let before = after
  for (const id of ids) {
    if (before !== undefined && Buffer.compare(Buffer.from(before), Buffer.from(id)) >= 0) {
      const why = `after \`${before}\` stands an id that is no UTF-8 text`
      throw new Failure('LEDGER_BROKEN', { at: '', why })
    }
    before = id
  }
  return ids
}
