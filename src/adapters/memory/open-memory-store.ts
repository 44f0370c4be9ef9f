import { canonicalJson, sha256 } from '../../audit/canonical.ts'
import { checkRecord } from '../../audit/check-record.ts'
import { checkWrite } from '../../audit/check-write.ts'
import { checkKey, keyCreatedRecord, keyRevokedRecord } from '../../audit/key-record.ts'
import { lastActive } from '../../audit/last-active.ts'
import { genesis, linkRecord } from '../../audit/link-record.ts'
import { checkContinues, migrationRecord } from '../../audit/migration-record.ts'
import { sameEpisode } from '../../audit/same-episode.ts'
import type { AppliedMigration, AppliedOperation } from '../../domain/change-set.ts'
import { compareText } from '../../domain/compare-text.ts'
import type { IdempotencyClaim } from '../../domain/idempotency.ts'
import { DecisionPayload, type LedgerRecord, type RecordBody } from '../../domain/record.ts'
import { Failure } from '../../errors.ts'
import type {
  ApplicationHistory,
  Claimed,
  CommitResult,
  DecisionWrite,
  SaltedEpisode,
  SaltedFact,
  Store,
  StoredDecision,
} from '../../ports/store.ts'
import { openMemoryKeys } from './memory-keys.ts'

const writer = 'memory'

/**
 * A store that lasts as long as the process: for tests and what-if. Keeps every other promise of the port. What
 * goes in and comes out is frozen and its own, so no caller can change what is kept.
 */
export function openMemoryStore(): Store {
  const facts = new Map<string, readonly SaltedFact[]>()
  const episodes = new Map<string, readonly SaltedEpisode[]>()
  const decisions = new Map<string, StoredDecision>()
  const byApplication = new Map<string, readonly StoredDecision[]>()
  const ruleSets = new Map<string, string>()
  const migrations: AppliedMigration[] = []
  const graphLog: AppliedOperation[] = []
  const ledger: LedgerRecord[] = []
  const keys = openMemoryKeys()
  const claims = new Map<string, Claimed>()
  let closed = false

  const factsOf = (applicationId: string) => facts.get(applicationId) ?? []
  const episodesOf = (subjectId: string | undefined) =>
    subjectId === undefined ? [] : (episodes.get(subjectId) ?? [])

  function checkOpen(): void {
    if (closed) throw new Failure('STORE_UNAVAILABLE', { at: '', why: 'the store is closed' })
  }

  function append(time: string, actor: string, body: RecordBody): LedgerRecord {
    const prev = ledger.at(-1)?.hash ?? genesis
    const record = kept(linkRecord({ writer, seq: ledger.length + 1, prev, time, actor, body }))
    ledger.push(record)
    return record
  }

  function decisionsOn(applicationId: string): readonly StoredDecision[] {
    return byApplication.get(applicationId) ?? []
  }

  function applicationOf(applicationId: string): ApplicationHistory | undefined {
    const all = decisionsOn(applicationId)
    const first = all[0]
    if (first === undefined) return undefined
    const { policy, received_at } = DecisionPayload.parse(first.record.payload)
    const subjectId = all.find((one) => one.subjectId !== undefined)?.subjectId
    return { decisions: all.length, policy, receivedAt: received_at, subjectId }
  }

  function commit(write: DecisionWrite): CommitResult {
    const { decisionId, applicationId, subjectId, subjectSalt } = write
    // Before the conflict: a request sent again finds what its first sending wrote.
    const claimed = write.idempotency && claims.get(nameOf(write.idempotency))
    if (claimed !== undefined) return claimed
    const known = { facts: factsOf(applicationId), episodes: episodesOf(subjectId) }
    const isConflict =
      known.facts.length !== write.factsSeen ||
      known.episodes.length !== write.episodesSeen ||
      decisionsOn(applicationId).length !== write.decisionsSeen
    if (isConflict) return { conflict: true }
    if (decisions.has(decisionId)) refuse(decisionId, 'this decision is recorded already')
    // Nothing is kept before everything has been checked: all or nothing.
    const grownFacts = withFacts(known.facts, write.newFacts)
    const grownEpisodes = withEpisodes(known.episodes, write.newEpisodes)
    const record = append(write.time, write.actor, write.body)
    facts.set(applicationId, grownFacts)
    if (subjectId !== undefined) episodes.set(subjectId, grownEpisodes)
    const answer = kept(write.answer)
    const stored = Object.freeze({ decisionId, applicationId, subjectId, subjectSalt, answer, record })
    decisions.set(decisionId, stored)
    byApplication.set(applicationId, [...decisionsOn(applicationId), stored])
    const claim = write.idempotency
    if (claim !== undefined) {
      claims.set(nameOf(claim), Object.freeze({ bodyHash: claim.bodyHash, duplicate: decisionId }))
    }
    return { record }
  }

  return {
    async check() {
      checkOpen()
    },
    async readMemory(applicationId, subjectId) {
      checkOpen()
      const application = applicationOf(applicationId)
      const episodes = episodesOf(application?.subjectId ?? subjectId)
      return { facts: factsOf(applicationId), episodes, application }
    },
    async commitDecision(write) {
      checkOpen()
      checkWrite(write)
      return commit(write)
    },
    async findClaimed(scope, key) {
      checkOpen()
      return claims.get(nameOf({ scope, key }))
    },
    async findDecision(decisionId) {
      checkOpen()
      return decisions.get(decisionId)
    },
    async listDecisions(after, limit) {
      checkOpen()
      if (after !== undefined && after.writer > writer) return []
      const from = after?.writer === writer ? after.seq : 0
      const page: StoredDecision[] = []
      for (const decision of decisions.values()) {
        if (page.length >= limit) break
        if (decision.record.seq > from) page.push(decision)
      }
      return page
    },
    async readFacts(applicationId) {
      checkOpen()
      return factsOf(applicationId)
    },
    async saveRuleSet(hash, content) {
      checkOpen()
      if (sha256(content) !== hash) refuse(hash, 'the rule set is not the content of this hash')
      ruleSets.set(hash, content)
    },
    async findRuleSet(hash) {
      checkOpen()
      return ruleSets.get(hash)
    },
    async lastActiveRuleSets() {
      checkOpen()
      return lastActive(ledger)
    },
    async appliedMigrations() {
      checkOpen()
      return [...migrations]
    },
    async readGraphLog(untilSequence = Number.MAX_SAFE_INTEGER) {
      checkOpen()
      return graphLog.filter(({ sequence }) => sequence <= untilSequence)
    },
    async applyMigration(migration, operations, actor) {
      checkOpen()
      if (migrations.some((applied) => applied.migration === migration.migration)) return false
      checkContinues(migration, operations, graphLog.length)
      const lines = kept(operations)
      append(migration.applied_at, actor, migrationRecord(migration, lines))
      migrations.push(kept(migration))
      for (const line of lines) graphLog.push(line)
      return true
    },
    async saveKey(key, actor) {
      checkOpen()
      checkKey(key)
      keys.add(kept(key))
      append(key.created_at, actor, keyCreatedRecord(key))
    },
    async revokeKey(id, time, actor) {
      checkOpen()
      const key = keys.revoke(id, time)
      if (key !== undefined) append(time, actor, keyRevokedRecord(key))
      return key !== undefined
    },
    async listKeys() {
      checkOpen()
      return keys.list()
    },
    async findKey(id) {
      checkOpen()
      return keys.find(id)
    },
    async appendRecord(actor, time, body, claim) {
      checkOpen()
      checkRecord(body)
      const claimed = claim && claims.get(nameOf(claim))
      if (claimed !== undefined) return claimed
      const record = append(time, actor, body)
      if (claim !== undefined) {
        const { bodyHash, answer } = claim
        claims.set(nameOf(claim), Object.freeze({ bodyHash, duplicate: null, answer }))
      }
      return { record }
    },
    async readLedger(ofWriter, afterSeq, limit) {
      checkOpen()
      return ofWriter === writer ? ledger.slice(Math.max(0, afterSeq), Math.max(0, afterSeq) + limit) : []
    },
    async writers() {
      checkOpen()
      return ledger.length > 0 ? [writer] : []
    },
    async unnamedApplications(after, limit) {
      checkOpen()
      return pageOf(facts, (id) => decisionsOn(id).length > 0, after, limit)
    },
    async unnamedSubjects(after, limit) {
      checkOpen()
      const named = new Set([...decisions.values()].map(({ subjectId }) => subjectId))
      return pageOf(episodes, (id) => named.has(id), after, limit)
    },
    async notedHead() {
      checkOpen()
      return undefined
    },
    async [Symbol.asyncDispose]() {
      closed = true
    },
  }
}

/** Those that hold something and are not named, after one of them. */
function pageOf(
  held: ReadonlyMap<string, readonly unknown[]>,
  isNamed: (id: string) => boolean,
  after: string | undefined,
  limit: number,
): readonly string[] {
  return [...held]
    .filter(([id, rows]) => rows.length > 0 && !isNamed(id) && (after === undefined || id > after))
    .map(([id]) => id)
    .sort()
    .slice(0, limit)
}

function withFacts(known: readonly SaltedFact[], fresh: readonly SaltedFact[]): readonly SaltedFact[] {
  const key = ({ fact }: SaltedFact) => `${fact.fact}@${fact.version}`
  const taken = new Set(known.map(key))
  for (const salted of fresh) {
    if (taken.has(key(salted))) refuse(key(salted), 'this version of the fact is recorded already')
    taken.add(key(salted))
  }
  const order = (one: SaltedFact, other: SaltedFact) =>
    compareText(one.fact.fact, other.fact.fact) || one.fact.version - other.fact.version
  return Object.freeze([...known, ...kept(fresh)].sort(order))
}

function withEpisodes(
  known: readonly SaltedEpisode[],
  fresh: readonly SaltedEpisode[],
): readonly SaltedEpisode[] {
  const byId = new Map(known.map((salted) => [salted.episode.episode_id, salted]))
  for (const salted of fresh) {
    const { episode_id: id } = salted.episode
    const earlier = byId.get(id)
    if (earlier === undefined) byId.set(id, kept(salted))
    else if (!sameEpisode(earlier.episode, salted.episode)) {
      refuse(id, 'an episode of this identity is recorded already, and says something else')
    }
  }
  return Object.freeze(
    [...byId.values()].sort((one, other) => compareText(one.episode.episode_id, other.episode.episode_id)),
  )
}

/** Neither part of a claim holds a line break. */
function nameOf({ scope, key }: Pick<IdempotencyClaim, 'scope' | 'key'>): string {
  return `${scope}\n${key}`
}

function refuse(at: string, why: string): never {
  throw new Failure('REQUEST_INVALID', { at, why })
}

/** A frozen copy, made through JSON just as a database would. */
function kept<T>(value: T): T {
  return freeze(JSON.parse(canonicalJson(value)))
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const field of Object.values(value)) freeze(field)
    Object.freeze(value)
  }
  return value
}
