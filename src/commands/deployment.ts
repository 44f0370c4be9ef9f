import { checkReach } from '../decision/check-event-types.ts'
import type { DecisionService } from '../decision/decision-service.ts'
import { openDecisionService } from '../decision/open-decision-service.ts'
import type { Witness } from '../decision/witness.ts'
import type { GraphPosition } from '../domain/knowledge.ts'
import type { Readiness } from '../domain/responses.ts'
import { Failure, type Fault } from '../errors.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import { type MigrationFile, planMigrations } from '../graph/migrate.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { fixedRules } from '../reload/fixed-rules.ts'
import type { RulesService } from '../reload/rules-service.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { applyMigrations, checkMigrations } from './apply-migrations.ts'
import { openRuleSetCheck } from './open-rule-set-check.ts'

/** A service ready to decide, and what an operator wants to know of it at start. */
export interface Deployment {
  readonly service: DecisionService
  readonly rules: RulesService
  readonly graphPosition: GraphPosition
  readonly readiness: Readiness
  /** Findings of the rules in force that can't reach what they work toward. */
  readonly warnings: readonly Fault[]
}

export interface DeploymentParts {
  readonly store: Store
  readonly rules: RulesService
  readonly migrations: readonly MigrationFile[]
  readonly clock: Clock
  readonly randomness: Randomness
  readonly deadlineMs: number
  readonly engine: string
  readonly witness?: Witness
}

/**
 * Deploys rule sets that stay as they are. Failures also: RULE_FILE_INVALID when two are of the same policy, or one
 * names an event type that the causal knowledge does not hold.
 */
export async function openDeployment({
  ruleSets,
  ...parts
}: Omit<DeploymentParts, 'rules'> & { readonly ruleSets: readonly RuleSet[] }): Promise<Deployment> {
  const names = new Set<string>()
  const checkRuleSet = await openRuleSetCheck(parts.store, parts.migrations, parts.clock)
  const faults = ruleSets.flatMap((ruleSet) => checkRuleSet(ruleSet).errors)
  if (faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults)
  for (const { hash, canonical, policy } of ruleSets) {
    const name = policy.policy
    if (names.has(name)) {
      throw new Failure('RULE_FILE_INVALID', { at: name, why: 'two packs have this policy; one folder each' })
    }
    names.add(name)
    await parts.store.saveRuleSet(hash, canonical)
  }
  return deploy({ ...parts, rules: fixedRules(ruleSets, parts.clock, checkRuleSet) })
}

/**
 * Joins rules, causal knowledge and store to a service. A store without any knowledge gets all migrations; one that
 * has some waits for `causebook graph migrate` and is not ready until then. Failures: GRAPH_FILE_INVALID, and those
 * of the store.
 */
export async function deploy(parts: DeploymentParts): Promise<Deployment> {
  const { store, rules, migrations, clock } = parts
  if ((await store.appliedMigrations()).length === 0) await applyMigrations(store, migrations, clock)
  const knowledge = foldKnowledge(await store.readGraphLog())
  const graph = checkMigrations(planMigrations(migrations, await store.appliedMigrations()))
  const service = openDecisionService({
    ...parts,
    ruleSets: rules.ruleSets,
    rulesCheck: rules.health,
    knowledge: () => knowledge,
    graphCheck: () => graph,
  })
  const warnings = [...rules.ruleSets().values()].flatMap((ruleSet) => checkReach(ruleSet, knowledge))
  const { position: graphPosition } = knowledge
  return { service, rules, graphPosition, readiness: await service.readiness(), warnings }
}
