import { compareText } from '../domain/compare-text.ts'
import { readDecimal, writeDecimal } from '../domain/decimal.ts'
import type { Episode } from '../domain/episode.ts'
import type { FactValue } from '../domain/fact.ts'
import { nearestName } from '../domain/nearest-name.ts'
import type { PackContent } from '../domain/policy.ts'
import { type EpisodeInput, JsonNumber, type RawValue } from '../domain/request.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import type { Fault } from '../errors.ts'
import { stampConfidence } from './stamp-confidence.ts'

interface EpisodeContext {
  readonly content: PackContent
  readonly isEventType: (name: string) => boolean
  readonly eventTypeNames: readonly string[]
  readonly episodes: readonly Episode[]
  readonly asOfMs: number
}

/**
 * Checks and stamps one posted episode. Its identity is the caller's id, else subject, type, time and source; the
 * same identity with other content than is stored is a fault, with equal content it is the stored one again.
 */
export function perceiveEpisode(
  input: EpisodeInput,
  at: string,
  subjectId: string | undefined,
  context: EpisodeContext,
  faults: Fault[],
): Episode | undefined {
  const before = faults.length
  const { sources } = context.content
  if (subjectId === undefined)
    faults.push({ at: '/subject', why: 'episodes belong to a subject; add `"subject": {"id": …}`' })
  if (!context.isEventType(input.type)) {
    const near = nearestName(input.type, context.eventTypeNames)
    const hint =
      near === undefined ? 'the graph names the event types there are' : `did you mean \`${near}\`?`
    faults.push({ at: `${at}/type`, why: `there is no event type \`${input.type}\`; ${hint}` })
  }
  const source = input.source ?? sources.caller
  const declared = Object.hasOwn(sources.sources, source) ? sources.sources[source] : undefined
  if (declared === undefined) {
    const known = Object.keys(sources.sources).sort().join(', ')
    faults.push({
      at: `${at}/source`,
      why: `there is no source \`${source}\` in sources.yaml; known: ${known}`,
    })
  }
  const occurredAt = writeInstant(readInstant(input.occurred_at) ?? Number.NaN)
  if (occurredAt > writeInstant(context.asOfMs)) {
    const why = `\`${input.occurred_at}\` lies in the future; the service's clock reads ${writeInstant(context.asOfMs)}`
    faults.push({ at: `${at}/occurred_at`, why })
  }
  const validUntil =
    input.valid_until === undefined ? null : writeInstant(readInstant(input.valid_until) ?? Number.NaN)
  if (validUntil !== null && validUntil <= occurredAt) {
    faults.push({
      at: `${at}/valid_until`,
      why: `expected a time after \`occurred_at\`; got \`${input.valid_until}\``,
    })
  }
  const attributes = attributesOf(input, at, faults)
  if (faults.length > before || declared === undefined || subjectId === undefined) return undefined
  const episode: Episode = {
    subject_id: subjectId,
    episode_id: input.id ?? [subjectId, input.type, occurredAt, source].join('|'),
    type: input.type,
    occurred_at: occurredAt,
    valid_until: validUntil,
    confidence: stampConfidence(input.confidence, undefined, declared.trust),
    source,
    attributes,
    recorded_at: writeInstant(context.asOfMs),
  }
  const stored = context.episodes.find((one) => one.episode_id === episode.episode_id)
  if (stored !== undefined && contentOf(stored) !== contentOf(episode)) {
    const why = `episode \`${episode.episode_id}\` is stored with other content; an episode never changes, post a new id`
    faults.push({ at, why })
  }
  return episode
}

/** Everything of an episode but when it was recorded. */
export function contentOf(episode: Episode): string {
  const { type, occurred_at, valid_until, confidence, source, attributes } = episode
  const sorted = Object.entries(attributes).sort(([one], [other]) => compareText(one, other))
  return JSON.stringify([type, occurred_at, valid_until, confidence, source, sorted])
}

function attributesOf(input: EpisodeInput, at: string, faults: Fault[]): Record<string, FactValue> {
  const attributes: Record<string, FactValue> = {}
  for (const [name, raw] of Object.entries(input.attributes ?? {}).sort(([one], [other]) =>
    compareText(one, other),
  )) {
    const value = attributeValue(raw)
    if (value === undefined) {
      const why = 'expected text, true, false, or a number of at most 34 digits'
      faults.push({ at: `${at}/attributes/${name}`, why })
    } else {
      attributes[name] = value
    }
  }
  return attributes
}

function attributeValue(raw: RawValue): FactValue | undefined {
  if (typeof raw === 'boolean') return raw
  if (typeof raw === 'string') return raw.length <= 1000 ? raw : undefined
  if (!(raw instanceof JsonNumber)) return undefined
  const decimal = readDecimal(raw.text)
  return decimal === undefined ? undefined : writeDecimal(decimal)
}
