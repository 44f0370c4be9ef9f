import { compareText } from '../domain/compare-text.ts'
import type { EventTypeVersion, Interval } from '../domain/knowledge.ts'
import { tauDaysDefault } from '../domain/time.ts'

/** How an event type stands at an instant; `unknown`: there is no such type at all. */
export type Standing = 'in force' | 'past' | 'not yet' | 'unknown'

/** The event types as they stand at one instant. */
export interface EventTypesAt {
  standing(type: string): Standing
  /** The type itself and every type it is a kind of, ordered by name. */
  ancestors(type: string): readonly string[]
  tauDays(type: string): number
}

/** The version in force at an instant, else the latest that had begun, else `undefined`. */
export function versionAt<T extends { readonly valid: Interval }>(
  versions: readonly T[],
  atMs: number,
): T | undefined {
  const begun = versions.filter(({ valid }) => valid.fromMs <= atMs)
  return begun.findLast(({ valid }) => atMs < valid.untilMs) ?? begun.at(-1)
}

/** Reads event types at an instant; what was asked once is remembered. */
export function eventTypesAt(
  eventTypes: ReadonlyMap<string, readonly EventTypeVersion[]>,
  atMs: number,
): EventTypesAt {
  const versions = new Map<string, EventTypeVersion | undefined>()
  const ancestors = new Map<string, readonly string[]>()

  function version(type: string): EventTypeVersion | undefined {
    if (!versions.has(type)) versions.set(type, versionAt(eventTypes.get(type) ?? [], atMs))
    return versions.get(type)
  }
  return {
    standing(type) {
      if (!eventTypes.has(type)) return 'unknown'
      const now = version(type)
      if (now === undefined) return 'not yet'
      return atMs < now.valid.untilMs ? 'in force' : 'past'
    },
    ancestors(type) {
      const known = ancestors.get(type)
      if (known !== undefined) return known
      // A type added to a set while it is walked is visited too; the set makes a circle harmless.
      const all = new Set([type])
      for (const one of all) for (const parent of version(one)?.isA ?? []) all.add(parent)
      const list = [...all].sort(compareText)
      ancestors.set(type, list)
      return list
    },
    tauDays: (type) => version(type)?.tauDays ?? tauDaysDefault,
  }
}
