import type { AccessKey, CreatedKey } from '../domain/access-key.ts'
import type { AppliedMigration, AppliedOperation } from '../domain/change-set.ts'
import type { Episode } from '../domain/episode.ts'
import type { FactVersion } from '../domain/fact.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import type { LedgerRecord, RecordBody } from '../domain/record.ts'

/** A fact version with the salt its commitment was made with (hex, 32 bytes). */
export interface SaltedFact {
  readonly fact: FactVersion
  readonly salt: string
}

export interface SaltedEpisode {
  readonly episode: Episode
  readonly salt: string
}

/** End of a writer's chain, as it was noted apart from the chain. */
export type NotedHead = Pick<LedgerRecord, 'writer' | 'seq' | 'hash'>

/** What one decision writes, all or nothing. */
export interface DecisionWrite {
  readonly decisionId: string
  readonly applicationId: string
  readonly subjectId: string | undefined
  /** Number of fact versions the decision saw; another number in the store by now means: decide again. */
  readonly factsSeen: number
  /** Number of the subject's episodes the decision saw. */
  readonly episodesSeen: number
  /** Number of decisions on the application that the decision saw. */
  readonly decisionsSeen: number
  readonly newFacts: readonly SaltedFact[]
  readonly newEpisodes: readonly SaltedEpisode[]
  readonly actor: string
  readonly time: string
  readonly body: RecordBody
  /** Canonical JSON of the answer (without its record) and of the inputs, each apart from the ledger. */
  readonly answer: { readonly text: string; readonly salt: string }
  readonly subjectSalt: string | undefined
  /** Written with the rest; a claim made before is answered `duplicate`. */
  readonly idempotency?: IdempotencyClaim | undefined
}

export interface StoredDecision {
  readonly decisionId: string
  readonly applicationId: string
  readonly subjectId: string | undefined
  readonly subjectSalt: string | undefined
  readonly answer: { readonly text: string; readonly salt: string }
  readonly record: LedgerRecord
}

/** What an application's earlier decisions settle for the next one. */
export interface ApplicationHistory {
  readonly decisions: number
  /** Of the first decision; the subject of the first that named one. */
  readonly policy: string
  readonly receivedAt: string
  readonly subjectId: string | undefined
}

export interface Memory {
  readonly facts: readonly SaltedFact[]
  /** Of the subject the application is bound to, else of the one asked for. */
  readonly episodes: readonly SaltedEpisode[]
  /** `undefined` before the first decision on the application. */
  readonly application: ApplicationHistory | undefined
}

/**
 * `conflict`: facts, episodes or decisions of the application came in between; `duplicate`: the write's idempotency claim was
 * made before, by this decision, with the body of this hash. Nothing was written for either.
 */
export type CommitResult = { readonly record: LedgerRecord } | { readonly conflict: true } | Claimed

/** What an idempotency key was used for: a decision, or an answer that is kept as text. */
export type Claimed = { readonly bodyHash: string } & (
  | { readonly duplicate: string }
  | { readonly duplicate: null; readonly answer: string }
)

/** A claim with the answer it is to be given again; only for what is no decision, whose answer is kept anyway. */
export interface AnsweredClaim extends IdempotencyClaim {
  readonly answer: string
}

/** The rule set that was last put in force for a policy, and when. */
export interface LastActive {
  readonly policy: string
  readonly hash: string
  readonly since: string
}

/**
 * Everything that lasts. Nothing is ever overwritten or removed. Every promise that resolves has been made
 * durable; one that rejects (`STORE_UNAVAILABLE`) has written nothing.
 */
export interface Store extends AsyncDisposable {
  /**
   * Resolves when the store answers and what it is given would last. STORE_UNAVAILABLE otherwise: what it was opened
   * on is gone, or the last write failed and there still is no room for another.
   */
  check(): Promise<void>
  /** Working memory of an application, by fact then version, and its subject's episodes, by id. */
  readMemory(applicationId: string, subjectId: string | undefined): Promise<Memory>
  /** Appends facts, episodes, record and answer of one decision in one transaction; concurrent calls share one. */
  commitDecision(write: DecisionWrite): Promise<CommitResult>
  /** What this idempotency key was used for, if it was. */
  findClaimed(scope: string, key: string): Promise<Claimed | undefined>
  findDecision(decisionId: string): Promise<StoredDecision | undefined>
  /** Decisions in ledger order, in pages, so that no listing is unbounded. */
  listDecisions(
    after: { writer: string; seq: number } | undefined,
    limit: number,
  ): Promise<readonly StoredDecision[]>
  /** Versions of the facts of an application, all of them, oldest first by fact and version. */
  readFacts(applicationId: string): Promise<readonly SaltedFact[]>

  /** Keeps a rule set's canonical content under its hash; the same hash again changes nothing. */
  saveRuleSet(hash: string, content: string): Promise<void>
  findRuleSet(hash: string): Promise<string | undefined>
  /** What the ledger says was last in force (`rule_set_activated`), for each policy that was not withdrawn, by name. */
  lastActiveRuleSets(): Promise<readonly LastActive[]>

  appliedMigrations(): Promise<readonly AppliedMigration[]>
  /** The change log of causal knowledge, by sequence, up to and with `untilSequence`. */
  readGraphLog(untilSequence?: number): Promise<readonly AppliedOperation[]>
  /** Applies one migration with its ledger record; already applied (same number) changes nothing and gives false. */
  applyMigration(
    migration: AppliedMigration,
    operations: readonly AppliedOperation[],
    actor: string,
  ): Promise<boolean>

  /** Adds a key with its ledger record. REQUEST_INVALID when the id is taken. */
  saveKey(key: CreatedKey, actor: string): Promise<void>
  /** Revokes a key, with its ledger record. False, and nothing written, when it is revoked already. KEY_UNKNOWN. */
  revokeKey(id: string, time: string, actor: string): Promise<boolean>
  /** Every key there ever was, by time of creation, then id. */
  listKeys(): Promise<readonly AccessKey[]>
  findKey(id: string): Promise<AccessKey | undefined>

  /** Appends one record that stands alone; with a claim that was made before, writes nothing and gives what it was. */
  appendRecord(
    actor: string,
    time: string,
    body: RecordBody,
    claim?: AnsweredClaim,
  ): Promise<{ readonly record: LedgerRecord } | Claimed>

  /** The writer's records after `seq`, in order. */
  readLedger(writer: string, afterSeq: number, limit: number): Promise<readonly LedgerRecord[]>
  writers(): Promise<readonly string[]>

  /** Applications that have facts but no decision, after one of them, in an order of the store's own. */
  unnamedApplications(after: string | undefined, limit: number): Promise<readonly string[]>
  /** Subjects that have episodes but no decision, likewise. */
  unnamedSubjects(after: string | undefined, limit: number): Promise<readonly string[]>
  /** Where the chain was last noted to end, apart from the chain itself; `undefined` when nothing was noted. */
  notedHead(): Promise<NotedHead | undefined>
}
