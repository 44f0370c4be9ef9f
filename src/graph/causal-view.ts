import type { Relation } from '../domain/knowledge.ts'
import { dayMs } from '../domain/time.ts'
import { type EventTypesAt, eventTypesAt } from './event-types-at.ts'
import type { CausalEdge, EdgeIndex, Knowledge } from './knowledge.ts'
import { countsAt, instantMs, type SearchQuestion } from './question.ts'
import { type EdgeReading, readEdge } from './strength.ts'

/**
 * The neighbour look-up that the search walks by. Lists hold an edge once, in an order (by type, then
 * edge id) that does not depend on how the knowledge was put together.
 */
export interface CausalView {
  readonly types: EventTypesAt
  /** Edges that lead on from a node: its own, and those of every type it is a kind of. */
  edgesFrom(relation: Relation, node: string): readonly EdgeReading[]
  /** Edges that lead to a node, or to a type it is a kind of. */
  edgesTo(relation: Relation, node: string): readonly EdgeReading[]
}

/** Knowledge as it stands for one question. Each edge is read once, when it is first met. */
export function viewKnowledge(
  knowledge: Knowledge,
  question: Pick<SearchQuestion, 'receivedAtMs' | 'asOfMs' | 'history'>,
): CausalView {
  const types = eventTypesAt(knowledge.eventTypes, question.receivedAtMs)
  const countEpisodes = episodeCounter(question, types)
  const circumstances = { receivedAtMs: question.receivedAtMs, types, countEpisodes }
  const readings = new Map<string, EdgeReading | undefined>()
  const neighbours = new Map<string, readonly EdgeReading[]>()

  function read(edge: CausalEdge): EdgeReading | undefined {
    if (!readings.has(edge.id)) readings.set(edge.id, readEdge(edge, circumstances))
    return readings.get(edge.id)
  }
  function lookUp(index: EdgeIndex, name: string, node: string): readonly EdgeReading[] {
    const key = `${name} ${node}`
    const known = neighbours.get(key)
    if (known !== undefined) return known
    const list = types
      .ancestors(node)
      .flatMap((type) => index.get(type) ?? [])
      .map(read)
      .filter((reading) => reading !== undefined)
    neighbours.set(key, list)
    return list
  }
  return {
    types,
    edgesFrom: (relation, node) => lookUp(knowledge.edgesFrom[relation], `${relation} from`, node),
    edgesTo: (relation, node) => lookUp(knowledge.edgesTo[relation], `${relation} to`, node),
  }
}

/** Counts the subject's episodes by type or supertype; an episode counts once, however often it was handed in. */
function episodeCounter(
  { history, asOfMs }: Pick<SearchQuestion, 'history' | 'asOfMs'>,
  types: EventTypesAt,
): (type: string, withinDays: number) => number {
  const agesMs = new Map<string, number[]>()
  const counted = new Set<string>()
  for (const episode of history) {
    if (counted.has(episode.episode_id) || !countsAt(episode, asOfMs)) continue
    counted.add(episode.episode_id)
    const ageMs = asOfMs - instantMs(episode.occurred_at)
    for (const type of types.ancestors(episode.type)) {
      const ages = agesMs.get(type)
      if (ages === undefined) agesMs.set(type, [ageMs])
      else ages.push(ageMs)
    }
  }
  return (type, withinDays) => (agesMs.get(type) ?? []).filter((ageMs) => ageMs <= withinDays * dayMs).length
}
