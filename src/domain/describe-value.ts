import { nearestName } from './nearest-name.ts'
import { JsonNumber } from './request.ts'

/** What stands in a field, for a message: short, with its kind where that is what is wrong. */
export function describeValue(value: unknown): string {
  if (value === null) return '`null`'
  if (value instanceof JsonNumber) return `the number \`${shown(value.text)}\``
  if (typeof value === 'string') {
    if (value.length > 200) return `a text of ${value.length} characters`
    return /^[-+\d.]+$/.test(value) ? `the text \`${shown(value)}\`` : `\`${shown(value)}\``
  }
  if (typeof value === 'boolean') return `\`${value}\``
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object'
}

/** Says that there is no such field, and which one was meant or which there are. */
export function unknownField(key: string, known: readonly string[]): string {
  const near = nearestName(key, known)
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean \`${near}\`?`
  return `there is no field \`${shown(key)}\`; ${hint}`
}

/** The beginning of a text that a caller sent. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
