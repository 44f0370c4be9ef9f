import { compareText } from '../domain/compare-text.ts'
import { dateInZone, dayMs } from '../domain/time.ts'
import type { RuleSet } from './rule-set.ts'

/** Numbers the stretches of days between which the versions in force change. */
export interface InForcePeriods {
  /** The stretch that holds an instant: the same versions are in force at any two instants of it. */
  readonly periodAt: (receivedAtMs: number) => number
}

/** Stretches of a rule set, by the days on which some version comes into or goes out of force. */
export function inForcePeriods({ rules, policy }: Pick<RuleSet, 'rules' | 'policy'>): InForcePeriods {
  const named = new Set<string>()
  for (const { rule } of rules.values()) {
    const { from, until } = rule.effective ?? {}
    if (from !== undefined) named.add(from)
    if (until !== undefined) named.add(until)
  }
  const days = [...named].sort(compareText)
  const daysMs = days.map((day) => Date.parse(day))
  return {
    periodAt: (receivedAtMs) => {
      // No zone is a whole day away from UTC, so only an instant near a day has to be asked for its date.
      const passed = countWhile(daysMs, (dayStart) => dayStart + dayMs <= receivedAtMs)
      if ((daysMs[passed] ?? Number.POSITIVE_INFINITY) - dayMs > receivedAtMs) return passed
      const date = dateInZone(receivedAtMs, policy.zone)
      return countWhile(days, (day) => day <= date)
    },
  }
}

/** How many at the start of a sorted list hold. */
function countWhile<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(list[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}
