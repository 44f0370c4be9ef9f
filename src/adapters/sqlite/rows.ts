import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { canonicalJson } from '../../audit/canonical.ts'
import type { AccessKey, CreatedKey } from '../../domain/access-key.ts'
import type { AppliedMigration, AppliedOperation } from '../../domain/change-set.ts'
import type { LedgerRecord } from '../../domain/record.ts'
import { Failure } from '../../errors.ts'
import type { SaltedEpisode, SaltedFact, StoredDecision } from '../../ports/store.ts'

/*
 * Between rows and domain. Types of columns are held by STRICT tables and what stands in them by the ledger's
 * commitments, so a row is not validated again each time it is read; only JSON that is not as written is refused.
 */
export type Row = Record<string, SQLOutputValue>
export type InputRow = Record<string, SQLInputValue>

export function factToRow({ fact, salt }: SaltedFact): InputRow {
  return { ...fact, value: fact.value === null ? null : canonicalJson(fact.value), salt }
}

export function factFromRow(row: Row): SaltedFact {
  const { salt, value, ...rest } = row
  const at = `fact ${row.fact}@${row.version} of application ${row.application_id}`
  return {
    fact: { ...rest, value: value === null ? null : parse(value, at) } as SaltedFact['fact'],
    salt: text(salt),
  }
}

export function episodeToRow({ episode, salt }: SaltedEpisode): InputRow {
  return { ...episode, attributes: canonicalJson(episode.attributes), salt }
}

export function episodeFromRow(row: Row): SaltedEpisode {
  const { salt, attributes, ...rest } = row
  const at = `episode ${row.episode_id} of subject ${row.subject_id}`
  const episode = { ...rest, attributes: parse(attributes, at) } as SaltedEpisode['episode']
  return { episode, salt: text(salt) }
}

export function recordToRow(record: LedgerRecord): InputRow {
  return { ...record, payload: canonicalJson(record.payload) }
}

/**
 * A payload that is no longer canonical JSON comes back as one no hash can fit, so that a damaged record is found
 * where it stands and the ones after it can still be read.
 */
export function recordFromRow(row: Row): LedgerRecord {
  return { ...row, payload: readPayload(text(row.payload)) } as unknown as LedgerRecord
}

/** A row of `decisions` joined with its record (`LEDGER_BROKEN` when that is gone or damaged). */
export function decisionFromRow(row: Row): StoredDecision {
  const { decision_id, application_id, subject_id, subject_salt, answer, answer_salt, ...rest } = row
  const record = rest.hash === null ? undefined : recordFromRow(rest)
  if (record === undefined || Object.hasOwn(record.payload, 'damaged')) {
    const found = record === undefined ? 'is gone' : 'is damaged'
    const why = `the ledger record ${rest.writer}/${rest.seq} of decision \`${decision_id}\` ${found}`
    throw new Failure('LEDGER_BROKEN', { at: '', why })
  }
  return {
    decisionId: text(decision_id),
    applicationId: text(application_id),
    subjectId: optional(subject_id),
    subjectSalt: optional(subject_salt),
    answer: { text: text(answer), salt: text(answer_salt) },
    record,
  }
}

export function migrationFromRow(row: Row): AppliedMigration {
  return { ...row } as unknown as AppliedMigration
}

export function operationToRow(line: AppliedOperation): InputRow {
  return { ...line, operation: canonicalJson(line.operation) }
}

export function operationFromRow(row: Row): AppliedOperation {
  const operation = parse(row.operation, `line ${row.sequence} of the graph's change log`)
  return { ...row, operation } as unknown as AppliedOperation
}

export function keyToRow(key: CreatedKey): InputRow {
  return { ...key, roles: canonicalJson(key.roles) }
}

export function keyFromRow(row: Row): AccessKey {
  return { ...row, roles: parse(row.roles, `key ${row.id}`) } as unknown as AccessKey
}

function readPayload(json: string): Record<string, unknown> {
  const payload = parseCanonical(json)
  return (payload as Record<string, unknown> | undefined) ?? { damaged: json }
}

function parse(value: SQLOutputValue | undefined, at: string): unknown {
  const parsed = parseCanonical(text(value))
  if (parsed !== undefined) return parsed
  throw new Failure('LEDGER_BROKEN', {
    at,
    why: 'the stored text is not the canonical JSON that was written',
  })
}

/** `undefined` when the text is not canonical JSON to the byte, so that no change of it goes unseen. */
function parseCanonical(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return canonicalJson(value) === json ? value : undefined
  } catch {
    return undefined
  }
}

function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected a text column; got ${typeof value}`)
  return value
}

function optional(value: SQLOutputValue | undefined): string | undefined {
  return value === null ? undefined : text(value)
}
