import type { z } from 'zod'
import { valueAt } from '../decision/describe-issues.ts'
import { describeValue, unknownField } from '../domain/describe-value.ts'
import { pointerOf } from '../domain/json-pointer.ts'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import { checkedFilesMax, RulesCheckRequest } from '../domain/rules-report.ts'
import { Failure, type Fault } from '../errors.ts'

/** What each field should be. */
const wanted: Readonly<Record<string, string>> = {
  '': 'an object such as `{"files": [{"path": "policy.yaml", "text": "…"}]}`',
  files: `a list of 1 to ${checkedFilesMax} files`,
  path: 'a path such as `policy.yaml` or `us-consumer/US-01.yaml`',
  text: 'all of the file as a text',
}

/** Checks the shape of a pack that is to be checked. Failure: REQUEST_INVALID, with a pointer for every bad field. */
export function readRulesCheck(value: RawValue): RulesCheckRequest {
  const parsed = RulesCheckRequest.safeParse(value)
  const faults = parsed.success
    ? twice(parsed.data)
    : oncePerPlace(parsed.error.issues.flatMap((issue) => faultsOf(issue, value)))
  if (parsed.success && faults.length === 0) return parsed.data
  throw new Failure('REQUEST_INVALID', faults)
}

function faultsOf(issue: z.core.$ZodIssue, value: RawValue): readonly Fault[] {
  // A number is an object to the schema, since it is kept as its text.
  const owner = issue.code === 'unrecognized_keys' ? issue.path : issue.path.slice(0, -1)
  const number = valueAt(value, owner)
  if (number instanceof JsonNumber) {
    return [{ at: pointerOf(owner), why: `expected ${wantedAt(owner)}; got ${describeValue(number)}` }]
  }
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? ['files'] : ['path', 'text']
    return issue.keys.map((key) => ({ at: pointerOf([...issue.path, key]), why: unknownField(key, known) }))
  }
  const at = pointerOf(issue.path)
  const found = valueAt(value, issue.path)
  const right = wantedAt(issue.path)
  if (found === undefined) return [{ at, why: `this field is missing; expected ${right}` }]
  return [{ at, why: `expected ${right}; got ${describeValue(found)}` }]
}

function wantedAt(path: readonly PropertyKey[]): string {
  const last = path.at(-1) ?? ''
  if (typeof last === 'number') return 'a file, `{"path": …, "text": …}`'
  return wanted[String(last)] ?? 'another value'
}

function oncePerPlace(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault, index) => faults.findIndex(({ at }) => at === fault.at) === index)
}

function twice({ files }: RulesCheckRequest): readonly Fault[] {
  const first = new Map<string, number>()
  return files.flatMap(({ path }, index): Fault[] => {
    const before = first.get(path)
    if (before === undefined) first.set(path, index)
    if (before === undefined) return []
    return [{ at: `/files/${index}/path`, why: `\`${path}\` is there twice; the first is /files/${before}` }]
  })
}
