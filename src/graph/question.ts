import { compareText } from '../domain/compare-text.ts'
import type { Episode, Finding } from '../domain/episode.ts'
import { readInstant } from '../domain/time.ts'

interface StartFields {
  /** Names the start in answers; unique within a question. */
  readonly key: string
  readonly type: string
  readonly confidence: number
}

/** What a chain may start from, and what may prevent. */
export type SearchStart =
  | (StartFields & {
      readonly kind: 'finding'
      readonly rule: string
      /** The only outcome event its chains may end at; null: it starts none, but may prevent. */
      readonly toward: string | null
      /** The fact with the smallest confidence behind it. */
      readonly weakest: string | null
      /** Null: now, temporal weight 1. */
      readonly occurredAtMs: number | null
      readonly mayPrevent: boolean
    })
  | (StartFields & {
      readonly kind: 'episode'
      readonly episodeId: string
      readonly occurredAtMs: number
      readonly mayPrevent: boolean
    })

export interface OutcomeEvent {
  readonly event: string
  readonly threshold: number
}

/** One question to the causal knowledge. Nothing but its content bears on the answer, not even the order of its lists. */
export interface SearchQuestion {
  readonly starts: readonly SearchStart[]
  readonly outcomes: readonly OutcomeEvent[]
  /** The subject's episodes, for recurrence. */
  readonly history: readonly Episode[]
  readonly asOfMs: number
  readonly receivedAtMs: number
  /** A start below it prevents nothing. */
  readonly minConfidence: number
  /** The search stops when it has examined this many edges and would need another; null: no limit. */
  readonly edgesExaminedMax: number | null
  /** Asked before every 256th edge in live use: false stops the search there. Left out on replay. */
  readonly mayContinue?: () => boolean
}

/** The starts that a decision's findings and a subject's episodes give, the episodes as they count at `asOfMs`. */
export function startsOf(
  findings: readonly Finding[],
  episodes: readonly Episode[],
  asOfMs: number,
): readonly SearchStart[] {
  return [
    ...findings.map(startOfFinding),
    ...episodes.filter((episode) => countsAt(episode, asOfMs)).map(startOfEpisode),
  ].sort(compareStarts)
}

/** An episode counts from when it happened until its end; later than `asOfMs` it does not exist yet. */
export function countsAt(episode: Episode, asOfMs: number): boolean {
  if (instantMs(episode.occurred_at) > asOfMs) return false
  return episode.valid_until === null || instantMs(episode.valid_until) > asOfMs
}

/** Epoch milliseconds of an instant that a schema has already checked. */
export function instantMs(text: string): number {
  const atMs = readInstant(text)
  if (atMs === undefined) throw new TypeError(`not an instant: \`${text}\``)
  return atMs
}

/** The one order in which starts are searched, whatever order they came in. */
export function compareStarts(a: SearchStart, b: SearchStart): number {
  return (
    compareText(a.key, b.key) ||
    compareText(a.kind, b.kind) ||
    compareText(a.type, b.type) ||
    compareText(towardOf(a) ?? '', towardOf(b) ?? '') ||
    b.confidence - a.confidence ||
    (b.occurredAtMs ?? Number.MAX_SAFE_INTEGER) - (a.occurredAtMs ?? Number.MAX_SAFE_INTEGER)
  )
}

function towardOf(start: SearchStart): string | null {
  return start.kind === 'finding' ? start.toward : null
}

function startOfFinding(finding: Finding): SearchStart {
  const aim = finding.toward === null ? '' : ` toward ${finding.toward}`
  return {
    kind: 'finding',
    key: `${finding.type} of ${finding.rule}${aim}`,
    type: finding.type,
    rule: finding.rule,
    toward: finding.toward,
    weakest: finding.weakest,
    confidence: finding.confidence,
    occurredAtMs: finding.occurred_at === null ? null : instantMs(finding.occurred_at),
    mayPrevent: finding.may_prevent,
  }
}

function startOfEpisode(episode: Episode): SearchStart {
  return {
    kind: 'episode',
    key: episode.episode_id,
    episodeId: episode.episode_id,
    type: episode.type,
    confidence: episode.confidence,
    occurredAtMs: instantMs(episode.occurred_at),
    mayPrevent: true,
  }
}
