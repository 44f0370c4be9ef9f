import type { Frame, Layout } from './frame.ts'
import { boundPlane, type IndexPlane, type KeyPlane, keyPlane } from './index-plane.ts'
import { type Key, keyOf, type NecessaryTest } from './necessary-tests.ts'
import { addRule, allRules, noRules, type RuleRange } from './rule-bits.ts'

/**
 * Finds which rules of a list a decision has to look at: those of which no necessary test is false. A fact that is
 * unknown, none or in error makes no test false. The order of a rule's conditions does not matter.
 */
export interface RuleIndex {
  /** Places of the rules to look at. */
  readonly candidates: (frame: Frame) => RuleRange
}

export function indexRules(testsOfRules: readonly (readonly NecessaryTest[])[], layout: Layout): RuleIndex {
  const planes = planesOf(testsOfRules)
  const all = allRules(testsOfRules.length)
  const none = noRules(testsOfRules.length)
  const whole = planes.filter(
    (plane): plane is KeyPlane => 'size' in plane && plane.size === testsOfRules.length,
  )
  return {
    candidates: (frame) => {
      const few = fewestPossible(whole, frame, layout)
      const range =
        few === undefined ? { bits: all.slice(), from: 0, to: all.length } : rangeOf(few.rules, none.slice())
      if (range.from === range.to) return range
      for (const plane of planes) {
        const value = plane === few?.plane ? undefined : valueFor(plane, frame, layout)
        if (value !== undefined) plane.narrow(range, value)
      }
      return range
    },
  }
}

/** Of planes that test every rule, the one whose value leaves the fewest possible. */
function fewestPossible(planes: readonly KeyPlane[], frame: Frame, layout: Layout) {
  let few: { readonly plane: KeyPlane; readonly rules: readonly number[] } | undefined
  for (const plane of planes) {
    const key = valueFor(plane, frame, layout)
    const rules = key === undefined ? undefined : plane.possible(key)
    if (rules !== undefined && (few === undefined || rules.length < few.rules.length)) few = { plane, rules }
  }
  return few
}

/** Rules in order as a set, in the words that hold them. */
function rangeOf(rules: readonly number[], bits: number[]): RuleRange {
  const first = rules[0]
  const last = rules.at(-1)
  if (first === undefined || last === undefined) return { bits, from: 0, to: 0 }
  for (const rule of rules) addRule(bits, rule)
  return { bits, from: first >>> 5, to: (last >>> 5) + 1 }
}

/** What a plane looks a known fact up by; `undefined` where the fact rules nothing out. */
function valueFor(plane: IndexPlane, frame: Frame, layout: Layout): Key | undefined {
  const state = frame.at(plane.slot)
  if (state.state !== 'known') return undefined
  if (plane.takes === 'number') {
    const number = frame.numbers[plane.slot] as number
    return Number.isNaN(number) ? undefined : number
  }
  const type = layout.types[plane.slot]
  return type === undefined ? undefined : keyOf(type, state.value)
}

/** One plane for each fact and way of testing it. Of two tests of the same kind in a rule, the stricter counts. */
function planesOf(testsOfRules: readonly (readonly NecessaryTest[])[]): readonly IndexPlane[] {
  const groups = new Map<string, { test: NecessaryTest; rule: number }[]>()
  for (const [rule, tests] of testsOfRules.entries()) {
    const strictest = new Map<string, NecessaryTest>()
    for (const test of tests) {
      const name = `${test.kind} ${test.slot}`
      const other = strictest.get(name)
      if (other === undefined || isStricter(test, other)) strictest.set(name, test)
    }
    for (const [name, test] of strictest) {
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [{ test, rule }])
      else group.push({ test, rule })
    }
  }
  return [...groups.values()].map(planeOf)
}

function isStricter(one: NecessaryTest, other: NecessaryTest): boolean {
  if ('keys' in one) return 'keys' in other && one.keys.length < other.keys.length
  if (!('bound' in other)) return false
  return one.kind === 'at least' ? one.bound > other.bound : one.bound < other.bound
}

function planeOf(entries: readonly { test: NecessaryTest; rule: number }[]): IndexPlane {
  const slot = entries[0]?.test.slot ?? 0
  const kind = entries[0]?.test.kind
  if (kind === 'at least' || kind === 'at most') {
    const bounds = entries.flatMap(({ test, rule }) => ('bound' in test ? [{ rule, bound: test.bound }] : []))
    return boundPlane(slot, kind, bounds)
  }
  return keyPlane(
    slot,
    entries.flatMap(({ test, rule }) => ('keys' in test ? [{ rule, keys: test.keys }] : [])),
  )
}
