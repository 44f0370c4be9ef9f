import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly (string | number)[]

/** One schema complaint in plain words: where in the data, what was found, and what would be right. */
export interface Described {
  readonly path: Path
  readonly why: string
}

/** Turns a schema's complaints into sentences; unknown fields become one each. */
export function describeIssue(issue: Issue, data: unknown): readonly Described[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], why: `there is no field \`${key}\` here` }))
  }
  const found = valueAt(data, path)
  if (found === undefined) {
    return [{ path, why: `\`${path.at(-1) ?? 'the document'}\` is missing; ${expected(issue)}` }]
  }
  return [{ path, why: `${expected(issue)}; got ${shown(found)}${quoteAdvice(issue, found)}` }]
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeWords[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.map((value) => `\`${String(value)}\``).join(', ')}`
    case 'too_small':
      return `expected ${limit(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'too_big':
      return `expected ${limit(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'invalid_union':
      return expectedOfUnion(issue)
    default:
      return issue.message
  }
}

/** The wishes of all branches, each once. */
function expectedOfUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const wishes = new Set(issue.errors.flat().map((branch) => expected(branch).replace(/^expected /, '')))
  return wishes.size === 0 ? `expected ${operationNames}` : `expected ${[...wishes].join(', or ')}`
}

const operationNames =
  'one of `add_event_type`, `retire_event_type`, `add_edge`, `revise_edge`, `expire_edge`, `add_regulation`, `supersede_regulation`'

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'fields',
  array: 'a list',
}

function limit(issue: { readonly origin: string }, words: string, bound: number | bigint): string {
  const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }
  return `${words} ${bound}${units[issue.origin] ?? ''}`
}

/** YAML types a scalar by how it is written: quotes turn it into text, their absence into a number. */
function quoteAdvice(issue: Issue, found: unknown): string {
  if (typeof found === 'string') {
    return issue.code === 'invalid_type' && issue.expected === 'number' ? ': leave out the quotes' : ''
  }
  const changed = typeof found === 'number' || typeof found === 'boolean'
  return changed && wantsText(issue) ? ': quote it' : ''
}

function wantsText(issue: Issue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.flat().some(wantsText)
  return issue.code === 'invalid_type' && issue.expected === 'string'
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'fields'
  const text = String(value)
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}
