import { hash } from 'node:crypto'
import { refuseUnwritable, writeJson } from './write-json.ts'

/**
 * The one text of a JSON value (RFC 8785). Equal values have equal text, whatever the order of their fields.
 * Refuses what JSON cannot hold: undefined, NaN, infinity, functions, symbols, bigints and objects other than
 * plain ones are a bug (TypeError); half a surrogate pair, which a caller can send, is `REQUEST_INVALID`.
 */
export function canonicalJson(value: unknown): string {
  return writeJson(value)
}

/** Throws as `canonicalJson` does when the value has no canonical JSON; makes no text. */
export function checkJson(value: unknown): void {
  refuseUnwritable(value)
}

/** `sha256:` and the hex digest of the text's UTF-8 bytes, or of the bytes. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${hash('sha256', content, 'hex')}`
}

/** Binds to a value without showing it: SHA-256 over 32 salt bytes, then the value's canonical JSON in UTF-8. */
export function commitment(saltHex: string, value: unknown): string {
  return commitmentOfText(saltHex, canonicalJson(value))
}

/** `commitment` of a value whose canonical JSON is at hand. */
export function commitmentOfText(saltHex: string, canonicalText: string): string {
  if (!isSalt(saltHex)) throw new TypeError('expected a salt of 64 lower-case hex digits')
  const bytes = Buffer.allocUnsafe(32 + Buffer.byteLength(canonicalText))
  bytes.write(saltHex, 0, 'hex')
  bytes.write(canonicalText, 32, 'utf8')
  return sha256(bytes)
}

/** 32 bytes in lower-case hex. */
export function isSalt(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
