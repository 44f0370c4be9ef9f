import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../audit/canonical.ts'

const secretText = /^cbk_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/

/** `cbk_<id>_<32 random bytes in base64url>`: what a caller sends. It is shown once and kept nowhere. */
export function writeSecret(id: string, randomHex: string): string {
  return `cbk_${id}_${Buffer.from(randomHex, 'hex').toString('base64url')}`
}

/** The id inside a secret; `undefined` for any other text. Proves nothing yet. */
export function idOfSecret(text: string): string | undefined {
  return secretText.exec(text)?.[1]
}

/** What is kept of a secret. Its 256 random bits cannot be guessed, so a slow or salted hash would add nothing. */
export function hashOfSecret(secret: string): string {
  return sha256(secret)
}

/** Whether this is the secret of that hash; takes as long whichever part differs. */
export function isSecretOf(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOfSecret(secret)), Buffer.from(hash))
}
