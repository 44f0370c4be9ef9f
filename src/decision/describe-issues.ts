import type { z } from 'zod'
import { describeValue, shown, unknownField } from '../domain/describe-value.ts'
import { pointerOf } from '../domain/json-pointer.ts'
import { DecisionRequest, EpisodeInput, JsonNumber } from '../domain/request.ts'
import type { Fault } from '../errors.ts'

/** What each field of a request should be, with an example that can be pasted. */
const wanted: Readonly<Record<string, string>> = {
  application_id: 'a text such as `"app-2026-0042"`',
  policy: 'the name of a policy, such as `"us-consumer"`',
  received_at: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  occurred_at: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  valid_until: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  subject: 'an object such as `{"id": "cust-42"}`',
  id: 'a text such as `"cust-42"`',
  facts: 'an object such as `{"monthly_income": 4000}`',
  episodes: 'a list of objects such as `[{"type": "credit_overdue", "occurred_at": "2026-04-30T00:00:00Z"}]`',
  type: 'an event type such as `"credit_overdue"`',
  attributes: 'an object such as `{"days_overdue": 32}`',
  confidence: 'a number from 0 to 1, such as `0.97`',
  source: 'the name of a source, such as `"credit_bureau"`',
  consents: 'a list of texts such as `["credit_bureau"]`',
}

/** The schema's complaints about a request as faults: JSON pointer, what was found, what would be right. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], request: unknown): readonly Fault[] {
  const faults = new Map<string, Fault>()
  for (const issue of issues) {
    for (const fault of faultsOf(issue, request)) {
      if (!faults.has(fault.at)) faults.set(fault.at, fault)
    }
  }
  return [...faults.values()]
}

function faultsOf(issue: z.core.$ZodIssue, request: unknown): readonly Fault[] {
  const found = valueAt(request, issue.path)
  const at = pointerOf(issue.path)
  const field = issue.path.at(-1)
  if (issue.code === 'unrecognized_keys' && !(found instanceof JsonNumber)) {
    const known = issue.path[0] === 'episodes' ? EpisodeInput.shape : DecisionRequest.shape
    const names = issue.path[0] === 'subject' ? ['id'] : Object.keys(known)
    return issue.keys.map((key) => ({ at: pointerOf([...issue.path, key]), why: unknownField(key, names) }))
  }
  if (issue.code === 'invalid_key') {
    return [
      { at, why: `\`${shown(String(field))}\` is no name: ${issue.issues[0]?.message ?? issue.message}` },
    ]
  }
  const owner = valueAt(request, issue.path.slice(0, -1))
  if (owner instanceof JsonNumber) {
    const path = issue.path.slice(0, -1)
    return [{ at: pointerOf(path), why: `expected ${wantedAt(path)}; got ${describeValue(owner)}` }]
  }
  if (found === undefined) return [{ at, why: `this field is missing; expected ${wantedAt(issue.path)}` }]
  if (issue.code === 'custom' && issue.message.includes('; got ')) return [{ at, why: issue.message }]
  return [{ at, why: `${expectation(issue)}; got ${describeValue(found)}` }]
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') {
    const unit = issue.origin === 'array' ? 'entries' : 'characters'
    return `expected ${issue.maximum} ${unit} at most`
  }
  if (issue.code === 'custom' || issue.code === 'invalid_format') return issue.message
  return `expected ${wantedAt(issue.path)}`
}

function wantedAt(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'an object with `application_id`, `policy`, `received_at` and `facts`'
  const field = path.at(-1)
  if (path[0] === 'facts' && path.length > 1) return 'a value, an object with `value`, or a list of those'
  if (typeof field === 'number') return path[0] === 'episodes' ? 'an object with `type`' : 'a text'
  return wanted[String(field)] ?? 'another kind of value'
}

export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}
