import type { GraphOperation } from '../domain/change-set.ts'
import type { EdgeVersion, EventTypeVersion, Interval, RegulationVersion } from '../domain/knowledge.ts'
import { openEndMs, readDate, readInstant, startOfDateMs, tauDaysDefault } from '../domain/time.ts'
import type { CausalEdge } from './knowledge.ts'

/** Milliseconds of the open beginning: earlier than every instant. */
export const sinceEverMs = Number.MIN_SAFE_INTEGER

/** Everything known so far, while operations are being applied. Values are replaced, never changed. */
export interface GraphState {
  readonly eventTypes: Map<string, readonly EventTypeVersion[]>
  readonly edges: Map<string, CausalEdge>
  readonly regulations: Map<string, readonly RegulationVersion[]>
}

/** Epoch milliseconds of an instant, or of the start of a day in the change set's zone. */
export function whenMs(when: string, zone: string): number {
  const day = readDate(when)
  const atMs = day === undefined ? readInstant(when) : startOfDateMs(day, zone)
  if (atMs === undefined) throw new TypeError(`neither a day nor an instant: \`${when}\``)
  return atMs
}

/** The interval that an operation states; left out, it is open at that end. */
export function intervalOf(
  operation: { readonly valid_from?: string | undefined; readonly valid_until?: string | undefined },
  zone: string,
): Interval {
  return {
    fromMs: operation.valid_from === undefined ? sinceEverMs : whenMs(operation.valid_from, zone),
    untilMs: operation.valid_until === undefined ? openEndMs : whenMs(operation.valid_until, zone),
  }
}

/** Applies one checked operation. Meeting an unknown id here is a bug, since writing checks every operation. */
export function applyOperation(state: GraphState, operation: GraphOperation, zone: string): void {
  switch (operation.op) {
    case 'add_event_type': {
      const earlier = state.eventTypes.get(operation.id) ?? []
      const added: EventTypeVersion = {
        id: operation.id,
        isA: operation.is_a ?? [],
        tauDays: operation.tau_days ?? tauDaysDefault,
        text: operation.text,
        valid: intervalOf(operation, zone),
      }
      state.eventTypes.set(operation.id, [...earlier, added])
      return
    }
    case 'retire_event_type': {
      const versions = found(state.eventTypes.get(operation.id), operation.id)
      state.eventTypes.set(operation.id, endLast(versions, whenMs(operation.valid_until, zone)))
      return
    }
    case 'add_edge': {
      const { id, from, relation, to } = operation
      const first = versionOf(operation, { id, from, relation, to, version: 1 }, zone)
      state.edges.set(id, { id, from, relation, to, versions: [first] })
      return
    }
    case 'revise_edge': {
      const edge = found(state.edges.get(operation.id), operation.id)
      const { id, from, relation, to } = edge
      const closed = endLast(edge.versions, whenMs(operation.valid_from, zone))
      const next = versionOf(operation, { id, from, relation, to, version: closed.length + 1 }, zone)
      state.edges.set(id, { ...edge, versions: [...closed, next] })
      return
    }
    case 'expire_edge': {
      const edge = found(state.edges.get(operation.id), operation.id)
      const versions = endLast(edge.versions, whenMs(operation.valid_until, zone))
      state.edges.set(operation.id, { ...edge, versions })
      return
    }
    case 'add_regulation': {
      const { id, title, issuer } = operation
      const added = { id, title, issuer, supersededBy: null, valid: intervalOf(operation, zone) }
      state.regulations.set(id, [...(state.regulations.get(id) ?? []), added])
      return
    }
    case 'supersede_regulation': {
      const versions = found(state.regulations.get(operation.id), operation.id)
      const ended = endLast(versions, whenMs(operation.valid_until, zone))
      const last = found(ended.at(-1), operation.id)
      const superseded = { ...last, supersededBy: operation.superseded_by ?? null }
      state.regulations.set(operation.id, [...ended.slice(0, -1), superseded])
      return
    }
  }
}

type EdgeNumbers = Pick<
  Extract<GraphOperation, { op: 'add_edge' }>,
  'strength' | 'confidence' | 'min_confidence' | 'recurrence' | 'source' | 'valid_from' | 'valid_until'
>

function versionOf(
  operation: EdgeNumbers,
  identity: Pick<EdgeVersion, 'id' | 'from' | 'relation' | 'to' | 'version'>,
  zone: string,
): EdgeVersion {
  return {
    ...identity,
    strength: operation.strength,
    confidence: operation.confidence,
    minConfidence: operation.min_confidence ?? 0,
    recurrence: operation.recurrence ?? null,
    source: operation.source,
    valid: intervalOf(operation, zone),
  }
}

/** Closes the last version at an instant, unless it ends before anyway. */
function endLast<T extends { readonly valid: Interval }>(versions: readonly T[], untilMs: number): T[] {
  return versions.map((version, at) =>
    at === versions.length - 1
      ? { ...version, valid: { ...version.valid, untilMs: Math.min(version.valid.untilMs, untilMs) } }
      : version,
  )
}

function found<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new TypeError(`an applied operation names \`${id}\`, which was never added`)
  return value
}
