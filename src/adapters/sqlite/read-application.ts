import { DecisionPayload } from '../../domain/record.ts'
import { Failure } from '../../errors.ts'
import type { ApplicationHistory } from '../../ports/store.ts'
import { decisionFromRow } from './rows.ts'
import type { Statements } from './statements.ts'

/** What the decisions on an application settle for the next one. */
export function readApplication(
  statements: Statements,
  applicationId: string,
): ApplicationHistory | undefined {
  const row = statements.firstDecision.get(applicationId)
  if (row === undefined) return undefined
  const { record } = decisionFromRow(row)
  const parsed = DecisionPayload.safeParse(record.payload)
  if (!parsed.success) {
    const why = 'the record of the first decision on an application is not valid'
    throw new Failure('LEDGER_BROKEN', { at: `record ${record.seq} of ${record.writer}`, why })
  }
  const { policy, received_at } = parsed.data
  const subject = statements.firstSubject.get(applicationId)?.subject_id
  return {
    decisions: Number(statements.countDecisions.get(applicationId)?.count),
    policy,
    receivedAt: received_at,
    subjectId: typeof subject === 'string' ? subject : undefined,
  }
}
