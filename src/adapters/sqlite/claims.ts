import type { IdempotencyClaim } from '../../domain/idempotency.ts'
import type { Claimed } from '../../ports/store.ts'
import type { Statements } from './statements.ts'

export function readClaimed(statements: Statements, scope: string, key: string): Claimed | undefined {
  const row = statements.claim.get(scope, key)
  if (row === undefined) return undefined
  const bodyHash = String(row.body_hash)
  return row.decision_id === null
    ? { bodyHash, duplicate: null, answer: String(row.answer) }
    : { bodyHash, duplicate: String(row.decision_id) }
}

/** Writes down what a claim was used for, inside the transaction that is open. */
export function addClaim(
  statements: Statements,
  { scope, key, bodyHash }: IdempotencyClaim,
  usedFor: { readonly decisionId: string } | { readonly answer: string },
): void {
  const decision_id = 'decisionId' in usedFor ? usedFor.decisionId : null
  const answer = 'answer' in usedFor ? usedFor.answer : null
  statements.addClaim.run({ scope, key, body_hash: bodyHash, decision_id, answer })
}
