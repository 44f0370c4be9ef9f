import { answerCommitment } from '../audit/commitments.ts'
import type { Answer, RecordedAnswer } from '../domain/decision.ts'
import { DecisionPayload, type LedgerRecord } from '../domain/record.ts'
import { Failure } from '../errors.ts'
import type { StoredDecision } from '../ports/store.ts'

/** Whether the answer kept is, to the byte, the one its record binds to. */
export function isAsRecorded({ answer, record }: StoredDecision): boolean {
  const payload = DecisionPayload.safeParse(record.payload)
  return payload.success && answerCommitment(answer) === payload.data.answer
}

/** A stored answer with its place in the ledger. Failure: LEDGER_BROKEN when it is not the one that was recorded. */
export function readStoredAnswer(stored: StoredDecision): RecordedAnswer {
  if (!isAsRecorded(stored)) {
    const why = `the answer kept for decision \`${stored.decisionId}\` is not the one its record binds to; run \`causebook verify\``
    throw new Failure('LEDGER_BROKEN', { at: '', why })
  }
  return { ...(JSON.parse(stored.answer.text) as Answer), record: referenceTo(stored.record) }
}

/** Where a record stands in the ledger. */
export function referenceTo({ writer, seq, hash }: LedgerRecord): RecordedAnswer['record'] {
  return { writer, seq, hash }
}
