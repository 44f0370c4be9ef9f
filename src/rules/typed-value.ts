import { Temporal } from 'temporal-polyfill'
import { compareText } from '../domain/compare-text.ts'
import { type Decimal, readDecimal, writeDecimal } from '../domain/decimal.ts'
import { decimalTypes, type FactType, type FactValue } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { FieldDeclaration } from '../domain/policy.ts'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import { readDate, readInstant, startOfDateMs, writeInstant } from '../domain/time.ts'

/**
 * `value` null: none (it is the caller's to treat it as unknown where the fact is not marked `may_be_none`).
 * `unlisted`: an enumeration declared `unlisted: unknown` met another value, so the fact is unknown.
 */
export type TypedValue =
  | { readonly value: FactValue | null }
  | { readonly unlisted: true }
  | { readonly why: string }

/** What typing needs of a declaration. */
export type ValueType = Pick<
  FieldDeclaration,
  'type' | 'values' | 'unlisted' | 'of' | 'fields' | 'min' | 'max'
>

const textMax = 10_000
const listMax = 10_000
const depthMax = 16

/**
 * Types and normalises a raw JSON value by its fact's declaration: decimals to plain decimal text, enumerations
 * to their declared value, texts to NFC, instants to UTC milliseconds. A day given for an instant is its start in
 * `zone`. Never throws; `why` says what was found and what would be right.
 */
export function typeValue(declaration: ValueType, raw: RawValue, zone: string): TypedValue {
  if (raw === null) return { value: null }
  return typed(declaration, raw, zone, 0)
}

function typed(declaration: ValueType, raw: RawValue, zone: string, depth: number): TypedValue {
  const { type } = declaration
  if (decimalTypes.has(type)) return typeDecimal(declaration, raw)
  switch (type) {
    case 'boolean':
      return typeof raw === 'boolean' ? ok(raw) : fault(`expected true or false; got ${show(raw)}`)
    case 'list':
      return typeList(declaration, raw, zone, depth)
    case 'object':
      return typeObject(declaration.fields, raw, zone, depth)
    default:
      if (typeof raw !== 'string') return fault(`expected ${nouns[type]}; got ${show(raw)}`)
      return typeText(declaration, raw, zone)
  }
}

/** What each type is called in a sentence, with an example where the form matters. */
export const nouns: Readonly<Record<FactType, string>> = {
  text: 'a text',
  enum: 'one of the declared values, as text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  ratio: 'a ratio, such as `0.45`',
  money: 'an amount, such as `1200.50`',
  date: 'an existing day, such as `2026-06-01`',
  instant: 'a time with an offset, such as `2026-06-01T14:03:00Z`',
  duration: 'whole days, such as `P45D`',
  list: 'a list',
  object: 'an object',
}

function typeDecimal(declaration: ValueType, raw: RawValue): TypedValue {
  const text = raw instanceof JsonNumber ? raw.text : raw
  if (typeof text !== 'string') return fault(`expected ${nouns[declaration.type]}; got ${show(raw)}`)
  const value = readDecimal(text)
  if (value === undefined) return fault(unreadableNumber(declaration.type, text))
  if (declaration.type === 'integer' && !value.isInteger()) {
    return fault(`expected a whole number; got ${quote(text)}`)
  }
  const bounds = outOfBounds(declaration, value)
  if (bounds !== undefined) return fault(`expected ${bounds}; got ${quote(text)}`)
  return ok(writeDecimal(value))
}

function unreadableNumber(type: FactType, text: string): string {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
    return `expected ${nouns[type]} of at most 34 digits between 1e-34 and 1e34; got ${quote(text)}`
  }
  return `expected ${nouns[type]}; ${quote(text)} is no such number`
}

function outOfBounds(declaration: ValueType, value: Decimal): string | undefined {
  const { min, max } = declaration
  const below = min !== undefined && value.lessThan(min)
  const above = max !== undefined && value.greaterThan(max)
  if (!below && !above) return undefined
  if (min !== undefined && max !== undefined) return `a number from \`${min}\` to \`${max}\``
  return below ? `\`${min}\` or more` : `\`${max}\` or less`
}

function typeText(declaration: ValueType, raw: string, zone: string): TypedValue {
  const { type } = declaration
  if (raw.length > textMax) return fault(`expected at most ${textMax} characters; got ${raw.length}`)
  if (raw.includes('\u0000')) return fault('the text holds a NUL character; remove it')
  if (!raw.isWellFormed()) return fault('the text holds half a surrogate pair; send whole characters')
  if (type === 'text') return ok(raw.normalize('NFC'))
  if (type === 'enum') return typeEnum(declaration, raw)
  const value = type === 'date' ? readDate(raw) : type === 'instant' ? readTime(raw, zone) : readDuration(raw)
  return value === undefined ? fault(`expected ${nouns[type]}; got ${quote(raw)}`) : ok(value)
}

function readTime(raw: string, zone: string): string | undefined {
  const date = readDate(raw)
  const atMs = date === undefined ? readInstant(raw) : startOfDateMs(date, zone)
  if (atMs === undefined) return undefined
  const text = writeInstant(atMs)
  return readInstant(text) === undefined ? undefined : text
}

function readDuration(raw: string): string | undefined {
  const days = /^P(\d{1,6})D$/.exec(raw)?.[1]
  return days === undefined
    ? undefined
    : Temporal.Duration.from({ days: Number(days) })
        .toString()
        .replace('PT0S', 'P0D')
}

function typeEnum(declaration: ValueType, raw: string): TypedValue {
  const values = declaration.values
  const text = raw.normalize('NFC')
  // A derived enumeration lists no values.
  if (values === undefined) return ok(text)
  const value = exactValue(values, text) ?? looseValue(values, text)
  if (value !== undefined) return ok(value)
  if (declaration.unlisted === 'unknown') return { unlisted: true }
  return fault(`expected one of ${Object.keys(values).sort().map(quote).join(', ')}; got ${quote(raw)}`)
}

type Values = NonNullable<ValueType['values']>

function exactValue(values: Values, text: string): string | undefined {
  if (Object.hasOwn(values, text)) return text
  return Object.keys(values).find((value) => values[value]?.includes(text))
}

function looseValue(values: Values, text: string): string | undefined {
  const wanted = fold(text)
  const names = Object.keys(values).sort()
  return (
    names.find((value) => fold(value) === wanted) ??
    names.find((value) => values[value]?.some((synonym) => fold(synonym) === wanted))
  )
}

/** How values of an enumeration are compared when none fits exactly: trimmed and in lower case. */
export function fold(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

function typeList(declaration: ValueType, raw: RawValue, zone: string, depth: number): TypedValue {
  if (!Array.isArray(raw)) return fault(`expected a list; got ${show(raw)}`)
  if (depth >= depthMax) return fault(`nested deeper than ${depthMax} levels`)
  if (raw.length > listMax) return fault(`expected at most ${listMax} elements; got ${raw.length}`)
  const { of: _, ...rest } = declaration
  const element: ValueType = { ...rest, type: declaration.of ?? 'text' }
  const values: FactValue[] = []
  for (const [index, item] of raw.entries()) {
    const result = typed(element, item, zone, depth + 1)
    if ('why' in result) return fault(`element ${index + 1}: ${result.why}`)
    if ('unlisted' in result) return result
    if (result.value === null) return fault(`element ${index + 1}: expected ${nouns[element.type]}; got null`)
    values.push(result.value)
  }
  return ok(values)
}

const reservedFields = new Set(['__proto__', 'constructor', 'prototype'])

/** With declared `fields` each is typed by its own, and there are no others; without, by what it looks like. */
function typeObject(fields: ValueType['fields'], raw: RawValue, zone: string, depth: number): TypedValue {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof JsonNumber) {
    return fault(`expected an object; got ${show(raw)}`)
  }
  if (depth > depthMax) return fault(`nested deeper than ${depthMax} levels`)
  const entries: [string, FactValue][] = []
  for (const [name, item] of Object.entries(raw)) {
    if (reservedFields.has(name)) return fault(`the field name ${quote(name)} is reserved`)
    const value =
      fields === undefined ? plainValue(item, depth + 1) : typeField(fields, name, item, zone, depth)
    if ('why' in value) return fault(`field ${quote(name)}: ${value.why}`)
    if ('value' in value && value.value !== null) entries.push([name, value.value])
  }
  return ok(Object.fromEntries(entries.sort(([one], [two]) => compareText(one, two))))
}

function typeField(
  fields: NonNullable<ValueType['fields']>,
  name: string,
  raw: RawValue,
  zone: string,
  depth: number,
): TypedValue {
  const declaration = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (declaration === undefined)
    return fault(`there is no such field${suggestion(name, Object.keys(fields))}`)
  if (raw === null) return fault('expected a value; got null; leave the field out')
  return typed(declaration, raw, zone, depth + 1)
}

/** A value inside an object, where nothing declares its type. */
function plainValue(raw: RawValue, depth: number): TypedValue {
  if (depth > depthMax) return fault(`nested deeper than ${depthMax} levels`)
  if (raw === null) return fault('expected a value; got null; leave the field out')
  if (typeof raw === 'boolean') return ok(raw)
  if (raw instanceof JsonNumber) return typeDecimal({ type: 'number' }, raw)
  if (typeof raw === 'string') return typeText({ type: 'text' }, raw, 'UTC')
  if (!Array.isArray(raw)) return typeObject(undefined, raw, 'UTC', depth)
  if (raw.length > listMax) return fault(`expected at most ${listMax} elements; got ${raw.length}`)
  const values: FactValue[] = []
  for (const item of raw) {
    const value = plainValue(item, depth + 1)
    if (!('value' in value)) return value
    if (value.value !== null) values.push(value.value)
  }
  return ok(values)
}

function ok(value: FactValue): TypedValue {
  return { value }
}

function fault(why: string): TypedValue {
  return { why }
}

/** Input in backticks, cut where it is long. */
export function quote(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return `\`${cut.toWellFormed().replaceAll('\u0000', '\\0')}\``
}

function show(raw: RawValue): string {
  if (raw === null) return 'null'
  if (typeof raw === 'string') return `the text ${quote(raw)}`
  if (raw instanceof JsonNumber) return `the number ${quote(raw.text)}`
  if (typeof raw === 'boolean') return quote(String(raw))
  return Array.isArray(raw) ? 'a list' : 'an object'
}
