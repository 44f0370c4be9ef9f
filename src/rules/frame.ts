import { compareText } from '../domain/compare-text.ts'
import { Decimal } from '../domain/decimal.ts'
import { decimalTypes, type FactType } from '../domain/fact.ts'
import { type Computed, durationDays, type Operand } from './computed.ts'
import type { DeclaredFact } from './rule-set.ts'
import type { StateTable } from './workings.ts'

/** A place for each name that rules may read, and what is there before anything is given. */
export interface Layout {
  readonly slots: ReadonlyMap<string, number>
  /** By slot, which is their order by code units. */
  readonly names: readonly string[]
  readonly types: readonly FactType[]
  readonly base: ReadonlyMap<string, DeclaredFact>
  /** Base facts that are read even when they are not given, for the fields inside them. */
  readonly withParts: readonly DeclaredFact[]
  /** State of a base fact that is not given; of anything else `undefined`, until it is there. */
  readonly blank: readonly (Computed | undefined)[]
  readonly noNumbers: readonly number[]
}

export function layOut(declared: ReadonlyMap<string, DeclaredFact>): Layout {
  const facts = [...declared.values()].sort((one, two) => compareText(one.name, two.name))
  return {
    slots: new Map(facts.map((fact, slot) => [fact.name, slot])),
    names: facts.map((fact) => fact.name),
    types: facts.map((fact) => fact.declaration.type),
    base: new Map(facts.flatMap((fact) => (fact.origin === 'fact' ? [[fact.name, fact]] : []))),
    withParts: facts.filter((fact) => fact.origin === 'fact' && fact.parts !== undefined),
    blank: facts.map((fact) => (fact.origin === 'fact' ? notGiven(fact.name) : undefined)),
    noNumbers: facts.map(() => Number.NaN),
  }
}

function notGiven(name: string): Computed {
  return { state: 'unknown', why: 'not given', missing: [name] }
}

/** The states of one evaluation by slot, with a number beside each known value that has an order. */
export class Frame implements StateTable {
  readonly states: (Computed | undefined)[]
  /**
   * A double for the value: two values in order have doubles in order or equal, so doubles that differ decide and
   * equal ones do not. NaN: not known, or no such value.
   */
  readonly numbers: number[]
  readonly #layout: Layout
  readonly #late: (name: string) => Computed | undefined

  /** `late` gives, when first read, what nothing sets. */
  constructor(layout: Layout, late: (name: string) => Computed | undefined) {
    this.#layout = layout
    this.#late = late
    this.states = layout.blank.slice()
    this.numbers = layout.noNumbers.slice()
  }

  get(name: string): Computed | undefined {
    const slot = this.#layout.slots.get(name)
    return slot === undefined ? undefined : (this.states[slot] ?? this.#fetch(name))
  }

  set(name: string, state: Computed): void {
    const slot = this.#layout.slots.get(name)
    if (slot === undefined) throw new TypeError(`there is no fact \`${name}\``)
    this.states[slot] = state
    const type = this.#layout.types[slot]
    if (state.state === 'known' && type !== undefined) this.numbers[slot] = orderNumber(type, state.value)
  }

  /** The state in a slot, which has to be there. */
  at(slot: number): Computed {
    return this.states[slot] ?? this.#fetch(this.#layout.names[slot]) ?? this.#tooEarly(slot)
  }

  #fetch(name = ''): Computed | undefined {
    const state = this.#late(name)
    if (state !== undefined) this.set(name, state)
    return state
  }

  #tooEarly(slot: number): never {
    throw new TypeError(`\`${this.#layout.names[slot]}\` is read before it is there`)
  }
}

/** The double beside a value: of a decimal the nearest, of days, times and durations one that keeps their order. */
export function orderNumber(type: FactType, value: Operand): number {
  if (value instanceof Decimal) return decimalTypes.has(type) ? nearestDouble(value) : Number.NaN
  if (typeof value !== 'string') return Number.NaN
  if (type === 'date') return dayNumber(value)
  if (type === 'instant') return timeNumber(value)
  return type === 'duration' ? (durationDays(value) ?? Number.NaN) : Number.NaN
}

/** Whole numbers under 10^7 are one digit of a Decimal, which spares writing and reading them. */
function nearestDouble(value: Decimal): number {
  const { d: digits, e: exponent, s: sign } = value
  return digits.length === 1 && exponent >= 0 && exponent < 7 ? sign * (digits[0] ?? 0) : value.toNumber()
}

/** `2026-06-01` -> 20260601 */
function dayNumber(text: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? digits(text, 0, 4) * 1e4 + monthAndDay(text) : Number.NaN
}

const writtenInstant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Milliseconds of years of twelve months of 31 days: the order of the texts, in a number that a double holds. */
function timeNumber(text: string): number {
  if (!writtenInstant.test(text)) return Number.NaN
  const days = digits(text, 0, 4) * 372 + (digits(text, 5, 7) - 1) * 31 + digits(text, 8, 10)
  const seconds = digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19)
  return days * 86_400_000 + seconds * 1000 + digits(text, 20, 23)
}

function monthAndDay(text: string): number {
  return digits(text, 5, 7) * 100 + digits(text, 8, 10)
}

function digits(text: string, from: number, to: number): number {
  return Number(text.slice(from, to))
}
