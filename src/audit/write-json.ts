import { Failure } from '../errors.ts'

/** Where a value stands: the names and numbers that lead to it, and the objects that hold it. */
interface Place {
  readonly path: (string | number)[]
  readonly above: object[]
}

/** Canonical JSON (RFC 8785) of a value; refuses what `canonicalJson` says it refuses. */
export function writeJson(value: unknown): string {
  return write(value, { path: [], above: [] })
}

/** Refuses what `writeJson` refuses, and writes nothing. */
export function refuseUnwritable(value: unknown): void {
  check(value, { path: [], above: [] })
}

function check(value: unknown, place: Place): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuseText(value, place)
  } else if (typeof value === 'object' && value !== null) {
    enter(value, place)
    for (const [key, field] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (typeof key === 'string' && !key.isWellFormed()) refuseText(key, place)
      place.path.push(key)
      check(field, place)
      place.path.pop()
    }
    place.above.pop()
  } else {
    write(value, place)
  }
}

function write(value: unknown, place: Place): string {
  switch (typeof value) {
    case 'string':
      return writeText(value, place)
    case 'number':
      if (!Number.isFinite(value)) refuse(place, `expected a finite number; got \`${value}\``)
      // RFC 8785 writes numbers as JavaScript does, and no minus zero.
      return String(value === 0 ? 0 : value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : writeHolder(value, place)
    default:
      return refuse(place, `expected a JSON value; got ${typeof value}`)
  }
}

function writeHolder(value: object, place: Place): string {
  enter(value, place)
  const text = Array.isArray(value) ? writeArray(value, place) : writeObject(value, place)
  place.above.pop()
  return text
}

/** Refuses an object that holds itself, or that is no plain one. */
function enter(value: object, place: Place): void {
  if (place.above.includes(value)) refuse(place, 'the value holds itself')
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value))
    refuse(place, `expected a plain object; got ${value.constructor.name}`)
  place.above.push(value)
}

function writeArray(values: readonly unknown[], place: Place): string {
  let text = '['
  for (let index = 0; index < values.length; index++) {
    place.path.push(index)
    text += index === 0 ? write(values[index], place) : `,${write(values[index], place)}`
    place.path.pop()
  }
  return `${text}]`
}

function writeObject(value: object, place: Place): string {
  let text = '{'
  for (const key of inOrder(Object.keys(value))) {
    const name = writeText(key, place)
    place.path.push(key)
    const field = write((value as Readonly<Record<string, unknown>>)[key], place)
    place.path.pop()
    text += text.length === 1 ? `${name}:${field}` : `,${name}:${field}`
  }
  return `${text}}`
}

/** By code units; most objects are written in order already. */
function inOrder(keys: string[]): readonly string[] {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort()
  }
  return keys
}

/** What a JSON text has to escape, and halves of surrogate pairs. */
const notPlain = /["\\\p{Cc}\p{Cs}]/u

function writeText(text: string, place: Place): string {
  if (!notPlain.test(text)) return `"${text}"`
  return text.isWellFormed() ? JSON.stringify(text) : refuseText(text, place)
}

function refuseText(text: string, place: Place): never {
  const why = `\`${text.toWellFormed()}\` holds half a surrogate pair; send whole characters`
  throw new Failure('REQUEST_INVALID', { at: pointerTo(place), why })
}

function refuse(place: Place, why: string): never {
  throw new TypeError(`${pointerTo(place)}: ${why}`)
}

function pointerTo({ path }: Place): string {
  return path.map((part) => `/${part}`).join('')
}
