import { compareText } from '../domain/compare-text.ts'
import type { Episode } from '../domain/episode.ts'
import type { FactVersion } from '../domain/fact.ts'
import { pointerPart } from '../domain/json-pointer.ts'
import { nearestName, suggestion } from '../domain/nearest-name.ts'
import type { FactDeclaration, PackContent } from '../domain/policy.ts'
import { type DecisionRequest, JsonNumber, type RawValue, ReadingInput } from '../domain/request.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import { Failure, type Fault } from '../errors.ts'
import { typeValue } from '../rules/typed-value.ts'
import { describeReading } from './describe-reading.ts'
import { contentOf, perceiveEpisode } from './perceive-episode.ts'
import { stampConfidence, trustIn } from './stamp-confidence.ts'
import { whyNotPast } from './why-not-past.ts'

/** What a request adds to memory; nothing of it is stored yet. */
export interface Perception {
  readonly newFacts: readonly FactVersion[]
  readonly newEpisodes: readonly Episode[]
}

export interface PerceiveContext {
  readonly content: PackContent
  readonly isEventType: (name: string) => boolean
  readonly eventTypeNames: readonly string[]
  /** Versions already in the application's memory. */
  readonly facts: readonly FactVersion[]
  /** Episodes already stored for the subject. */
  readonly episodes: readonly Episode[]
  readonly asOfMs: number
}

/** How far a caller's clock may be ahead of ours before a time counts as lying in the future. */
export const clockSkewMs = 5 * 60_000

const factsMax = 2000

/**
 * Types and normalises a request's facts and episodes against the pack and stamps their confidence. All faults are
 * gathered; any one refuses the whole request (`REQUEST_INVALID` with JSON pointers).
 */
export function perceive(request: DecisionRequest, context: PerceiveContext): Perception {
  const faults: Fault[] = []
  checkReceivedAt(request, context, faults)
  const readings = readingsOf(request, context, faults)
  const newEpisodes = (request.episodes ?? []).flatMap((input, index) => {
    const episode = perceiveEpisode(input, `/episodes/${index}`, request.subject?.id, context, faults)
    return episode === undefined ? [] : [episode]
  })
  refuseTwins(newEpisodes, faults)
  if (faults.length > 0) throw new Failure('REQUEST_INVALID', faults)
  return {
    newFacts: number(readings, request.application_id, context),
    newEpisodes: dropKnown(newEpisodes, context),
  }
}

type Unnumbered = Omit<FactVersion, 'version' | 'application_id' | 'recorded_at'>

function checkReceivedAt(request: DecisionRequest, context: PerceiveContext, faults: Fault[]): void {
  const receivedAtMs = readInstant(request.received_at) ?? Number.NaN
  if (receivedAtMs > context.asOfMs + clockSkewMs) {
    const why = `\`${request.received_at}\` lies in the future; the service's clock reads ${writeInstant(context.asOfMs)}`
    faults.push({ at: '/received_at', why })
  }
}

function readingsOf(request: DecisionRequest, context: PerceiveContext, faults: Fault[]): Unnumbered[] {
  const { facts, derived, memory } = context.content.facts
  const entries = Object.entries(request.facts)
  if (entries.length > factsMax) {
    faults.push({
      at: '/facts',
      why: `${entries.length} facts were posted; at most ${factsMax} are read at once`,
    })
    return []
  }
  return entries.flatMap(([fact, raw]) => {
    const at = `/facts/${pointerPart(fact)}`
    const declaration = Object.hasOwn(facts, fact) ? facts[fact] : undefined
    if (declaration !== undefined) return readingsOfFact(fact, declaration, raw, at, context, faults)
    if (Object.hasOwn(derived ?? {}, fact) || Object.hasOwn(memory ?? {}, fact)) {
      faults.push({
        at,
        why: `\`${fact}\` is worked out by the policy; post the facts it is made of instead`,
      })
    } else {
      const near = nearestName(fact, Object.keys(facts))
      const hint =
        near === undefined ? 'facts.yaml of the policy lists the facts it knows' : `did you mean \`${near}\`?`
      faults.push({ at, why: `there is no fact \`${fact}\` in policy \`${request.policy}\`; ${hint}` })
    }
    return []
  })
}

/** One bare value, one reading `{value, …}`, or for facts that are no lists several readings in an array. */
function readingsOfFact(
  fact: string,
  declaration: FactDeclaration,
  raw: RawValue,
  at: string,
  context: PerceiveContext,
  faults: Fault[],
): Unnumbered[] {
  const several = Array.isArray(raw) && declaration.type !== 'list'
  const list: readonly RawValue[] = several ? (raw as readonly RawValue[]) : [raw]
  if (several && (list.length === 0 || list.length > 50)) {
    faults.push({ at, why: `expected 1 to 50 readings; got ${list.length}` })
    return []
  }
  return list.flatMap((one, index) => {
    const here = several ? `${at}/${index}` : at
    const reading = asReading(one, here, faults)
    if (reading === undefined) return []
    const made = makeReading(
      fact,
      declaration,
      reading,
      isReading(one) ? here : undefined,
      here,
      context,
      faults,
    )
    return made === undefined ? [] : [made]
  })
}

function isReading(raw: RawValue): raw is { readonly [key: string]: RawValue } {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof JsonNumber)
}

function asReading(raw: RawValue, at: string, faults: Fault[]): ReadingInput | undefined {
  if (!isReading(raw)) return { value: raw }
  const parsed = ReadingInput.safeParse(raw)
  if (parsed.success) return parsed.data
  faults.push(...describeReading(parsed.error.issues, raw, at))
  return undefined
}

function makeReading(
  fact: string,
  declaration: FactDeclaration,
  reading: ReadingInput,
  readingAt: string | undefined,
  at: string,
  context: PerceiveContext,
  faults: Fault[],
): Unnumbered | undefined {
  const before = faults.length
  const { sources, policy } = context.content
  const source = reading.source ?? sources.caller
  const trust = trustIn(sources, source, fact, declaration)
  if (trust === undefined) {
    const near = nearestName(source, Object.keys(sources.sources))
    const hint =
      near === undefined
        ? `known: ${Object.keys(sources.sources).sort().join(', ')}`
        : `did you mean \`${near}\`?`
    faults.push({ at: `${at}/source`, why: `there is no source \`${source}\` in sources.yaml; ${hint}` })
  }
  const methodDefault = reading.method === undefined ? undefined : own(sources.methods, reading.method)
  if (reading.method !== undefined && methodDefault === undefined) {
    const known = Object.keys(sources.methods).sort().join(', ')
    faults.push({
      at: `${at}/method`,
      why: `there is no method \`${reading.method}\` in sources.yaml; known: ${known}`,
    })
  }
  if (reading.unit !== undefined && reading.unit !== declaration.unit) {
    const right = declaration.unit === undefined ? 'no unit' : `\`${declaration.unit}\``
    faults.push({ at: `${at}/unit`, why: `expected ${right}; got \`${reading.unit}\`` })
  }
  const observedAtMs =
    reading.observed_at === undefined ? context.asOfMs : (readInstant(reading.observed_at) ?? Number.NaN)
  if (observedAtMs > context.asOfMs + clockSkewMs) {
    const why = `\`${reading.observed_at}\` lies in the future; the service's clock reads ${writeInstant(context.asOfMs)}`
    faults.push({ at: `${at}/observed_at`, why })
  }
  if (reading.corrects !== undefined && !Object.hasOwn(sources.sources, reading.corrects)) {
    const hint = suggestion(reading.corrects, Object.keys(sources.sources))
    faults.push({
      at: `${at}/corrects`,
      why: `there is no source \`${reading.corrects}\` in sources.yaml${hint}`,
    })
  }
  const typed = typeValue(declaration, reading.value, policy.zone)
  if ('why' in typed) {
    faults.push({ at: readingAt === undefined ? at : `${at}/value`, why: typed.why })
  } else if ('value' in typed) {
    const why = whyNotPast(declaration, typed.value, policy.zone, context.asOfMs)
    if (why !== undefined) faults.push({ at: readingAt === undefined ? at : `${at}/value`, why })
  }
  if (faults.length > before || 'why' in typed || trust === undefined) return undefined
  // An unlisted value of an enumeration that declares so is no value at all: nothing is stored, the fact stays unknown.
  if ('unlisted' in typed) return undefined
  return {
    fact,
    type: declaration.type,
    value: typed.value,
    unit: declaration.unit ?? null,
    confidence: stampConfidence(reading.confidence, methodDefault, trust),
    source,
    method: reading.method ?? null,
    corrects: reading.corrects ?? null,
    observed_at: writeInstant(Math.min(observedAtMs, context.asOfMs)),
  }
}

/** Gives each new reading the next version of its fact; one that memory holds already is not written again. */
function number(
  readings: readonly Unnumbered[],
  applicationId: string,
  context: PerceiveContext,
): FactVersion[] {
  const held = new Set(context.facts.map((version) => identityOf(version)))
  const next = new Map<string, number>()
  for (const { fact, version } of context.facts) next.set(fact, Math.max(next.get(fact) ?? 0, version))
  const recordedAt = writeInstant(context.asOfMs)
  const numbered: FactVersion[] = []
  const named = readings.map((reading) => ({ reading, identity: identityOf(reading) }))
  for (const { reading, identity } of named.sort((one, other) => compareText(one.identity, other.identity))) {
    if (held.has(identity)) continue
    held.add(identity)
    const version = (next.get(reading.fact) ?? 0) + 1
    next.set(reading.fact, version)
    numbered.push({ application_id: applicationId, version, recorded_at: recordedAt, ...reading })
  }
  return numbered
}

function identityOf(reading: Unnumbered): string {
  const { fact, source, observed_at, method, unit, confidence, corrects, value } = reading
  return JSON.stringify([fact, source, observed_at, method, unit, confidence, corrects, value])
}

function refuseTwins(episodes: readonly Episode[], faults: Fault[]): void {
  const contents = new Map<string, string>()
  for (const episode of episodes) {
    const content = contentOf(episode)
    const before = contents.get(episode.episode_id)
    if (before !== undefined && before !== content) {
      const why = `episode \`${episode.episode_id}\` is posted twice with different content; give each its own \`id\``
      faults.push({ at: '/episodes', why })
    }
    contents.set(episode.episode_id, content)
  }
}

function dropKnown(episodes: readonly Episode[], context: PerceiveContext): Episode[] {
  const held = new Set(context.episodes.map((episode) => episode.episode_id))
  const fresh = new Map<string, Episode>()
  for (const episode of episodes) if (!held.has(episode.episode_id)) fresh.set(episode.episode_id, episode)
  return [...fresh.values()].sort((one, other) => compareText(one.episode_id, other.episode_id))
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
