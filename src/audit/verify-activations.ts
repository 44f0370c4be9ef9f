import type { LedgerRecord, RuleSetActivated } from '../domain/record.ts'
import type { Store } from '../ports/store.ts'
import { sha256 } from './canonical.ts'
import type { FaultList } from './collect-faults.ts'
import { readOrBroken } from './read-or-broken.ts'

export interface ActivationVerifier {
  verify(record: LedgerRecord, payload: RuleSetActivated): Promise<void>
}

/** Checks that each rule set that went into force is stored as it was. */
export function verifyActivations(store: Store, faults: FaultList): ActivationVerifier {
  const known = new Map<string, string | undefined>()
  return {
    async verify(record, { rule_set: hash }) {
      if (!known.has(hash)) known.set(hash, await faultOf(hash, store))
      const why = known.get(hash)
      if (why !== undefined) faults.add(record, why)
    },
  }
}

async function faultOf(hash: string, store: Store): Promise<string | undefined> {
  const read = await readOrBroken(() => store.findRuleSet(hash))
  if ('broken' in read) return read.broken
  if (read.value === undefined) return `rule set \`${hash}\` is not stored`
  return sha256(read.value) === hash ? undefined : `rule set \`${hash}\` was changed`
}
