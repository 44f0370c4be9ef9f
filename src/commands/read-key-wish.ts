import type { KeyWish } from '../access/create-key.ts'
import { KeyName, RatePerMinute, Role } from '../domain/access-key.ts'
import { readDate, readInstant, writeInstant } from '../domain/time.ts'
import { Failure, type Fault } from '../errors.ts'

/** Requests a minute of a key whose maker names no rate. */
const rateDefault = 6000

/** Reads the options of `keys create`. Failure: USAGE, naming every option that is missing or wrong. */
export function readKeyWish(values: ReadonlyMap<string, string>, nowMs: number): KeyWish {
  const faults: Fault[] = []
  const wrong = (at: string, why: string) => {
    faults.push({ at, why })
  }
  const roles = readRoles(values.get('role'), wrong)
  const name = KeyName.safeParse(values.get('name') ?? '')
  if (!name.success) wrong('--name', 'expected 1 to 100 visible characters, such as `"core banking"`')
  const expiresAt = readExpiry(values.get('expires'), nowMs, wrong)
  const ratePerMinute = readRate(values.get('rate'), wrong)
  if (faults.length > 0) throw new Failure('USAGE', faults)
  return { roles, name: name.data ?? '', expiresAt, ratePerMinute }
}

type Wrong = (at: string, why: string) => void

function readRoles(text: string | undefined, wrong: Wrong): readonly Role[] {
  const known = Role.options.map((role) => `\`${role}\``).join(', ')
  const expected = `expected ${known}, or several with commas between`
  if (text === undefined) {
    wrong('--role', expected)
    return []
  }
  return text.split(',').flatMap((part) => {
    const role = Role.safeParse(part.trim())
    if (role.success) return [role.data]
    wrong('--role', `${expected}; got \`${part.trim().slice(0, 40)}\``)
    return []
  })
}

function readExpiry(text: string | undefined, nowMs: number, wrong: Wrong): string | null {
  if (text === undefined) return null
  const day = readDate(text)
  const atMs = readInstant(day === undefined ? text : `${day}T00:00:00Z`)
  if (atMs === undefined) {
    wrong(
      '--expires',
      `expected a day such as \`2027-01-01\`, or a time with an offset; got \`${text.slice(0, 40)}\``,
    )
  } else if (atMs <= nowMs) {
    wrong('--expires', `expected a time to come; got \`${text}\``)
  }
  return atMs === undefined ? null : writeInstant(atMs)
}

function readRate(text: string | undefined, wrong: Wrong): number {
  if (text === undefined) return rateDefault
  const rate = RatePerMinute.safeParse(/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)
  if (rate.success) return rate.data
  wrong('--rate', `expected a whole number of requests a minute, 1 to 1000000; got \`${text.slice(0, 40)}\``)
  return rateDefault
}
