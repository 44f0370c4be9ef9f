import { sameEpisode } from '../../audit/same-episode.ts'
import { Failure } from '../../errors.ts'
import type { CommitResult, DecisionWrite, SaltedEpisode } from '../../ports/store.ts'
import { appendRecord, type Head, readHead } from './append-record.ts'
import { addClaim, readClaimed } from './claims.ts'
import type { Outcome } from './commit-queue.ts'
import { episodeFromRow, episodeToRow, factToRow } from './rows.ts'
import { isConstraint, isSqliteError } from './sqlite-error.ts'
import type { Statements } from './statements.ts'

/**
 * Writes a batch inside the transaction that is open. Each decision has a savepoint of its own: one that conflicts
 * or is refused leaves the others be. Any other error of SQLite ends the batch, because it may have ended the
 * transaction too, and what came after would be written alone.
 */
export function commitDecisions(
  statements: Statements,
  writes: readonly DecisionWrite[],
): readonly Outcome<CommitResult>[] {
  let head = readHead(statements)
  return writes.map((write) => {
    // Before the conflict: a request sent again finds what its first sending wrote.
    const claim = write.idempotency
    const claimed = claim && readClaimed(statements, claim.scope, claim.key)
    if (claimed !== undefined) return { result: claimed }
    if (isConflict(statements, write)) return { result: { conflict: true } }
    statements.savepoint.run()
    try {
      const record = writeDecision(statements, head, write)
      statements.release.run()
      head = record
      return { result: { record } }
    } catch (error) {
      if (isSqliteError(error) && !isConstraint(error)) throw error
      statements.rollBackTo.run()
      statements.release.run()
      return { failure: refused(error, write) }
    }
  })
}

function isConflict(statements: Statements, write: DecisionWrite): boolean {
  const { applicationId, subjectId } = write
  const facts = statements.countFacts.get(applicationId)?.count
  const episodes = subjectId === undefined ? 0 : statements.countEpisodes.get(subjectId)?.count
  const decisions = statements.countDecisions.get(applicationId)?.count
  return facts !== write.factsSeen || episodes !== write.episodesSeen || decisions !== write.decisionsSeen
}

function writeDecision(statements: Statements, head: Head, write: DecisionWrite) {
  for (const fact of write.newFacts) statements.addFact.run(factToRow(fact))
  for (const episode of write.newEpisodes) addEpisode(statements, episode)
  const record = appendRecord(statements, head, write)
  statements.addDecision.run({
    decision_id: write.decisionId,
    writer: record.writer,
    seq: record.seq,
    application_id: write.applicationId,
    subject_id: write.subjectId ?? null,
    subject_salt: write.subjectSalt ?? null,
    answer: write.answer.text,
    answer_salt: write.answer.salt,
  })
  const claim = write.idempotency
  if (claim !== undefined) addClaim(statements, claim, { decisionId: write.decisionId })
  return record
}

function addEpisode(statements: Statements, salted: SaltedEpisode): void {
  const { subject_id, episode_id } = salted.episode
  const earlier = statements.episode.get(subject_id, episode_id)
  if (earlier === undefined) {
    statements.addEpisode.run(episodeToRow(salted))
  } else if (!sameEpisode(episodeFromRow(earlier).episode, salted.episode)) {
    const why = 'an episode of this identity is recorded already, and says something else'
    throw new Failure('REQUEST_INVALID', { at: episode_id, why })
  }
}

function refused(error: unknown, { decisionId }: DecisionWrite): unknown {
  if (!isConstraint(error)) return error
  const why = `this decision cannot be recorded: ${error instanceof Error ? error.message : error}`
  return new Failure('REQUEST_INVALID', { at: decisionId, why }, { cause: error })
}
