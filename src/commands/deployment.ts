import type { DecisionService, Readiness } from '../decision/decision-service.ts'
import { openDecisionService } from '../decision/open-decision-service.ts'
import type { GraphPosition } from '../domain/knowledge.ts'
import { Failure } from '../errors.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import { type MigrationFile, planMigrations } from '../graph/migrate.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { applyMigrations, checkMigrations } from './apply-migrations.ts'

/** A service ready to decide, and what an operator wants to know of it at start. */
export interface Deployment {
  readonly service: DecisionService
  /** By policy name. */
  readonly ruleSets: readonly RuleSet[]
  readonly graphPosition: GraphPosition
  readonly readiness: Readiness
}

export interface DeploymentParts {
  readonly store: Store
  readonly ruleSets: readonly RuleSet[]
  readonly migrations: readonly MigrationFile[]
  readonly clock: Clock
  readonly randomness: Randomness
  readonly deadlineMs: number
  readonly engine: string
}

/**
 * Joins rule sets, causal knowledge and store to a service. A store without any knowledge gets all migrations; one
 * that has some waits for `causebook graph migrate` and is not ready until then. Failures: RULE_FILE_INVALID when
 * two packs name the same policy, GRAPH_FILE_INVALID, and those of the store.
 */
export async function openDeployment(parts: DeploymentParts): Promise<Deployment> {
  const { store, ruleSets, migrations, clock } = parts
  const byPolicy = new Map<string, RuleSet>()
  for (const ruleSet of ruleSets) {
    const name = ruleSet.policy.policy
    if (byPolicy.has(name)) {
      throw new Failure('RULE_FILE_INVALID', { at: name, why: 'two packs have this policy; one folder each' })
    }
    byPolicy.set(name, ruleSet)
    await store.saveRuleSet(ruleSet.hash, ruleSet.canonical)
  }
  if ((await store.appliedMigrations()).length === 0) await applyMigrations(store, migrations, clock)
  const knowledge = foldKnowledge(await store.readGraphLog())
  const graph = checkMigrations(planMigrations(migrations, await store.appliedMigrations()))
  const service = openDecisionService({
    ...parts,
    ruleSets: () => byPolicy,
    knowledge: () => knowledge,
    graphCheck: () => graph,
  })
  return { service, ruleSets, graphPosition: knowledge.position, readiness: await service.readiness() }
}
