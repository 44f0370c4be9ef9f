import type { DecisionKind, OutcomeEntry, Policy } from '../domain/policy.ts'

/**
 * Whether a decision is better for the applicant than another: further down in the policy's list, approval best. A
 * decision that stands twice must be better from either place.
 */
export function isBetter(decision: DecisionKind, than: DecisionKind, policy: Policy): boolean {
  if (than === 'approve' || decision === than) return false
  if (decision === 'approve') return true
  return placesOf(decision, policy).first > placesOf(than, policy).last
}

/** A decision that is not on the list comes of a bar: it stands where the first approval would have been. */
function placesOf(decision: DecisionKind, policy: Policy): { first: number; last: number } {
  const { outcomes } = policy
  const isIt = (line: OutcomeEntry) => line.decision === decision
  const first = outcomes.findIndex(isIt)
  if (first >= 0) return { first, last: outcomes.findLastIndex(isIt) }
  const grant = outcomes.findIndex((line) => line.decision === 'approve' || line.decision === 'counteroffer')
  const place = (grant < 0 ? outcomes.length : grant) - 0.5
  return { first: place, last: place }
}
