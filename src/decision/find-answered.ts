import { canonicalJson } from '../audit/canonical.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import { Failure } from '../errors.ts'
import type { Claimed, Store } from '../ports/store.ts'
import { readStoredAnswer } from './stored-answer.ts'

/** An answer as it was sent the first time, to the byte. */
export interface Answered {
  readonly text: string
  /** Null when it was no decision. */
  readonly decisionId: string | null
}

/**
 * What a request with this claim was answered before, if it was. Failures: IDEMPOTENCY_CONFLICT when that request
 * had another body, LEDGER_BROKEN when its decision is gone.
 */
export async function findAnswered(
  store: Pick<Store, 'findClaimed' | 'findDecision'>,
  claim: IdempotencyClaim,
): Promise<Answered | undefined> {
  const claimed = await store.findClaimed(claim.scope, claim.key)
  if (claimed === undefined) return undefined
  checkSameBody(claimed, claim)
  if (claimed.duplicate === null) return { text: claimed.answer, decisionId: null }
  const stored = await store.findDecision(claimed.duplicate)
  if (stored === undefined) {
    const why = `decision \`${claimed.duplicate}\`, which an idempotency key names, is gone`
    throw new Failure('LEDGER_BROKEN', { at: '', why })
  }
  return { text: canonicalJson(readStoredAnswer(stored)), decisionId: claimed.duplicate }
}

function checkSameBody({ bodyHash }: Claimed, claim: IdempotencyClaim): void {
  if (bodyHash === claim.bodyHash) return
  const why =
    'this `Idempotency-Key` came before with another body; send that body again, or a new key for a new request'
  throw new Failure('IDEMPOTENCY_CONFLICT', { at: '', why })
}
