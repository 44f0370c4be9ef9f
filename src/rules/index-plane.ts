import type { Key } from './necessary-tests.ts'
import { addRule, hasRule, type RuleRange } from './rule-bits.ts'

/** The rules that test one fact in one way; takes out of a set those that a known value makes false. */
export interface IndexPlane {
  readonly slot: number
  readonly takes: 'key' | 'number'
  readonly narrow: (range: RuleRange, value: Key) => void
}

/** A plane of keys also lists the rules that a key leaves possible, in order. */
export interface KeyPlane extends IndexPlane {
  readonly takes: 'key'
  /** How many rules it tests. */
  readonly size: number
  readonly possible: (key: Key) => readonly number[]
}

interface KeyEntry {
  readonly rule: number
  readonly keys: readonly Key[]
}

interface BoundEntry {
  readonly rule: number
  readonly bound: number
}

/** Rules that need one of some keys. */
export function keyPlane(slot: number, entries: readonly KeyEntry[]): KeyPlane {
  const members = memberWords(entries.map((entry) => entry.rule))
  const byKey = new Map<Key, number[]>()
  for (const { rule, keys } of entries) {
    for (const key of new Set(keys)) {
      const rules = byKey.get(key)
      if (rules === undefined) byKey.set(key, [rule])
      else rules.push(rule)
    }
  }
  const possible = (key: Key) => byKey.get(key) ?? none
  const narrow = (range: RuleRange, key: Key) => {
    const rules = possible(key)
    keepAmong(range, members, undefined, rules, 0, rules.length)
  }
  return { slot, takes: 'key', size: entries.length, possible, narrow }
}

const none: readonly number[] = []

/** After so many rules in the order of their bounds, the set of all before is kept ready. */
const stride = 128

/** Rules that need a number at least (or at most) as large as their bound. */
export function boundPlane(
  slot: number,
  kind: 'at least' | 'at most',
  entries: readonly BoundEntry[],
): IndexPlane {
  const sign = kind === 'at least' ? 1 : -1
  const sorted = [...entries].sort((one, two) => sign * (one.bound - two.bound) || one.rule - two.rule)
  const rules = sorted.map((entry) => entry.rule)
  const bounds = Float64Array.from(sorted, (entry) => sign * entry.bound)
  const members = memberWords(rules)
  const ready = runningSets(rules, members)
  const narrow = (range: RuleRange, value: Key) => {
    const passing = countAtMost(bounds, sign * (value as number))
    const block = Math.floor(passing / stride)
    keepAmong(range, members, ready[block], rules, block * stride, passing)
  }
  return { slot, takes: 'number', narrow }
}

/** Which words of a set hold rules of a plane, and which of their bits. */
interface MemberWords {
  readonly words: Int32Array
  readonly bits: Int32Array
}

function memberWords(rules: readonly number[]): MemberWords {
  const bits = new Map<number, number>()
  for (const rule of rules) bits.set(rule >>> 5, (bits.get(rule >>> 5) ?? 0) | (1 << (rule & 31)))
  const words = [...bits.keys()].sort((one, two) => one - two)
  return { words: Int32Array.from(words), bits: Int32Array.from(words, (word) => bits.get(word) ?? 0) }
}

/** For each whole block of rules, the set of all before it, in the words of the members. */
function runningSets(rules: readonly number[], { words }: MemberWords): (Int32Array | undefined)[] {
  const place = new Map([...words].map((word, index) => [word, index]))
  const running = new Int32Array(words.length)
  const sets: (Int32Array | undefined)[] = [undefined]
  for (const [index, rule] of rules.entries()) {
    const at = place.get(rule >>> 5) ?? 0
    running[at] = (running[at] as number) | (1 << (rule & 31))
    if ((index + 1) % stride === 0) sets.push(running.slice())
  }
  return sets
}

/** Takes out all members but those of a ready set and those in `rules` from one place up to another. */
function keepAmong(
  { bits, from: firstWord, to: endWord }: RuleRange,
  { words, bits: ours }: MemberWords,
  ready: Int32Array | undefined,
  rules: readonly number[],
  from: number,
  until: number,
): void {
  const kept: number[] = []
  for (let index = from; index < until; index++) {
    const rule = rules[index] as number
    if (hasRule(bits, rule)) kept.push(rule)
  }
  for (let index = countBelow(words, firstWord); index < words.length; index++) {
    const word = words[index] as number
    if (word >= endWord) break
    const keep = ~(ours[index] as number) | (ready === undefined ? 0 : (ready[index] as number))
    bits[word] = (bits[word] as number) & keep
  }
  for (const rule of kept) addRule(bits, rule)
}

/** How many of the sorted bounds are at most the value. */
function countAtMost(bounds: Float64Array, value: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((bounds[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the sorted words are below one. */
function countBelow(words: Int32Array, word: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] as number) < word) low = middle + 1
    else high = middle
  }
  return low
}
