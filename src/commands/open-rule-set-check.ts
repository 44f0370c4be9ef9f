import { checkEventTypes, checkReach } from '../decision/check-event-types.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import { type MigrationFile, planMigrations } from '../graph/migrate.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { CheckRuleSet } from '../reload/rule-set-check.ts'
import { applyMigrations } from './apply-migrations.ts'

/**
 * The check of rule sets against the causal knowledge that the store holds; a store without any gets all migrations
 * first. Failures: GRAPH_FILE_INVALID, GRAPH_MIGRATION_EDITED, and those of the store.
 */
export async function openRuleSetCheck(
  store: Store,
  migrations: readonly MigrationFile[],
  clock: Clock,
): Promise<CheckRuleSet> {
  if ((await store.appliedMigrations()).length === 0) await applyMigrations(store, migrations, clock)
  const knowledge = foldKnowledge(await store.readGraphLog())
  const waiting = planMigrations(migrations, await store.appliedMigrations()).pending
  const names = waiting.map(({ migration }) => migration).join(', ')
  const hint = names === '' ? '' : ` (${names} may add it: run \`causebook graph migrate\` first)`
  return (ruleSet) => ({
    errors: checkEventTypes(ruleSet, knowledge).map(({ at, why }) => ({ at, why: `${why}${hint}` })),
    warnings: checkReach(ruleSet, knowledge),
  })
}
