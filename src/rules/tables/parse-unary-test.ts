import type { TestPart, UnaryTest } from '../../domain/decision-table.ts'
import { decimalTypes, type FactType } from '../../domain/fact.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { JsonNumber, type RawValue } from '../../domain/request.ts'
import { compareOperands, toOperand } from '../computed.ts'
import { nouns, quote, typeValue, type ValueType } from '../typed-value.ts'

/** Why a text is no cell, and where in it. */
export class CellFault extends Error {
  readonly at: number
  constructor(at: number, why: string) {
    super(why)
    this.at = at
  }
}

/** Types whose values have an order, so that `<` and intervals go with them. */
export const orderedTypes: ReadonlySet<FactType> = new Set([
  ...decimalTypes,
  ...(['date', 'instant', 'duration'] as const),
])

/** Whether a cell is more than one bare word or number: signs, quotes, brackets, a list or a call. */
export function hasTestSyntax(text: string): boolean {
  const trimmed = text.trim()
  return trimmed === '-' || /^[<>="([\]]|^not\s*\(|,/.test(trimmed) || callStart.test(trimmed)
}

/**
 * Reads the text of a cell as DMN unary tests, its values typed by the column: `-`, `"S"` or a bare word, `< 100`,
 * `<= 100`, `> 100`, `>= 100`, `[100..120)`, `not(…)`, and lists of these. Throws `CellFault`.
 */
export function parseUnaryTest(text: string, type: ValueType, zone: string): UnaryTest {
  if (text.trim() === '') throw new CellFault(0, 'expected a test; `-` accepts everything')
  return new CellReader(text, type, zone).read()
}

const callStart = /^(?:date|duration|date\s+and\s+time)\s*\(/
const callWhole = /(date\s+and\s+time|date|duration)\s*\(\s*"([^"]*)"\s*\)/y
const partsMax = 1000

class CellReader {
  readonly #text: string
  readonly #type: ValueType
  readonly #zone: string
  #at = 0

  constructor(text: string, type: ValueType, zone: string) {
    this.#text = text
    this.#type = type
    this.#zone = zone
  }

  read(): UnaryTest {
    if (this.#text.trim() === '-') return '-'
    this.#take(/\s*/y)
    if (this.#take(/not\s*\(/y) === undefined) {
      const parts = this.#readList()
      if (this.#at < this.#text.length) this.#fail(`did not expect ${quote(this.#text.slice(this.#at))} here`)
      return { in: parts }
    }
    const parts = this.#readList()
    if (this.#take(/\)\s*$/y) === undefined) this.#fail('expected `)` at the end of `not(…)`')
    return { not_in: parts }
  }

  #readList(): TestPart[] {
    const parts: TestPart[] = []
    do {
      if (parts.length >= partsMax) this.#fail(`more than ${partsMax} tests in one cell`)
      this.#take(/\s*/y)
      parts.push(this.#readPart())
      this.#take(/\s*/y)
    } while (this.#take(/,/y) !== undefined)
    return parts
  }

  #readPart(): TestPart {
    const start = this.#at
    const sign = this.#take(/<=|>=|<|>/y)
    if (sign !== undefined) {
      this.#needOrder(start, sign)
      this.#take(/\s*/y)
      return { [boundNames[sign] ?? '']: this.#readBound(bareInList) }
    }
    const open = this.#take(/[[(\]]/y)
    if (open !== undefined) return this.#readInterval(start, open)
    if (this.#take(/=/y) !== undefined) this.#fail('write the value alone, without `=`', start)
    if (this.#take(/-(?=\s*(?:,|$|\)))/y) !== undefined)
      this.#fail('`-` accepts everything and stands alone', start)
    const value = this.#readValue(bareInList)
    return { equal: value as string | boolean }
  }

  #readInterval(start: number, open: string): TestPart {
    this.#needOrder(start, open)
    this.#take(/\s*/y)
    const low = this.#readBound(bareBeforeDots)
    if (this.#take(/\s*\.\.\s*/y) === undefined)
      this.#fail('expected `..` between the ends, such as `[100..120)`')
    const high = this.#readBound(bareBeforeBracket)
    this.#take(/\s*/y)
    const close = this.#take(/[\])[]/y)
    if (close === undefined) this.#fail('expected `]` or `)` at the end of the interval')
    const isClosed = open === '[' && close === ']'
    const order = compareOperands(toOperand(this.#type.type, low), toOperand(this.#type.type, high))
    if (order > 0 || (order === 0 && !isClosed)) {
      this.#fail(`${quote(this.#text.slice(start, this.#at))} holds no value`, start)
    }
    return { [open === '[' ? 'from' : 'above']: low, [close === ']' ? 'to' : 'below']: high }
  }

  #readBound(bare: RegExp): string {
    return this.#readValue(bare) as string
  }

  /** One value, typed by the column: a text in quotes, a call such as `date("2026-01-01")`, or what stands bare. */
  #readValue(bare: RegExp): string | boolean {
    const start = this.#at
    const { type } = this.#type
    if (this.#text[start] === '"') return this.#typed(this.#readQuoted(), start, true)
    const call = this.#match(callWhole)
    if (call !== undefined) {
      const wanted = callTypes[(call[1] ?? '').replace(/\s+/g, ' ')]
      if (wanted !== type && !(wanted === 'date' && type === 'instant')) {
        this.#fail(`expected ${nouns[type]}; got ${quote(call[0])}`, start)
      }
      return this.#typed(call[2] ?? '', start, false)
    }
    const text = this.#take(bare)?.trimEnd()
    if (text === undefined || text === '') this.#fail(`expected ${nouns[type]}`)
    return this.#typed(text, start, false)
  }

  #readQuoted(): string {
    const text = this.#take(/"(?:[^"\\]|\\.)*"/y)
    if (text === undefined) this.#fail('the closing `"` is missing')
    return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
  }

  #typed(text: string, start: number, isText: boolean): string | boolean {
    const { type } = this.#type
    if (isText && type !== 'text' && type !== 'enum') {
      this.#fail(`expected ${nouns[type]}; got the text ${quote(text)}, which is never equal to one`, start)
    }
    const raw: RawValue = decimalTypes.has(type)
      ? new JsonNumber(text)
      : type === 'boolean' && (text === 'true' || text === 'false')
        ? text === 'true'
        : text
    const typed = typeValue(this.#type, raw, this.#zone)
    if ('value' in typed && (typeof typed.value === 'string' || typeof typed.value === 'boolean')) {
      return typed.value
    }
    const near = this.#type.values === undefined ? '' : suggestion(text, Object.keys(this.#type.values))
    const why = 'why' in typed ? typed.why : `${quote(text)} is none of the declared values`
    return this.#fail(why + near, start)
  }

  #needOrder(start: number, sign: string): void {
    const { type } = this.#type
    if (orderedTypes.has(type)) return
    const what = type === 'boolean' ? 'true and false have' : 'a text has'
    this.#fail(`\`${sign}\` does not go here: ${what} no order`, start)
  }

  #take(pattern: RegExp): string | undefined {
    return this.#match(pattern)?.[0]
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at = pattern.lastIndex
    return match
  }

  #fail(why: string, at = this.#at): never {
    throw new CellFault(Math.min(at, this.#text.length), why)
  }
}

const bareInList = /[^,"()[\]<>]+/y
const bareBeforeDots = /(?:(?!\.\.)[^,"()[\]<>])+/y
const bareBeforeBracket = bareBeforeDots

const boundNames: Readonly<Record<string, string>> = { '<': 'below', '<=': 'to', '>': 'above', '>=': 'from' }
const callTypes: Readonly<Record<string, FactType>> = {
  date: 'date',
  duration: 'duration',
  'date and time': 'instant',
}
