import type { z } from 'zod'
import { describeValue, unknownField } from '../domain/describe-value.ts'
import { Changes, WhatIfOfDecision, WhatIfOfRequest, type WhatIfRequest } from '../domain/hypothetical.ts'
import { pointerOf } from '../domain/json-pointer.ts'
import type { RawValue } from '../domain/request.ts'
import { JsonNumber } from '../domain/request.ts'
import { Failure, type Fault } from '../errors.ts'
import { describeIssues, valueAt } from './describe-issues.ts'

/** What each field of a what-if should be. */
const wanted: Readonly<Record<string, string>> = {
  decision_id: 'the id of a recorded decision',
  request: 'a request as `POST /v1/decisions` takes it',
  changes: 'an object such as `{"facts": {"loan_amount": 9000}}`',
  facts: 'an object such as `{"loan_amount": 9000}`',
  remove_facts: 'a list of facts, such as `["monthly_debts"]`',
  as_of: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  received_at: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  rule_set: 'the hash of a rule set, `"sha256:"` and 64 hex digits',
  graph_position: 'an object such as `{"sequence": 41}`',
  sequence: 'a whole number, such as `41`',
  migration: 'the name of a migration, such as `"V0003"`',
}

/** Checks the shape of a what-if. Failure: REQUEST_INVALID, with a JSON pointer for every bad field. */
export function readWhatIf(value: RawValue): WhatIfRequest {
  const refuse = (faults: Fault | readonly Fault[]): never => {
    throw new Failure('REQUEST_INVALID', faults)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber) {
    const why = `expected an object with \`changes\` and \`decision_id\` or \`request\`; got ${describeValue(value)}`
    return refuse({ at: '', why })
  }
  const bases = ['decision_id', 'request'].filter((field) => Object.hasOwn(value, field))
  if (bases.length !== 1) {
    const found = bases.length === 0 ? 'neither is there' : 'both are there'
    return refuse({ at: '', why: `expected either \`decision_id\` or \`request\`; ${found}` })
  }
  const shape = bases[0] === 'request' ? WhatIfOfRequest : WhatIfOfDecision
  const parsed = shape.safeParse(value)
  return parsed.success ? parsed.data : refuse(faultsOf(parsed.error.issues, value))
}

function faultsOf(issues: readonly z.core.$ZodIssue[], value: RawValue): readonly Fault[] {
  const ofRequest = issues
    .filter((issue) => issue.path[0] === 'request')
    .map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  const request = describeIssues(ofRequest, valueAt(value, ['request']))
  return [
    ...request.map(({ at, why }) => ({ at: `/request${at}`, why })),
    ...issues.filter((issue) => issue.path[0] !== 'request').flatMap((issue) => faultOf(issue, value)),
  ]
}

function faultOf(issue: z.core.$ZodIssue, value: RawValue): readonly Fault[] {
  const at = pointerOf(issue.path)
  const found = valueAt(value, issue.path)
  if (issue.code === 'unrecognized_keys' && !(found instanceof JsonNumber)) {
    const known = knownAt(issue.path)
    return issue.keys.map((key) => ({ at: pointerOf([...issue.path, key]), why: unknownField(key, known) }))
  }
  if (issue.code === 'invalid_key') return [{ at, why: issue.issues[0]?.message ?? issue.message }]
  const field = String(issue.path.findLast((step) => typeof step === 'string') ?? '')
  const right = `expected ${wanted[field] ?? 'a value, an object with `value`, or a list of those'}`
  if (found === undefined) return [{ at, why: `this field is missing; ${right}` }]
  if (issue.code === 'custom' && issue.message.includes('; got ')) return [{ at, why: issue.message }]
  const why = issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : right
  return [{ at, why: `${why}; got ${describeValue(found)}` }]
}

function knownAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return ['decision_id', 'request', 'changes']
  if (path[1] === 'graph_position') return ['sequence']
  return Object.keys(Changes.shape)
}
