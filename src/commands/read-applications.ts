import { readJson } from '../decision/read-json.ts'
import { readRequest } from '../decision/read-request.ts'
import type { DecisionRequest } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { lineBytesMax, splitLines } from './split-lines.ts'

/** One application of the input, or what is wrong with it; `line` is where it starts. */
export interface ApplicationRead {
  readonly line: number
  readonly request: DecisionRequest | Failure
}

/**
 * Reads applications as NDJSON (one object a line, each as it comes) or JSON (one object over many lines). The
 * first line tells which: a whole object means NDJSON, as does a name in `.ndjson` or `.jsonl`. A bad application
 * (BODY_NOT_JSON, BODY_TOO_LARGE, REQUEST_INVALID) is given as its failure and the rest goes on; BODY_MISSING is
 * thrown when there is none.
 */
export async function* readApplications(
  input: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<ApplicationRead> {
  let byLine = /\.(?:ndjson|jsonl)$/i.test(name)
  const held: string[] = []
  let line = 0
  let any = false
  for await (const text of splitLines(input, name)) {
    line++
    if (typeof text === 'string' && text.trim() === '' && (byLine || !any)) {
      held.push('')
      continue
    }
    if (!any) byLine ||= text instanceof Failure || isWhole(text)
    any = true
    if (byLine) yield { line, request: read(text, `${name}:${line}`) }
    else held.push(holdable(text, name))
  }
  if (!any) throw new Failure('BODY_MISSING', { at: name, why: 'expected an application; there is none' })
  if (!byLine) yield* readHeld(held, name)
}

/** Text that did not look like NDJSON at its first line: NDJSON with a broken first line, or one object. */
function* readHeld(lines: readonly string[], name: string): Generator<ApplicationRead> {
  const full = lines.filter((text) => text.trim() !== '')
  if (full.length < 2 || !full.every((text) => text.trimStart().startsWith('{'))) {
    const text = lines.join('\n')
    const fits = Buffer.byteLength(text) <= lineBytesMax
    yield { line: 1, request: fits ? read(text, name) : tooLarge(name) }
    return
  }
  for (const [index, text] of lines.entries()) {
    if (text.trim() !== '') yield { line: index + 1, request: read(text, `${name}:${index + 1}`) }
  }
}

function holdable(text: string | Failure, name: string): string {
  if (text instanceof Failure) throw text
  return text.length > lineBytesMax ? fail(tooLarge(name)) : text
}

function fail(failure: Failure): never {
  throw failure
}

function tooLarge(at: string): Failure {
  return new Failure('BODY_TOO_LARGE', {
    at,
    why: `expected at most ${lineBytesMax} bytes in one application`,
  })
}

function read(text: string | Failure, at: string): DecisionRequest | Failure {
  if (text instanceof Failure) return text
  try {
    return readRequest(readJson(text, at))
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
