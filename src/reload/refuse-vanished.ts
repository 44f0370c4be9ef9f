import { Failure } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { findVanished } from '../rules/find-vanished.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { restoreActive } from './restore-active.ts'

/**
 * Refuses rule sets from which a rule has vanished that the store's service had in force, so that a cut file decides
 * no more on the command line than in the service. Failures: RULE_FILE_INVALID, STORE_UNAVAILABLE.
 */
export async function refuseVanished(
  store: Pick<Store, 'lastActiveRuleSets' | 'findRuleSet'>,
  ruleSets: readonly RuleSet[],
  log: (line: string) => void,
): Promise<void> {
  const active = await restoreActive(store, log)
  const faults = ruleSets.flatMap((ruleSet) => {
    const { policy } = ruleSet.policy
    const before = active.get(policy)?.ruleSet
    return before === undefined ? [] : findVanished(before, ruleSet, policy)
  })
  if (faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults)
}
