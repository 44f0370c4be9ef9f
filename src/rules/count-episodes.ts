import { compareText } from '../domain/compare-text.ts'
import { Decimal, readDecimal } from '../domain/decimal.ts'
import type { Episode } from '../domain/episode.ts'
import type { FactType, FactValue } from '../domain/fact.ts'
import type { EpisodeCount } from '../domain/policy.ts'
import { dateInZone, dayMs, readInstant, writeInstant } from '../domain/time.ts'
import { type Computed, compareOperands, type Operand } from './computed.ts'
import { quote } from './typed-value.ts'

/** One attribute test, such as `>= 30` or `= 'paid'`. */
export interface AttributeTest {
  readonly operator: '<' | '<=' | '>' | '>=' | '==' | '!='
  readonly value: Decimal | string | boolean
}

export interface CountContext {
  readonly asOfMs: number
  readonly zone: string
  readonly history: readonly Episode[] | undefined
  readonly isSubtype: (type: string, ancestor: string) => boolean
}

/** Reads a test of an episode's attribute; the sentence says what would be right. */
export function parseAttributeTest(text: string): AttributeTest | { readonly why: string } {
  const right = "expected one comparison, such as `>= 30` or `= 'paid'`"
  const match = /^\s*(<=|>=|==|!=|<|>|=)\s*(\S(?:.*\S)?)\s*$/.exec(text)
  if (match === null) return { why: `${right}; got ${quote(text)}` }
  const operator = (match[1] === '=' ? '==' : match[1]) as AttributeTest['operator']
  const literal = match[2] ?? ''
  const isEquality = operator === '==' || operator === '!='
  if (isEquality && (literal === 'true' || literal === 'false'))
    return { operator, value: literal === 'true' }
  const quoted = /^'((?:[^']|'')*)'$/.exec(literal)?.[1]
  if (quoted !== undefined) {
    if (isEquality) return { operator, value: quoted.replaceAll("''", "'").normalize('NFC') }
    return { why: `\`${operator}\` needs a number; text has no order` }
  }
  const value = readDecimal(literal)
  return value === undefined ? { why: `${right}; got ${quote(text)}` } : { operator, value }
}

/**
 * A fact counted over the subject's episodes of a type or its subtypes, valid and not later than `as_of`. Unknown
 * when the history could not be read, or when an episode lacks what decides about it. Without any: count and sum
 * are 0, latest and max are none.
 */
export function countEpisodes(
  name: string,
  type: FactType,
  count: EpisodeCount,
  context: CountContext,
): Computed {
  const unknown = (why: string): Computed => ({ state: 'unknown', why, missing: [name] })
  if (context.history === undefined) return unknown('the history could not be read')
  const counted: Episode[] = []
  for (const episode of context.history) {
    if (!isInReach(episode, count, context)) continue
    const verdict = passesTests(episode, count.where ?? {})
    if (typeof verdict === 'string') return unknown(verdict)
    if (verdict) counted.push(episode)
  }
  const confidence = counted.reduce((least, episode) => Math.min(least, episode.confidence), 1)
  const trust = { confidence, weakest: name }
  if (count.take === 'count') return { state: 'known', value: new Decimal(counted.length), ...trust }
  if (count.take === 'latest') return latest(counted, type, context.zone, trust)
  const amounts: Decimal[] = []
  for (const episode of counted) {
    const amount = readAmount(episode.attributes[count.attribute ?? ''])
    if (amount === undefined) return unknown(lacking(episode, count.attribute ?? '', 'a number'))
    amounts.push(amount)
  }
  if (count.take === 'sum') {
    // In a fixed order, since 34 digits round.
    const ordered = amounts.toSorted((one, two) => one.comparedTo(two))
    return { state: 'known', value: ordered.reduce((sum, each) => sum.plus(each), new Decimal(0)), ...trust }
  }
  const [first] = amounts
  if (first === undefined) return { state: 'none', ...trust }
  return {
    state: 'known',
    value: amounts.reduce((most, each) => (each.greaterThan(most) ? each : most), first),
    ...trust,
  }
}

function isInReach(episode: Episode, count: EpisodeCount, context: CountContext): boolean {
  const occurredMs = readInstant(episode.occurred_at)
  if (occurredMs === undefined || occurredMs > context.asOfMs) return false
  if (episode.type !== count.type && !context.isSubtype(episode.type, count.type)) return false
  const untilMs = episode.valid_until === null ? undefined : readInstant(episode.valid_until)
  if (untilMs !== undefined && untilMs <= context.asOfMs) return false
  return count.within_days === undefined || context.asOfMs - occurredMs <= count.within_days * dayMs
}

/** True or false, or a sentence why nobody can tell. */
function passesTests(episode: Episode, where: Readonly<Record<string, string>>): boolean | string {
  let open: string | undefined
  for (const name of Object.keys(where).sort(compareText)) {
    const test = parseAttributeTest(where[name] ?? '')
    if ('why' in test) throw new TypeError(test.why)
    const actual = Object.hasOwn(episode.attributes, name) ? episode.attributes[name] : undefined
    const value = comparable(actual, test.value)
    if (value === undefined)
      open ??= lacking(
        episode,
        name,
        typeof test.value === 'boolean'
          ? 'true or false'
          : test.value instanceof Decimal
            ? 'a number'
            : 'a text',
      )
    else if (!holds(test, value)) return false
  }
  return open ?? true
}

function lacking(episode: Episode, attribute: string, kind: string): string {
  return `episode ${quote(episode.episode_id)} has no attribute \`${attribute}\` that is ${kind}`
}

function comparable(actual: FactValue | undefined, wanted: AttributeTest['value']): Operand | undefined {
  if (wanted instanceof Decimal) return readAmount(actual)
  return typeof actual === typeof wanted ? (actual as string | boolean) : undefined
}

function readAmount(value: FactValue | undefined): Decimal | undefined {
  return typeof value === 'string' ? readDecimal(value) : undefined
}

function holds(test: AttributeTest, value: Operand): boolean {
  if (!(test.value instanceof Decimal)) return (value === test.value) === (test.operator === '==')
  const order = compareOperands(value, test.value)
  switch (test.operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '==':
      return order === 0
    case '!=':
      return order !== 0
  }
}

function latest(
  counted: readonly Episode[],
  type: FactType,
  zone: string,
  trust: { confidence: number; weakest: string },
): Computed {
  const [first, ...others] = counted.map((episode) => readInstant(episode.occurred_at) ?? 0)
  if (first === undefined) return { state: 'none', ...trust }
  const atMs = Math.max(first, ...others)
  return { state: 'known', value: type === 'date' ? dateInZone(atMs, zone) : writeInstant(atMs), ...trust }
}
