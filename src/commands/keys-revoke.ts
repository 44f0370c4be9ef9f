import { idOfSecret } from '../access/key-secret.ts'
import { KeyId } from '../domain/access-key.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Command } from './command.ts'
import { openExistingStore } from './open-existing-store.ts'

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'make an access key worthless, for good',
  help: `causebook keys revoke ID [--json]

Revokes one key. A running service refuses it from the next second on. The key stays in the list,
and what was done with it stays recorded.

  causebook keys list
  causebook keys revoke 0f3a9c21d4be
`,
  options: { json: { type: 'boolean' } },
  words: { from: 1, to: 1, names: 'the id of one key (`causebook keys list` shows them)' },
  async run(call, surroundings) {
    const word = call.words[0] ?? ''
    // Somebody in a hurry may paste the whole secret: its id is what counts, and it is not said back.
    const id = KeyId.safeParse(idOfSecret(word) ?? word)
    if (!id.success) {
      const why =
        'expected the id of a key, 12 hex digits such as `0f3a9c21d4be`; `causebook keys list` shows them'
      throw new Failure('USAGE', { at: '', why })
    }
    await using store = await openExistingStore(surroundings.config(), surroundings)
    const isNew = await store.revokeKey(id.data, writeInstant(surroundings.clock.nowMs()), 'local')
    const key = await store.findKey(id.data)
    const at = key?.revoked_at ?? null
    if (call.flags.has('json')) surroundings.out(`${JSON.stringify({ id: id.data, revoked_at: at })}\n`)
    else surroundings.out(isNew ? `revoked ${id.data}\n` : `${id.data} was revoked before, at ${at}\n`)
    return 0
  },
}
