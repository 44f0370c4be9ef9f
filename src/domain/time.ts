import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

/** Milliseconds of the open end of an interval: later than every instant. */
export const openEndMs = Number.MAX_SAFE_INTEGER

/** tau of a decay whose declaration names none, in days. */
export const tauDaysDefault = 30

export const dayMs = 86_400_000

const instantText = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Epoch milliseconds of an RFC 3339 time with an offset; `undefined` when the text is none or does not exist. */
export function readInstant(text: string): number | undefined {
  if (!instantText.test(text)) return undefined
  try {
    const atMs = readWritten(text) ?? Temporal.Instant.from(text).epochMilliseconds
    const year = new Date(atMs).getUTCFullYear()
    return year >= 1900 && year <= 9999 ? atMs : undefined
  } catch {
    return undefined
  }
}

/** What `writeInstant` wrote, read back without the detour over a calendar: most times were written by it. */
function readWritten(text: string): number | undefined {
  const atMs = text.length === 24 ? Date.parse(text) : Number.NaN
  return !Number.isNaN(atMs) && writeInstant(atMs) === text ? atMs : undefined
}

/** The one way an instant is written: UTC, milliseconds. */
export function writeInstant(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** `YYYY-MM-DD` of a calendar day that exists; otherwise `undefined`. */
export function readDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

/** The calendar day of an instant in a time zone (IANA name). */
export function dateInZone(atMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Epoch milliseconds at which a calendar day begins in a time zone. */
export function startOfDateMs(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds
}

export const InstantText = z
  .string()
  .refine(
    (text) => readInstant(text) !== undefined,
    'expected an existing time with an offset, such as `2026-06-01T14:03:00Z`',
  )
  .meta({ description: 'RFC 3339 time with an offset.', format: 'date-time' })

export const DateText = z
  .string()
  .refine((text) => readDate(text) !== undefined, 'expected an existing day, such as `2026-06-01`')
  .meta({ description: 'Calendar day, YYYY-MM-DD.', format: 'date' })

export const ZoneName = z.string().refine((zone) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}, 'expected an IANA time zone, such as `America/New_York`')
