import { Failure, type Fault } from '../errors.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** What is wrong with a rule set that is good in itself, given the causal knowledge that it leans on. */
export interface RuleSetFindings {
  readonly errors: readonly Fault[]
  /** What keeps nothing from going into force but should be looked at. */
  readonly warnings: readonly Fault[]
}

export type CheckRuleSet = (ruleSet: RuleSet) => RuleSetFindings

/** Gives the rule set back. Failure: RULE_FILE_INVALID with everything the check finds wrong. */
export function requireGood(ruleSet: RuleSet, check: CheckRuleSet | undefined): RuleSet {
  const errors = check?.(ruleSet).errors ?? []
  if (errors.length > 0) throw new Failure('RULE_FILE_INVALID', errors)
  return ruleSet
}
