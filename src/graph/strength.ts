import type { EdgeVersion, Interval, Recurrence } from '../domain/knowledge.ts'
import { strengthCost } from './cost.ts'
import { type EventTypesAt, versionAt } from './event-types-at.ts'
import type { CausalEdge } from './knowledge.ts'

/** Greatest strength of an edge past its validity. */
const deprecatedStrengthMax = 0.1

/** How an edge stands for one question: how strong it is and why, or that it is broken. */
export type EdgeReading =
  | {
      readonly state: 'walkable'
      readonly edge: EdgeVersion
      readonly strength: number
      readonly cost: number
      readonly validity: 'in force' | 'deprecated'
      /** Number of episodes that made recurrence replace the base strength; null: it did not. */
      readonly recurred: number | null
    }
  | { readonly state: 'broken'; readonly edge: EdgeVersion }

export type WalkableEdge = Extract<EdgeReading, { state: 'walkable' }>

/** What an edge's strength depends on besides the edge. */
export interface Circumstances {
  readonly receivedAtMs: number
  readonly types: EventTypesAt
  /** Number of the subject's episodes of a type (or its subtypes) within so many days before `as_of`. */
  countEpisodes(type: string, withinDays: number): number
}

/**
 * Reads an edge: its version in force, else the latest that had begun as deprecated. `undefined`: it, or an event
 * type at one of its ends, did not exist yet.
 */
export function readEdge(edge: CausalEdge, circumstances: Circumstances): EdgeReading | undefined {
  const undated = edge.versions.find((version) => !isDated(version.valid))
  if (undated !== undefined) return { state: 'broken', edge: undated }
  const version = versionAt(edge.versions, circumstances.receivedAtMs)
  if (version === undefined) return undefined
  const ends = [circumstances.types.standing(edge.from), circumstances.types.standing(edge.to)]
  if (ends.includes('not yet')) return undefined
  if (ends.includes('unknown') || !isSound(version)) return { state: 'broken', edge: version }

  const recurred = recurrenceOf(version, circumstances)
  const base = recurred === null ? version.strength : recurred.strength
  const past = circumstances.receivedAtMs >= version.valid.untilMs || ends.includes('past')
  const strength = past ? Math.min(base, deprecatedStrengthMax) : base
  return {
    state: 'walkable',
    edge: version,
    strength,
    cost: strengthCost(strength),
    validity: past ? 'deprecated' : 'in force',
    recurred: recurred === null ? null : recurred.count,
  }
}

function recurrenceOf(
  version: EdgeVersion,
  circumstances: Circumstances,
): { readonly count: number; readonly strength: number } | null {
  if (version.recurrence === null) return null
  const { at_least, within_days, strength } = version.recurrence
  const count = circumstances.countEpisodes(version.from, within_days)
  return count >= at_least ? { count, strength } : null
}

// A store may hold what no write would accept: comparisons with NaN must never let an edge pass.
function isSound(version: EdgeVersion): boolean {
  return (
    isStrength(version.strength) &&
    isShare(version.confidence) &&
    isShare(version.minConfidence) &&
    (version.recurrence === null || isSoundRecurrence(version.recurrence))
  )
}

function isSoundRecurrence(recurrence: Recurrence): boolean {
  return (
    isStrength(recurrence.strength) &&
    Number.isInteger(recurrence.at_least) &&
    recurrence.at_least >= 1 &&
    Number.isFinite(recurrence.within_days) &&
    recurrence.within_days > 0
  )
}

function isDated({ fromMs, untilMs }: Interval): boolean {
  return Number.isSafeInteger(fromMs) && Number.isSafeInteger(untilMs)
}

function isStrength(value: unknown): boolean {
  return isShare(value) && value !== 0
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}
