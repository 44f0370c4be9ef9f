import { parse } from 'lossless-json'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { scanJson } from './scan-json.ts'

/** Levels of lists and objects that are read; deeper input is refused before any recursion sees it. */
export const nestingMax = 64

/**
 * Reads JSON text, every number kept as it was written. `at` names the input in messages (a file and line, or
 * nothing for a request body). Failure: BODY_NOT_JSON with line and column, also for a key that stands twice in
 * one object (even with the same value), for `__proto__`, for text that is no valid Unicode, and for deep nesting.
 */
export function readJson(text: string, at = ''): RawValue {
  const refuse = (position: number, why: string, cause?: unknown): never => {
    throw new Failure('BODY_NOT_JSON', { at, why: `${placeOf(text, position)}: ${why}` }, { cause })
  }
  const flaw = scanJson(text, nestingMax)
  if (flaw !== undefined && flaw.kind === 'too_deep') return refuse(flaw.position, flaw.why)
  let value: unknown
  try {
    value = parse(text, undefined, {
      parseNumber: (digits) => new JsonNumber(digits),
      // Told apart below with its position, also when both values are equal.
      onDuplicateKey: ({ newValue }) => newValue,
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const found = / at position (\d+)$/.exec(error.message)
    const why = found === null ? error.message : error.message.slice(0, found.index)
    return refuse(Number(found?.[1] ?? 0), why, error)
  }
  if (flaw !== undefined) return refuse(flaw.position, flaw.why)
  return value as RawValue
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return `line ${line}, column ${position - (before.lastIndexOf('\n') + 1) + 1}`
}
