import { writeInstant } from '../domain/time.ts'
import type { Clock } from '../ports/clock.ts'
import { type ActiveSet, startingWith } from '../rules/current-rule-sets.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { checkPack } from './check-pack.ts'
import { reportRules, reportVersions } from './report-rules.ts'
import type { CheckRuleSet } from './rule-set-check.ts'
import type { RulesService } from './rules-service.ts'

/** Rule sets that stay as they are for as long as the process runs: one command, one test. */
export function fixedRules(
  ruleSets: readonly RuleSet[],
  clock: Clock,
  checkRuleSet?: CheckRuleSet,
): RulesService {
  const since = writeInstant(clock.nowMs())
  const current = startingWith(
    new Map(
      ruleSets.map((ruleSet): [string, ActiveSet] => [
        ruleSet.policy.policy,
        { ruleSet, since, folder: null, texts: new Map(), change: null },
      ]),
    ),
  )
  const sets = new Map(ruleSets.map((ruleSet) => [ruleSet.policy.policy, ruleSet]))
  return {
    ruleSets: () => sets,
    begin: () => () => {},
    report: async () => reportRules(current),
    versions: async (ruleId) => reportVersions(ruleId, current, clock.nowMs()),
    check: async (files) => checkPack(files, current, checkRuleSet),
    health: () => ({ ok: sets.size > 0, detail: [...sets.keys()].join(', ') || 'no policy is loaded' }),
  }
}
