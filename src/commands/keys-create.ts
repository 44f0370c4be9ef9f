import { createKey } from '../access/create-key.ts'
import type { CreatedKey } from '../domain/access-key.ts'
import type { Command } from './command.ts'
import { openKeyStore } from './open-key-store.ts'
import { readKeyWish } from './read-key-wish.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'make an access key; its secret is shown once',
  help: `causebook keys create --role ROLE[,ROLE] --name TEXT [--expires DAY] [--rate N] [--json]

Makes an access key in CAUSEBOOK_DATA and shows its secret, this once. Callers send it as
\`Authorization: Bearer cbk_…\`. A running service takes it from the next second on. From the first
key on, every request under /v1 needs one.

Roles: underwriter decides; compliance asks what-if; auditor replays; all three read; admin sees
that the service is well. docs/security.md has the table.

  causebook keys create --role underwriter --name "core banking"
  causebook keys create --role compliance,auditor --name "second line" --expires 2027-01-01
  causebook keys create --role underwriter --name "batch" --rate 60000 --json

--expires: the key works until that day begins in UTC, or until a time such as 2027-01-01T09:00+08:00.
--rate: requests a minute, 6000 unless said otherwise; ten seconds' worth may come at once.
`,
  options: {
    role: { type: 'string' },
    name: { type: 'string' },
    expires: { type: 'string' },
    rate: { type: 'string' },
    json: { type: 'boolean' },
  },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    const { clock, randomness, out } = surroundings
    const wish = readKeyWish(call.values, clock.nowMs())
    await using store = await openKeyStore(surroundings)
    const isFirst = (await store.listKeys()).length === 0
    const { key, secret } = await createKey(wish, { store, clock, randomness }, 'local')
    if (call.flags.has('json')) {
      const { hash: _hash, ...shown } = key
      out(`${JSON.stringify({ ...shown, secret })}\n`)
      return 0
    }
    out(describe(key, secret, isFirst))
    return 0
  },
}

function describe(
  { id, roles, name, expires_at, rate_per_minute }: CreatedKey,
  secret: string,
  isFirst: boolean,
): string {
  const until = expires_at === null ? 'does not expire' : `expires ${expires_at}`
  return [
    `key ${id} for ${name}: ${roles.join(', ')}, ${rate_per_minute} requests a minute, ${until}`,
    '',
    `  ${secret}`,
    '',
    'This is the only time it is shown. Send it as `Authorization: Bearer cbk_…`.',
    ...(isFirst ? ['It is the first key: from now on every request under /v1 needs one.'] : []),
    '',
  ].join('\n')
}
