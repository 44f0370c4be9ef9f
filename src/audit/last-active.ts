import { compareText } from '../domain/compare-text.ts'
import { type LedgerRecord, RecordBody } from '../domain/record.ts'
import type { LastActive } from '../ports/store.ts'

/** Which rule sets a ledger's records, in order, leave in force; others are passed over. */
export function lastActive(records: Iterable<LedgerRecord>): readonly LastActive[] {
  const active = new Map<string, LastActive>()
  for (const { kind, payload, time } of records) {
    const body = RecordBody.safeParse({ kind, payload }).data
    if (body?.kind === 'policy_withdrawn') active.delete(body.payload.policy)
    if (body?.kind !== 'rule_set_activated') continue
    const { policy, rule_set: hash } = body.payload
    active.set(policy, { policy, hash, since: time })
  }
  return [...active.values()].sort((one, other) => compareText(one.policy, other.policy))
}
