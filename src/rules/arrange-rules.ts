import type { Key, NecessaryTest } from './necessary-tests.ts'

interface Testable {
  readonly necessary: readonly NecessaryTest[]
}

/** Fewer rules than this, or than this share of all, are not worth an index of their own. */
const partMin = 16
const partsMax = 64

/**
 * Parts rules by the fact whose keys tell most of them apart, those that remain by the next, and so on; rules with the
 * same key stand together, so that one value of the fact leaves a short stretch of its part. The last part holds the
 * rules that no such fact is left for.
 */
export function arrangeRules<Rule extends Testable>(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const parts: (readonly Rule[])[] = []
  const least = Math.max(partMin, rules.length / partsMax)
  let left = rules
  while (left.length >= least) {
    const slot = mostTelling(left, least)
    if (slot === undefined) break
    parts.push(
      left.filter((rule) => keyAt(rule, slot) !== undefined).sort((one, two) => byKey(one, two, slot)),
    )
    left = left.filter((rule) => keyAt(rule, slot) === undefined)
  }
  return left.length === 0 ? parts : [...parts, left]
}

/** The fact by which one value rules most of these rules out, if it tests enough of them. */
function mostTelling(rules: readonly Testable[], least: number): number | undefined {
  const bySlot = new Map<number, Map<Key, number>>()
  for (const rule of rules) {
    const slots = new Set(rule.necessary.flatMap((test) => (test.kind === 'one of' ? [test.slot] : [])))
    for (const slot of slots) {
      const counts = bySlot.get(slot) ?? new Map<Key, number>()
      bySlot.set(slot, counts)
      const key = keyAt(rule, slot)
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  let best: number | undefined
  let most = 0
  for (const [slot, counts] of bySlot) {
    const count = sumOf(counts.values())
    if (count < least) continue
    const ruledOut = count - sumOf([...counts.values()].map((each) => each * each)) / count
    if (ruledOut > most) {
      best = slot
      most = ruledOut
    }
  }
  return best
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

/** The first key that a rule needs of a fact. */
function keyAt(rule: Testable, slot: number): Key | undefined {
  for (const test of rule.necessary) if (test.kind === 'one of' && test.slot === slot) return test.keys[0]
  return undefined
}

function byKey(one: Testable, two: Testable, slot: number): number {
  const left = String(keyAt(one, slot))
  const right = String(keyAt(two, slot))
  return left < right ? -1 : left > right ? 1 : 0
}
