import type { Fault } from '../errors.ts'
import type { RuleSet } from './rule-set.ts'

const shownMax = 50

/**
 * Faults of a set from which rule versions have vanished that `before` has and nobody retired, so that a cut or lost
 * file never reads as fewer rules. A line under `retired` in policy.yaml names a rule, or one version of it.
 */
export function findVanished(before: RuleSet, after: RuleSet, folder: string): readonly Fault[] {
  const retired = new Set(after.policy.retired ?? [])
  const vanished = [...before.rules.values()].filter(
    ({ id, rule }) => !after.rules.has(id) && !retired.has(id) && !retired.has(rule.rule_id),
  )
  const faults = vanished.slice(0, shownMax).map(({ id, rule }): Fault => {
    const others = after.versions.has(rule.rule_id)
      ? 'keep it beside the newer one (earlier applications are decided by it)'
      : 'put its file back'
    return {
      at: folder,
      why: `the rule \`${id}\` is in force and has vanished; ${others}, or write \`${id}\` under \`retired\` in policy.yaml`,
    }
  })
  if (vanished.length <= shownMax) return faults
  return [...faults, { at: folder, why: `and ${vanished.length - shownMax} more rules have vanished` }]
}
