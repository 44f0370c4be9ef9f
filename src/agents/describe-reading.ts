import type { z } from 'zod'
import { describeValue, unknownField } from '../domain/describe-value.ts'
import { pointerPart } from '../domain/json-pointer.ts'
import { type RawValue, ReadingInput } from '../domain/request.ts'
import type { Fault } from '../errors.ts'

/** What each field of a reading should be, with an example that can be pasted. */
const wanted: Readonly<Record<string, string>> = {
  value: 'the value of the fact, or `null` where there is none',
  unit: 'its unit, such as `"USD"`',
  confidence: 'a number from 0 to 1, such as `0.97`',
  source: 'the name of a source, such as `"credit_bureau"`',
  method: 'the name of a method, such as `"ocr"`',
  observed_at: 'a time with an offset, such as `"2026-06-01T14:03:00Z"`',
  corrects: 'the name of a source, such as `"payroll_api"`',
}

/** The schema's complaints about one reading as faults; `at` is the reading's pointer. */
export function describeReading(
  issues: readonly z.core.$ZodIssue[],
  raw: Readonly<Record<string, RawValue>>,
  at: string,
): readonly Fault[] {
  const faults = issues.flatMap((issue) => faultsOf(issue, raw, at))
  return faults.filter((fault, index) => faults.findIndex((other) => other.at === fault.at) === index)
}

function faultsOf(
  issue: z.core.$ZodIssue,
  raw: Readonly<Record<string, RawValue>>,
  at: string,
): readonly Fault[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    const known = Object.keys(ReadingInput.shape)
    return issue.keys.map((key) => ({ at: `${at}/${pointerPart(key)}`, why: unknownField(key, known) }))
  }
  const field = String(issue.path[0] ?? '')
  const here = `${at}/${pointerPart(field)}`
  if (!Object.hasOwn(raw, field)) {
    return [{ at: here, why: `this field of a reading is missing; expected ${wanted[field]}` }]
  }
  const said = issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : ''
  if (said.includes('; got ')) return [{ at: here, why: said }]
  const right = said === '' ? `expected ${wanted[field] ?? 'another kind of value'}` : said
  return [{ at: here, why: `${right}; got ${describeValue(raw[field])}` }]
}
