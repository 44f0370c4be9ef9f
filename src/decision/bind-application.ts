import type { DecisionRequest } from '../domain/request.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import { Failure, type Fault } from '../errors.ts'
import type { ApplicationHistory } from '../ports/store.ts'

/**
 * Holds a request to what its application's first decision settled: policy, time of receipt and subject never move,
 * or a history could be shed by leaving the subject out, and a rule by receiving the application on another day. A
 * subject left out is the one known. Failure: REQUEST_INVALID, each field with what is on record.
 */
export function bindApplication(
  request: DecisionRequest,
  known: ApplicationHistory | undefined,
): DecisionRequest {
  const receivedAt = writeInstant(readInstant(request.received_at) ?? Number.NaN)
  const bound: DecisionRequest = { ...request, received_at: receivedAt }
  if (known === undefined) return bound
  const faults: Fault[] = []
  const hold = (at: string, found: string, right: string | undefined): void => {
    if (right === undefined || found === right) return
    const why = `application \`${request.application_id}\` has \`${right}\` on record; got \`${found}\`. Another loan request needs another id`
    faults.push({ at, why })
  }
  hold('/policy', request.policy, known.policy)
  hold('/received_at', receivedAt, known.receivedAt)
  hold('/subject/id', request.subject?.id ?? known.subjectId ?? '', known.subjectId)
  if (faults.length > 0) throw new Failure('REQUEST_INVALID', faults)
  return known.subjectId === undefined ? bound : { ...bound, subject: { id: known.subjectId } }
}
