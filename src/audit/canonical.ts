import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Failure } from '../errors.ts'

/**
 * The one text of a JSON value (RFC 8785). Equal values have equal text, whatever the order of their fields.
 * Refuses what JSON cannot hold: undefined, NaN, infinity, functions, symbols, bigints and objects other than
 * plain ones are a bug (TypeError); half a surrogate pair, which a caller can send, is `REQUEST_INVALID`.
 */
export function canonicalJson(value: unknown): string {
  checkJson(value)
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('no canonical JSON for this value')
  return text
}

/** Throws as `canonicalJson` does when the value has no canonical JSON; makes no text. */
export function checkJson(value: unknown): void {
  check(value, '', new Set())
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
  return sha256(Buffer.concat([Buffer.from(saltHex, 'hex'), Buffer.from(canonicalText, 'utf8')]))
}

/** 32 bytes in lower-case hex. */
export function isSalt(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

// The package skips undefined fields and writes null for undefined elements; both would let two different
// values share one hash.
function check(value: unknown, at: string, above: Set<object>): void {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    checkText(value, at)
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${at}: expected a finite number; got \`${value}\``)
    return
  }
  if (typeof value !== 'object') throw new TypeError(`${at}: expected a JSON value; got ${typeof value}`)
  if (above.has(value)) throw new TypeError(`${at}: the value holds itself`)
  above.add(value)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) check(value[index], `${at}/${index}`, above)
  } else {
    checkObject(value, at, above)
  }
  above.delete(value)
}

function checkObject(value: object, at: string, above: Set<object>): void {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${at}: expected a plain object; got ${value.constructor.name}`)
  }
  for (const [key, field] of Object.entries(value)) {
    checkText(key, at)
    check(field, `${at}/${key}`, above)
  }
}

function checkText(text: string, at: string): void {
  if (text.isWellFormed()) return
  const why = `\`${text.toWellFormed()}\` holds half a surrogate pair; send whole characters`
  throw new Failure('REQUEST_INVALID', { at, why })
}
