import { migrationStatuses } from './apply-migrations.ts'
import type { Command } from './command.ts'
import { openExistingStore } from './open-existing-store.ts'

export const graphStatus: Command = {
  name: 'graph status',
  summary: 'show which graph migrations are applied, waiting or edited',
  help: `causebook graph status [--json]

Compares the files in CAUSEBOOK_GRAPH/migrations with what the store has applied.

  causebook graph status

Exit status 1 while one waits, was edited after it was applied, or lost its file.
`,
  options: { json: { type: 'boolean' } },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    const config = surroundings.config()
    const files = await surroundings.readMigrations(config)
    await using store = await openExistingStore(config, surroundings)
    const migrations = migrationStatuses(files, await store.appliedMigrations())
    if (call.flags.has('json')) surroundings.out(`${JSON.stringify({ migrations })}\n`)
    else if (migrations.length === 0) surroundings.out('there are no migrations\n')
    else {
      for (const { migration, state, applied_at: at, title } of migrations) {
        surroundings.out(`${migration}  ${state}${at === undefined ? '' : ` ${at}`}  ${title}\n`)
      }
    }
    return migrations.every((migration) => migration.state === 'applied') ? 0 : 1
  },
}
