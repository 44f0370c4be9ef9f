import { clockSkewMs, perceive } from '../agents/perceive.ts'
import { compareText } from '../domain/compare-text.ts'
import type { DecisionRequest } from '../domain/request.ts'
import { readInstant } from '../domain/time.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Memory, SaltedEpisode, SaltedFact } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** A request seen beside what memory holds; nothing of it is stored yet. */
export interface Perceived {
  readonly asOfMs: number
  readonly newFacts: readonly SaltedFact[]
  readonly newEpisodes: readonly SaltedEpisode[]
  /** Memory with what is new, as the decision sees it. */
  readonly facts: readonly SaltedFact[]
  readonly episodes: readonly SaltedEpisode[]
}

/**
 * Reads a request against memory at one clock reading. The reading never falls behind what memory has recorded (a
 * clock that steps back must not let old news outweigh new) nor behind an episode posted within the clocks' skew.
 */
export function seeRequest(
  request: DecisionRequest,
  memory: Memory,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  deps: { readonly clock: Clock; readonly randomness: Randomness },
): Perceived {
  const asOfMs = clockReading(request, memory, deps.clock.nowMs())
  const { newFacts, newEpisodes } = perceive(request, {
    content: ruleSet.content,
    isEventType: (name) => knowledge.eventTypes.has(name),
    eventTypeNames: [...knowledge.eventTypes.keys()],
    facts: memory.facts.map((salted) => salted.fact),
    episodes: memory.episodes.map((salted) => salted.episode),
    asOfMs,
  })
  const saltedFacts = newFacts.map((fact) => ({ fact, salt: deps.randomness.saltHex() }))
  const saltedEpisodes = newEpisodes.map((episode) => ({ episode, salt: deps.randomness.saltHex() }))
  return {
    asOfMs,
    newFacts: saltedFacts,
    newEpisodes: saltedEpisodes,
    facts: [...memory.facts, ...saltedFacts].sort(byFactVersion),
    episodes: [...memory.episodes, ...saltedEpisodes].sort(byEpisodeId),
  }
}

function byFactVersion(one: SaltedFact, other: SaltedFact): number {
  return compareText(one.fact.fact, other.fact.fact) || one.fact.version - other.fact.version
}

function byEpisodeId(one: SaltedEpisode, other: SaltedEpisode): number {
  return compareText(one.episode.episode_id, other.episode.episode_id)
}

function clockReading(request: DecisionRequest, memory: Memory, nowMs: number): number {
  const recorded = [
    ...memory.facts.map(({ fact }) => fact),
    ...memory.episodes.map(({ episode }) => episode),
  ].map(({ recorded_at }) => readInstant(recorded_at) ?? nowMs)
  const posted = (request.episodes ?? [])
    .map(({ occurred_at }) => readInstant(occurred_at) ?? nowMs)
    .filter((atMs) => atMs <= nowMs + clockSkewMs)
  return [...recorded, ...posted].reduce((latest, atMs) => Math.max(latest, atMs), nowMs)
}
