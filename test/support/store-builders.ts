import { sha256 } from '../../src/audit/canonical.ts'
import {
  answerCommitment,
  episodeCommitment,
  factCommitment,
  subjectCommitment,
} from '../../src/audit/commitments.ts'
import type { AppliedMigration, AppliedOperation } from '../../src/domain/change-set.ts'
import type { Episode } from '../../src/domain/episode.ts'
import type { FactVersion } from '../../src/domain/fact.ts'
import type { DecisionWrite, Memory, SaltedEpisode, SaltedFact } from '../../src/ports/store.ts'

export const ruleSetText = '{"pack":"us-consumer"}'
export const ruleSetHash = sha256(ruleSetText)
const now = '2026-06-01T14:03:00.000Z'
const nothing: Memory = { facts: [], episodes: [], application: undefined }

/** 32 bytes of salt, the same for the same name. */
export function aSalt(name: string): string {
  return sha256(name).slice('sha256:'.length)
}

export function aFact(fields: Partial<FactVersion> = {}): SaltedFact {
  const fact: FactVersion = {
    application_id: 'app-1',
    fact: 'monthly_income',
    version: 1,
    type: 'money',
    value: '4000',
    unit: 'USD',
    confidence: 0.97,
    source: 'payroll_api',
    method: null,
    corrects: null,
    observed_at: '2026-05-29T10:00:00Z',
    recorded_at: now,
    ...fields,
  }
  return { fact, salt: aSalt(`${fact.application_id} ${fact.fact} ${fact.version}`) }
}

export function anEpisode(fields: Partial<Episode> = {}): SaltedEpisode {
  const episode: Episode = {
    subject_id: 'cust-1',
    episode_id: 'ep-1',
    type: 'credit_overdue',
    occurred_at: '2026-04-30T00:00:00Z',
    valid_until: null,
    confidence: 0.99,
    source: 'credit_bureau',
    attributes: { days_overdue: '32' },
    recorded_at: now,
    ...fields,
  }
  return { episode, salt: aSalt(`${episode.subject_id} ${episode.episode_id}`) }
}

/** A decision on what `seen` held and what is new, its record committing to all of it. */
export function aWrite(
  fields: Partial<DecisionWrite> & { readonly decisionId: string },
  seen: Memory = nothing,
): DecisionWrite {
  const {
    decisionId,
    applicationId = 'app-1',
    subjectId,
    newFacts = [],
    newEpisodes = [],
    time = now,
  } = fields
  const subjectSalt = subjectId === undefined ? undefined : aSalt(`subject ${decisionId}`)
  const answer = { text: `{"decision":"approve","decision_id":"${decisionId}"}`, salt: aSalt(decisionId) }
  const episodes = new Map([...newEpisodes, ...seen.episodes].map((one) => [one.episode.episode_id, one]))
  return {
    applicationId,
    subjectId,
    subjectSalt,
    factsSeen: seen.facts.length,
    episodesSeen: seen.episodes.length,
    decisionsSeen: seen.application?.decisions ?? 0,
    newFacts,
    newEpisodes,
    actor: 'underwriter',
    time,
    answer,
    body: {
      kind: 'decision',
      payload: {
        decision_id: decisionId,
        application_id: applicationId,
        subject:
          subjectId === undefined ? null : subjectCommitment(subjectId, aSalt(`subject ${decisionId}`)),
        decision: 'approve',
        policy: 'us-consumer',
        rule_set: ruleSetHash,
        graph_position: { migration: null, sequence: 0 },
        received_at: now,
        as_of: now,
        known_at: now,
        consents: [],
        facts: [...seen.facts, ...newFacts].map((salted) => ({
          fact: salted.fact.fact,
          version: salted.fact.version,
          commitment: factCommitment(salted),
        })),
        episodes: [...episodes.values()].map(episodeCommitment),
        edges_examined_max: null,
        fired: [],
        answer: answerCommitment(answer),
        engine: '0.1.0',
      },
    },
    ...fields,
  }
}

export function aMigration(
  number: number,
  firstSequence: number,
  count: number,
): [AppliedMigration, AppliedOperation[]] {
  const migration = `V${String(number).padStart(4, '0')}`
  const operations = Array.from(
    { length: count },
    (_, index): AppliedOperation => ({
      sequence: firstSequence + index,
      migration,
      zone: 'America/New_York',
      recorded_at: now,
      operation: { op: 'expire_edge', id: `e-${firstSequence + index}`, valid_until: '2026-01-01' },
    }),
  )
  const last_sequence = firstSequence + count - 1
  return [
    { migration, title: `Change ${number}`, checksum: sha256(migration), applied_at: now, last_sequence },
    operations,
  ]
}
