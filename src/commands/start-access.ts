import { keyState } from '../access/key-state.ts'
import { type Access, openAccess } from '../access/open-access.ts'
import { type Config, isLoopback } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import type { Surroundings } from './command.ts'
import { counted } from './counted.ts'

export interface StartedAccess {
  readonly access: Access
  /** Every request needs a key. */
  readonly needsKey: boolean
  /** Who may call, for the operator who starts the service. */
  readonly sentence: string
  /** Records the refused calls that are only counted yet. */
  stop(): Promise<void>
}

const tickMs = 5000

/**
 * Opens access for a service that starts. Failure: CONFIG_INVALID when others than this machine could reach a
 * service that has no active key.
 */
export async function startAccess(
  store: Store,
  { host }: Config,
  { clock, err }: Pick<Surroundings, 'clock' | 'err'>,
): Promise<StartedAccess> {
  const keys = await store.listKeys()
  const active = keys.filter((key) => keyState(key, clock.nowMs()) === 'active').length
  if (active === 0 && !isLoopback(host)) {
    const why = `expected a loopback address such as \`127.0.0.1\` while no access key is active, or everybody on the network could decide and read applications; got \`${host}\`. Make a key first: \`causebook keys create --role underwriter --name "core banking"\``
    throw new Failure('CONFIG_INVALID', { at: 'CAUSEBOOK_HOST', why })
  }
  const access = openAccess({ store, clock, log: (line) => err(`${line}\n`) })
  const needsKey = await access.needsKey()
  const ticker = setInterval(() => void access.denials.tick(), tickMs)
  ticker.unref()
  return {
    access,
    needsKey,
    sentence: sentenceOf(needsKey, active),
    stop: () => {
      clearInterval(ticker)
      return access.denials.flush()
    },
  }
}

function sentenceOf(needsKey: boolean, active: number): string {
  if (!needsKey) {
    return 'no key was made yet, so everybody on this machine may do everything; `causebook keys create` makes one'
  }
  if (active === 0) {
    return 'no key is active, so every request is refused; `causebook keys create` makes one'
  }
  return `${counted(active, 'active key')}; every request under /v1 needs one`
}
