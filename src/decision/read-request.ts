import { DecisionRequest, type RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { describeIssues } from './describe-issues.ts'

/**
 * Checks the shape of one decision request. Failure: REQUEST_INVALID, with a JSON pointer for every bad field and
 * a sentence saying what was found and what would be right. What the facts mean is checked later, by the policy.
 */
export function readRequest(value: RawValue): DecisionRequest {
  const parsed = DecisionRequest.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Failure('REQUEST_INVALID', describeIssues(parsed.error.issues, value))
}
