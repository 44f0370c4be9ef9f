import { randomBytes, randomUUID } from 'node:crypto'
import type { Randomness } from '../../ports/clock.ts'

/** The operating system's randomness: salts of 32 bytes in lower-case hex, ids as random UUIDs. */
export const systemRandomness: Randomness = {
  saltHex: () => randomBytes(32).toString('hex'),
  id: () => randomUUID(),
}
