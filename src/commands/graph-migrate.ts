import { applyMigrations } from './apply-migrations.ts'
import type { Command } from './command.ts'

export const graphMigrate: Command = {
  name: 'graph migrate',
  summary: 'apply the graph migrations that wait',
  help: `causebook graph migrate [--json]

Applies what waits in CAUSEBOOK_GRAPH/migrations, in order, each in one transaction. Applied ones
are left as they are. A running service takes the new knowledge up when it is started again.

  causebook graph migrate
`,
  options: { json: { type: 'boolean' } },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    const config = surroundings.config()
    const files = await surroundings.readMigrations(config)
    await using store = await surroundings.openStore(config)
    const applied = await applyMigrations(store, files, surroundings.clock)
    if (call.flags.has('json')) surroundings.out(`${JSON.stringify({ applied })}\n`)
    else if (applied.length === 0) surroundings.out('nothing waits\n')
    else surroundings.out(`applied ${applied.join(', ')}\n`)
    return 0
  },
}
