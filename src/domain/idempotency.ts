import { z } from 'zod'

/** Names one request of a caller, so that sending it again is no second request: visible ASCII. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters, such as a UUID')

/** A request that is to be done once. */
export interface IdempotencyClaim {
  /** Whose key it is and for which address: the same text from another caller is another key. */
  readonly scope: string
  readonly key: string
  /** `sha256:` of the body's bytes as they came. */
  readonly bodyHash: string
}
