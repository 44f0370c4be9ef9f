import type { DatabaseSync } from 'node:sqlite'
import { sha256 } from '../../audit/canonical.ts'
import { checkRecord } from '../../audit/check-record.ts'
import { checkWrite } from '../../audit/check-write.ts'
import { checkKey } from '../../audit/key-record.ts'
import { lastActive } from '../../audit/last-active.ts'
import { checkContinues, migrationRecord } from '../../audit/migration-record.ts'
import type { AppliedMigration, AppliedOperation } from '../../domain/change-set.ts'
import { compareText } from '../../domain/compare-text.ts'
import { Failure } from '../../errors.ts'
import type { CommitResult, DecisionWrite, SaltedEpisode, Store } from '../../ports/store.ts'
import { addKey, addRevocation, readKey } from './access-keys.ts'
import { appendRecord, writer as chain, readHead } from './append-record.ts'
import { addClaim, readClaimed } from './claims.ts'
import { commitDecisions } from './commit-decisions.ts'
import { openCommitQueue } from './commit-queue.ts'
import { holdFiles } from './hold-files.ts'
import { headFileOf, keepHead, readHeadFile } from './keep-head.ts'
import { openDatabase, openReadOnly } from './open-database.ts'
import { readApplication } from './read-application.ts'
import { readUnnamed } from './read-unnamed.ts'
import {
  decisionFromRow,
  episodeFromRow,
  factFromRow,
  keyFromRow,
  migrationFromRow,
  operationFromRow,
  operationToRow,
  recordFromRow,
} from './rows.ts'
import { unavailable } from './sqlite-error.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { patiently, transact } from './transact.ts'
import { watchWrites } from './watch-writes.ts'

export interface SqliteStoreOptions {
  /** Decisions that share one transaction at most. */
  readonly batchMax?: number
  /** Decisions that may wait for their transaction; one more is `OVERLOADED`. */
  readonly waitingMax?: number
  /** Only looks: the file must be there, and not a byte of the folder changes; every write fails. */
  readonly readOnly?: boolean
  /** The file must be there and hold a store; none is made. */
  readonly mustExist?: boolean
}

/**
 * The embedded store: one SQLite file, made when it is not there. Every resolved write is on the disk, in the file
 * that has the path's name still. Several processes may share the file. Failures: STORE_UNAVAILABLE,
 * STORE_VERSION_UNKNOWN.
 */
export async function openSqliteStore(
  path: string,
  { batchMax = 256, waitingMax = 10_000, readOnly = false, mustExist = false }: SqliteStoreOptions = {},
): Promise<Store> {
  const db = readOnly ? openReadOnly(path) : await openDatabase(path, mustExist)
  const statements = prepareOrClose(db, path)
  const held = holdFiles(path)
  const writes = watchWrites(path)
  const headFile = headFileOf(path)
  const heads = keepHead(headFile, (earlier) => {
    held.check()
    if (earlier === undefined) return true
    const { writer, seq, hash } = earlier
    return statements.ledger.all(writer, seq - 1, 1).some((row) => row.seq === seq && row.hash === hash)
  })
  const commit = <T>(work: () => T) =>
    writes.watch(async () => {
      const result = await transact(db, path, work, held.check)
      if (!readOnly) noteHead()
      return result
    })
  const queue = openCommitQueue<DecisionWrite, CommitResult>(
    (batch) => commit(() => commitDecisions(statements, batch)),
    { batchMax, waitingMax },
  )
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const read = <T>(work: () => T) => track(() => patiently(path, work))
  const write = <T>(work: () => T) => track(() => commit(work))

  function noteHead(): void {
    try {
      const { seq, hash } = readHead(statements)
      if (seq > 0) heads.note({ writer: chain, seq, hash })
    } catch {
      // What was written is durable and must be acknowledged; the next write notes its head.
    }
  }

  // Closing waits for what was begun: a busy database may still be tried again.
  async function track<T>(begin: () => Promise<T>): Promise<T> {
    checkOpen()
    const one = begin()
    running.add(one)
    try {
      return await one
    } finally {
      running.delete(one)
    }
  }

  function checkOpen(): void {
    if (closing !== undefined)
      throw new Failure('STORE_UNAVAILABLE', { at: path, why: 'the store is closed' })
  }

  const readFacts = (applicationId: string) => statements.facts.all(applicationId).map(factFromRow)

  return {
    check: () =>
      track(async () => {
        held.check()
        await writes.check(() => transact(db, path, () => rewriteUserVersion(db), held.check))
        await patiently(path, () => readHead(statements))
      }),
    readMemory: (applicationId, subjectId) =>
      read(() => {
        const application = readApplication(statements, applicationId)
        const episodes = readEpisodes(statements, application?.subjectId ?? subjectId)
        return { facts: readFacts(applicationId), episodes, application }
      }),
    async commitDecision(decision) {
      checkOpen()
      checkWrite(decision)
      return queue.add(decision)
    },
    findClaimed: (scope, key) => read(() => readClaimed(statements, scope, key)),
    findDecision: (decisionId) =>
      read(() => {
        const row = statements.decision.get(decisionId)
        return row === undefined ? undefined : decisionFromRow(row)
      }),
    listDecisions: (after, limit) =>
      read(() => statements.decisions.all(after?.writer ?? '', after?.seq ?? 0, limit).map(decisionFromRow)),
    readFacts: (applicationId) => read(() => readFacts(applicationId)),

    async saveRuleSet(hash, content) {
      checkOpen()
      if (sha256(content) !== hash) {
        throw new Failure('REQUEST_INVALID', {
          at: hash,
          why: 'the rule set is not the content of this hash',
        })
      }
      await write(() => {
        if (statements.ruleSet.get(hash) === undefined) statements.addRuleSet.run({ hash, content })
      })
    },
    findRuleSet: (hash) =>
      read(() => {
        const row = statements.ruleSet.get(hash)
        return row === undefined ? undefined : String(row.content)
      }),
    lastActiveRuleSets: () => read(() => lastActive(statements.activations.all().map(recordFromRow))),

    appliedMigrations: () => read(() => statements.migrations.all().map(migrationFromRow)),
    readGraphLog: (untilSequence = Number.MAX_SAFE_INTEGER) =>
      read(() => statements.graphLog.all(untilSequence).map(operationFromRow)),
    async applyMigration(migration, operations, actor) {
      return write(() => writeMigration(statements, migration, operations, actor))
    },

    async saveKey(key, actor) {
      checkOpen()
      checkKey(key)
      await write(() => addKey(statements, key, actor))
    },
    async revokeKey(id, time, actor) {
      checkOpen()
      return write(() => addRevocation(statements, id, time, actor))
    },
    listKeys: () => read(() => statements.keys.all().map(keyFromRow)),
    findKey: (id) => read(() => readKey(statements, id)),

    async appendRecord(actor, time, body, claim) {
      checkOpen()
      checkRecord(body)
      return write(() => {
        const claimed = claim && readClaimed(statements, claim.scope, claim.key)
        if (claimed !== undefined) return claimed
        if (claim !== undefined) addClaim(statements, claim, { answer: claim.answer })
        return { record: appendRecord(statements, readHead(statements), { actor, time, body }) }
      })
    },
    readLedger: (writer, afterSeq, limit) =>
      read(() => statements.ledger.all(writer, afterSeq, limit).map(recordFromRow)),
    writers: () => read(() => statements.writers.all().map(({ writer }) => String(writer))),

    unnamedApplications: (after, limit) =>
      read(() => readUnnamed(statements.unnamedApplications, after, limit)),
    unnamedSubjects: (after, limit) => read(() => readUnnamed(statements.unnamedSubjects, after, limit)),
    notedHead: () => read(() => (headFile === undefined ? undefined : readHeadFile(headFile))),

    [Symbol.asyncDispose]() {
      closing ??= Promise.allSettled([queue.drained(), ...running])
        .then(() => heads.close())
        .then(() => (readOnly ? db.close() : close(db)))
      return closing
    },
  }
}

function prepareOrClose(db: DatabaseSync, path: string): Statements {
  try {
    return prepareStatements(db)
  } catch (error) {
    db.close()
    throw unavailable(error, path)
  }
}

function readEpisodes(statements: Statements, subjectId: string | undefined): readonly SaltedEpisode[] {
  if (subjectId === undefined) return []
  // Sorted here: SQLite orders by bytes of UTF-8, which differs from code units beyond the basic plane.
  return statements.episodes
    .all(subjectId)
    .map(episodeFromRow)
    .sort((one, other) => compareText(one.episode.episode_id, other.episode.episode_id))
}

function writeMigration(
  statements: Statements,
  migration: AppliedMigration,
  operations: readonly AppliedOperation[],
  actor: string,
): boolean {
  if (statements.migration.get(migration.migration) !== undefined) return false
  checkContinues(migration, operations, Number(statements.lastSequence.get()?.sequence))
  const { title, checksum, applied_at, last_sequence } = migration
  statements.addMigration.run({ migration: migration.migration, title, checksum, applied_at, last_sequence })
  for (const line of operations) statements.addOperation.run(operationToRow(line))
  const body = migrationRecord(migration, operations)
  appendRecord(statements, readHead(statements), { time: applied_at, actor, body })
  return true
}

/** Writes one page, and says the same as before. */
function rewriteUserVersion(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  db.exec(`PRAGMA user_version = ${version}`)
}

// What waits in the log goes into the file, so that a copy of the one file is whole. Closing does not fail for it.
function close(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The log is complete; the next to open the file reads it.
  }
  db.close()
}
