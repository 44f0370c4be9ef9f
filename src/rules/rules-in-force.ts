import { dateInZone } from '../domain/time.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'

/** Rule versions in force on the day of `receivedAtMs` in the policy's zone, and ids that have none. */
export function rulesInForce(
  ruleSet: RuleSet,
  receivedAtMs: number,
): { inForce: CompiledRule[]; notInForce: string[] } {
  const day = dateInZone(receivedAtMs, ruleSet.policy.zone)
  const inForce: CompiledRule[] = []
  const notInForce: string[] = []
  for (const [ruleId, versions] of ruleSet.versions) {
    const version = versions.find(({ rule }) => {
      const { from, until } = rule.effective ?? {}
      return (from === undefined || from <= day) && (until === undefined || day < until)
    })
    if (version === undefined) notInForce.push(ruleId)
    else inForce.push(version)
  }
  return { inForce, notInForce }
}
