import { Failure } from '../errors.ts'
import type { LastActive, Store } from '../ports/store.ts'
import { compileRules } from '../rules/compile-rules.ts'
import type { ActiveSet } from '../rules/current-rule-sets.ts'
import { readPackContent } from '../rules/parse-pack.ts'
import type { CheckRuleSet } from './rule-set-check.ts'

/**
 * What was last in force, from the store, so that a file lost while the service was down is noticed, and what was
 * good goes on serving. A set that this version can't read, or
 * that the causal knowledge does not bear, is left out, and told. Failure: STORE_UNAVAILABLE.
 */
export async function restoreActive(
  store: Pick<Store, 'lastActiveRuleSets' | 'findRuleSet'>,
  log: (line: string) => void,
  checkRuleSet?: CheckRuleSet,
): Promise<ReadonlyMap<string, ActiveSet>> {
  const active = new Map<string, ActiveSet>()
  for (const last of await store.lastActiveRuleSets()) {
    const set = await restore(last, store, checkRuleSet)
    if ('ruleSet' in set) active.set(last.policy, set)
    else log(`rules ${last.policy}: ${last.hash}, last in force, is not put in force again: ${set.why}`)
  }
  return active
}

async function restore(
  { hash, since }: LastActive,
  store: Pick<Store, 'findRuleSet'>,
  checkRuleSet: CheckRuleSet | undefined,
): Promise<ActiveSet | { readonly why: string }> {
  const content = await store.findRuleSet(hash)
  if (content === undefined) return { why: 'it is not there' }
  try {
    const ruleSet = compileRules(readPackContent(content))
    if (ruleSet.hash !== hash) return { why: 'it is not what its hash names' }
    const [fault] = checkRuleSet?.(ruleSet).errors ?? []
    if (fault !== undefined) return { why: `${fault.at}: ${fault.why}` }
    return { ruleSet, since, folder: null, texts: new Map(), change: null }
  } catch (error) {
    const why = error instanceof Failure ? (error.faults[0]?.why ?? error.message) : String(error)
    return { why: why.split('\n')[0] ?? why }
  }
}
