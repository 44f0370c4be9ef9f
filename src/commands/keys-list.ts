import { keyState } from '../access/key-state.ts'
import type { AccessKey } from '../domain/access-key.ts'
import type { Command } from './command.ts'
import { openExistingStore } from './open-existing-store.ts'

export const keysList: Command = {
  name: 'keys list',
  summary: 'show the access keys, never their secrets',
  help: `causebook keys list [--json]

Shows every key ever made: id, state, roles, rate, name, and when it was made, expires or was revoked.

  causebook keys list
  causebook keys list --json
`,
  options: { json: { type: 'boolean' } },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    await using store = await openExistingStore(surroundings.config(), surroundings)
    const nowMs = surroundings.clock.nowMs()
    const keys = await store.listKeys()
    if (call.flags.has('json')) {
      const shown = keys.map(({ hash: _hash, ...key }) => ({ ...key, state: keyState(key, nowMs) }))
      surroundings.out(`${JSON.stringify({ keys: shown })}\n`)
    } else if (keys.length === 0)
      surroundings.out('there are no keys; everybody on this machine may do everything\n')
    else for (const key of keys) surroundings.out(lineOf(key, nowMs))
    return 0
  },
}

function lineOf(key: AccessKey, nowMs: number): string {
  const { id, roles, rate_per_minute, name, created_at, expires_at, revoked_at } = key
  const dates = [
    `made ${created_at}`,
    ...(expires_at === null ? [] : [`expires ${expires_at}`]),
    ...(revoked_at === null ? [] : [`revoked ${revoked_at}`]),
  ].join(', ')
  return `${id}  ${keyState(key, nowMs).padEnd(7)}  ${roles.join(',')}  ${rate_per_minute}/min  ${name}  (${dates})\n`
}
