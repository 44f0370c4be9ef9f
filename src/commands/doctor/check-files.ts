import { writeInstant } from '../../domain/time.ts'
import { foldKnowledge } from '../../graph/fold-knowledge.ts'
import { type MigrationFile, planMigrations, prepareMigration } from '../../graph/migrate.ts'
import type { Store } from '../../ports/store.ts'
import { migrationStatuses } from '../apply-migrations.ts'
import type { Packs } from '../command.ts'
import { counted } from '../counted.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

/** The packs, which loading has checked and whose embedded tests it has run. */
export function checkPacks({ ruleSets, overlooked }: Packs, rulesFolder: string): readonly Finding[] {
  const findings = ruleSets.map(({ policy, rules, content, hash }) => {
    const tests = content.rules.reduce((sum, rule) => sum + (rule.tests?.length ?? 0), 0)
    const what = `${policy.policy} ${policy.version}: ${counted(rules.size, 'rule')}, ${counted(tests, 'embedded test')} pass, ${hash.slice(0, 19)}…`
    return fine('packs', what)
  })
  const names = ruleSets.map(({ policy }) => policy.policy)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...findings,
    ...twice.map((name) => problem('packs', `two packs are policy \`${name}\``, 'keep one folder for each')),
    ...overlooked.map((name) =>
      warning(
        'packs',
        `\`${name}\` in ${rulesFolder} belongs to no pack`,
        'give it a policy.yaml, or move it away',
      ),
    ),
  ]
}

/** The migration files against what the store has applied; what waits is checked as if it were applied. */
export async function checkGraph(
  files: readonly MigrationFile[],
  store: Store | undefined,
  nowMs: number,
): Promise<readonly Finding[]> {
  const applied = (await store?.appliedMigrations()) ?? []
  const statuses = migrationStatuses(files, applied)
  const wrong = statuses.filter(({ state }) => state !== 'applied' && state !== 'pending')
  if (wrong.length > 0) {
    const lines = wrong.map(({ migration, state, title }) => `${migration}: ${state} (${title})`)
    const todo = 'restore the files as they were applied, and write each change as a new migration'
    return [problem('graph', `${counted(wrong.length, 'migration')} not as applied`, todo, lines)]
  }
  let log = [...((await store?.readGraphLog()) ?? [])]
  const { pending } = planMigrations(files, applied)
  for (const file of pending) {
    const { operations } = prepareMigration(file, foldKnowledge(log), writeInstant(nowMs))
    log = [...log, ...operations]
  }
  const last = statuses.at(-1)?.migration ?? 'none'
  const found = `${counted(statuses.length, 'migration')}, last ${last}, ${counted(log.length, 'operation')}`
  if (pending.length === 0) return [fine('graph', `${found}, all applied`)]
  if (applied.length === 0) return [fine('graph', `${found}; the first start applies them`)]
  const names = pending.map(({ migration }) => migration).join(', ')
  return [problem('graph', `${names} not applied yet`, 'run `causebook graph migrate`')]
}
