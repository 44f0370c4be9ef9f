import { Failure } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import type { Surroundings } from './command.ts'

/** The store whose keys a command works on; a running service sees them there. Failure: CONFIG_INVALID. */
export async function openKeyStore(surroundings: Surroundings): Promise<Store> {
  const config = surroundings.config()
  if (config.store === 'memory') {
    const why = 'expected a store that lasts; keys in `memory:` are gone when this command ends'
    throw new Failure('CONFIG_INVALID', { at: 'CAUSEBOOK_STORE', why })
  }
  return await surroundings.openStore(config)
}
