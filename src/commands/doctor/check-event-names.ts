import { checkEventTypes, checkReach } from '../../decision/check-event-types.ts'
import { writeInstant } from '../../domain/time.ts'
import { Failure } from '../../errors.ts'
import { foldKnowledge } from '../../graph/fold-knowledge.ts'
import { type MigrationFile, planMigrations, prepareMigration } from '../../graph/migrate.ts'
import type { Store } from '../../ports/store.ts'
import type { Packs } from '../command.ts'
import { type Finding, problem, warning } from './finding.ts'

/**
 * What the packs name against the knowledge as it is with the migrations that wait; nothing when all is well, or when
 * packs or graph can't be read, which their own checks tell.
 */
export async function checkEventNames(
  loadPacks: () => Promise<Packs>,
  readMigrations: () => Promise<readonly MigrationFile[]>,
  store: Store | undefined,
  nowMs: number,
): Promise<readonly Finding[]> {
  try {
    const { ruleSets } = await loadPacks()
    const { pending } = planMigrations(await readMigrations(), (await store?.appliedMigrations()) ?? [])
    let log = [...((await store?.readGraphLog()) ?? [])]
    for (const file of pending) {
      log = [...log, ...prepareMigration(file, foldKnowledge(log), writeInstant(nowMs)).operations]
    }
    const knowledge = foldKnowledge(log)
    const lines = ruleSets.flatMap((ruleSet) => checkEventTypes(ruleSet, knowledge)).map(lineOf)
    const unreached = ruleSets.flatMap((ruleSet) => checkReach(ruleSet, knowledge)).map(lineOf)
    const todo =
      'correct the name, or add the event type in a migration; the pack does not go into force until then'
    return [
      ...(lines.length === 0
        ? []
        : [problem('packs', 'event types that the graph does not hold', todo, lines)]),
      ...unreached.map((line) => warning('packs', line, 'add the edge in a migration')),
    ]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return []
  }
}

function lineOf({ at, why }: { readonly at: string; readonly why: string }): string {
  return `${at}: ${why}`
}
