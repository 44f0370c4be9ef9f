import type { RulesCheck, RulesReport, RuleVersions } from '../domain/rules-report.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { PackFile } from '../rules/split-files.ts'

/** What a load balancer wants to know of the rules. */
export interface RulesHealth {
  readonly ok: boolean
  readonly detail: string
}

/** Which rules decide, for its callers: the decisions themselves, HTTP, the command line, tests. */
export interface RulesService {
  /** The rule sets in force, by policy: one map, replaced as a whole. */
  ruleSets(): ReadonlyMap<string, RuleSet>
  /**
   * Begins a decision of this policy, and gives what ends it. Failure: RULES_FAILING when the policy's pack has
   * been bad for longer than is allowed.
   */
  begin(policy: string): () => void
  /**
   * What is in force and what is not. It is told only when no decision by an earlier set is under way any more, so
   * that whoever has seen a set here gets no answer from the one before.
   */
  report(): Promise<RulesReport>
  /** Versions of one rule in every policy, after the same wait. Failure: RULE_UNKNOWN. */
  versions(ruleId: string): Promise<RuleVersions>
  /** What would come of these files of one pack; nothing is kept of them. */
  check(files: readonly PackFile[]): Promise<RulesCheck>
  health(): RulesHealth
}
