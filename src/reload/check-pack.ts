import type { RulesCheck } from '../domain/rules-report.ts'
import { Failure } from '../errors.ts'
import { compareRuleSets } from '../rules/compare-rule-sets.ts'
import { type CurrentRules, faultsAgainst } from '../rules/current-rule-sets.ts'
import { loadPack } from '../rules/load-pack.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { PackFile } from '../rules/split-files.ts'
import type { CheckRuleSet } from './rule-set-check.ts'

/** What would come of these files if they were put among the rules now; nothing is kept of them. */
export function checkPack(
  files: readonly PackFile[],
  { active }: CurrentRules,
  checkRuleSet?: CheckRuleSet,
): RulesCheck {
  const nothing = { ok: false, policy: null, set: null, warnings: [], difference: null }
  let ruleSet: RuleSet
  try {
    ruleSet = loadPack(files)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'RULE_FILE_INVALID') throw error
    return { ...nothing, errors: [...error.faults] }
  }
  const { policy } = ruleSet.policy
  const before = active.get(policy)
  const folder = before?.folder ?? policy
  const found = checkRuleSet?.(ruleSet) ?? { errors: [], warnings: [] }
  const against = before === undefined ? [] : faultsAgainst(before, ruleSet, folder, files)
  const errors = [...found.errors, ...against]
  const difference = compareRuleSets(before?.ruleSet, ruleSet)
  const warnings = difference.changed.map((id) => ({
    at: id,
    why: 'says something else under the same version; with a version of its own, earlier applications stay decided as they were',
  }))
  return {
    ok: errors.length === 0,
    policy,
    set: ruleSet.hash,
    errors,
    warnings: [...warnings, ...found.warnings],
    difference,
  }
}
