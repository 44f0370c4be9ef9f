import type { GraphCheck } from '../decision/open-decision-service.ts'
import type { AppliedMigration } from '../domain/change-set.ts'
import { compareText } from '../domain/compare-text.ts'
import { writeInstant } from '../domain/time.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import {
  type MigrationFile,
  type MigrationPlan,
  pendingMigrations,
  planMigrations,
  prepareMigration,
} from '../graph/migrate.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

export interface MigrationStatus {
  readonly migration: string
  /** The title it was applied with, or the file that waits. */
  readonly title: string
  readonly state: 'applied' | 'pending' | 'edited' | 'file missing' | 'number too low'
  readonly applied_at?: string
}

/**
 * Applies the migration files that wait, in order, each in one transaction, and returns their numbers. Failures:
 * GRAPH_FILE_INVALID, GRAPH_MIGRATION_EDITED; what was applied before the failure stays.
 */
export async function applyMigrations(
  store: Store,
  files: readonly MigrationFile[],
  clock: Clock,
): Promise<readonly string[]> {
  const plan = planMigrations(files, await store.appliedMigrations())
  const done: string[] = []
  for (const file of pendingMigrations(plan)) {
    const knowledge = foldKnowledge(await store.readGraphLog())
    const { migration, operations } = prepareMigration(file, knowledge, writeInstant(clock.nowMs()))
    if (await store.applyMigration(migration, operations, 'local')) done.push(file.migration)
  }
  return done
}

/** Every migration there is a file or a log entry of, by number. */
export function migrationStatuses(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): readonly MigrationStatus[] {
  const plan = planMigrations(files, applied)
  const edited = new Set(plan.edited.map(({ applied: { migration } }) => migration))
  const missing = new Set(plan.missing.map(({ migration }) => migration))
  const late = new Set(plan.outOfOrder.map(({ migration }) => migration))
  const statuses: MigrationStatus[] = [
    ...applied.map(({ migration, title, applied_at }): MigrationStatus => {
      const state = edited.has(migration) ? 'edited' : missing.has(migration) ? 'file missing' : 'applied'
      return { migration, title, state, applied_at }
    }),
    ...plan.pending.map(({ migration, path }): MigrationStatus => {
      return { migration, title: path, state: late.has(migration) ? 'number too low' : 'pending' }
    }),
  ]
  return statuses.sort((a, b) => compareText(a.migration, b.migration))
}

/** Whether the store's knowledge is what the files say; if not, what is wrong and what to do. */
export function checkMigrations(plan: MigrationPlan): GraphCheck {
  const changed = [...plan.edited.map(({ applied }) => applied), ...plan.missing].map(
    ({ migration }) => migration,
  )
  if (changed.length > 0) {
    const detail = `${changed.join(', ')} changed after being applied; \`causebook graph status\` tells more`
    return { ok: false, detail, code: 'GRAPH_MIGRATION_EDITED' }
  }
  const waiting = plan.pending.map(({ migration }) => migration)
  if (waiting.length === 0) return { ok: true, detail: 'all migrations are applied' }
  const verb = waiting.length === 1 ? 'waits' : 'wait'
  const detail = `${waiting.join(', ')} ${verb} to be applied: run \`causebook graph migrate\``
  return { ok: false, detail, code: 'GRAPH_MIGRATION_PENDING' }
}
