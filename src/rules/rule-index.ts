import type { Frame, Layout } from './frame.ts'
import { boundPlane, type IndexPlane, keyPlane } from './index-plane.ts'
import { keyOf, type NecessaryTest } from './necessary-tests.ts'
import { allRules, type RuleBits } from './rule-bits.ts'

/**
 * Finds which rules of a list a decision has to look at: those of which no necessary test is false. A fact that is
 * unknown, none or in error makes no test false. The order of a rule's conditions does not matter.
 */
export interface RuleIndex {
  /** Places of the rules to look at. */
  readonly candidates: (frame: Frame) => RuleBits
}

export function indexRules(testsOfRules: readonly (readonly NecessaryTest[])[], layout: Layout): RuleIndex {
  const planes = planesOf(testsOfRules)
  const all = allRules(testsOfRules.length)
  return {
    candidates: (frame) => {
      const bits = all.slice()
      for (const plane of planes) narrow(bits, plane, frame, layout)
      return bits
    },
  }
}

function narrow(bits: RuleBits, plane: IndexPlane, frame: Frame, layout: Layout): void {
  const state = frame.at(plane.slot)
  if (state.state !== 'known') return
  const number = frame.numbers[plane.slot] as number
  if (plane.takes === 'number') {
    if (!Number.isNaN(number)) plane.narrow(bits, number)
    return
  }
  const type = layout.types[plane.slot]
  const key = type === undefined ? undefined : keyOf(type, state.value)
  if (key !== undefined) plane.narrow(bits, key)
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
