import { RecordBody } from '../domain/record.ts'
import type { DecisionWrite } from '../ports/store.ts'
import { checkJson, isSalt } from './canonical.ts'

/**
 * What every store asks of a decision before it takes it in, since nothing written can be mended later: texts of
 * whole characters (else `REQUEST_INVALID`), a record that `verifyLedger` will accept, facts and episodes of the
 * decision's own application and subject. All but the first are bugs of the caller (TypeError).
 */
export function checkWrite(write: DecisionWrite): void {
  const { decisionId, applicationId, subjectId, newFacts, newEpisodes, actor, time, body, answer } = write
  checkJson([decisionId, applicationId, subjectId ?? null, newFacts, newEpisodes, actor, time, body, answer])
  const parsed = RecordBody.safeParse(body)
  if (!parsed.success) throw new TypeError(`the record is not valid: ${parsed.error.message}`)
  if ((subjectId === undefined) !== (write.subjectSalt === undefined)) {
    throw new TypeError('a subject and its salt come together')
  }
  const salts = [...newFacts, ...newEpisodes, answer].map(({ salt }) => salt)
  if (!salts.every(isSalt) || (write.subjectSalt !== undefined && !isSalt(write.subjectSalt))) {
    throw new TypeError('expected salts of 64 lower-case hex digits')
  }
  // Invariant: a decision writes only where its conflict check looks.
  if (newFacts.some(({ fact }) => fact.application_id !== applicationId)) {
    throw new TypeError(`every new fact must belong to application \`${applicationId}\``)
  }
  if (newEpisodes.some(({ episode }) => episode.subject_id !== subjectId)) {
    throw new TypeError(`every new episode must belong to subject \`${subjectId ?? ''}\``)
  }
}
