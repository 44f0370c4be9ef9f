import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import type { Surroundings } from './command.ts'

/**
 * The store a command looks at, which must be there and last: one made for the purpose would have nothing to show.
 * Failures: CONFIG_INVALID, and those of opening a store.
 */
export async function openExistingStore(config: Config, surroundings: Surroundings): Promise<Store> {
  if (config.store === 'memory') {
    const why = 'expected a store that lasts; `memory:` holds nothing when a command begins'
    throw new Failure('CONFIG_INVALID', { at: 'CAUSEBOOK_STORE', why })
  }
  if (surroundings.inspection.storeFile(config.dataFolder) === undefined) {
    const why = `there is no store in \`${config.dataFolder}\`; expected the folder a service records in`
    throw new Failure('CONFIG_INVALID', { at: 'CAUSEBOOK_DATA', why })
  }
  return await surroundings.openExistingStore(config)
}
