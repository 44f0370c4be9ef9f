import { Failure } from '../errors.ts'

/** The largest single line that is read, in bytes. */
export const lineBytesMax = 1024 * 1024

const newline = 0x0a

/**
 * Splits a stream into lines, without their breaks, as they come. A line that is no UTF-8 (BODY_NOT_JSON) or too
 * long (BODY_TOO_LARGE) is given as its failure, and the lines after it go on.
 */
export async function* splitLines(
  input: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<string | Failure> {
  let parts: Uint8Array[] = []
  let size = 0
  let line = 1
  const finish = (last: Uint8Array): string | Failure => {
    const at = `${name}:${line}`
    const bytes = size > lineBytesMax ? undefined : Buffer.concat([...parts, last])
    parts = []
    size = 0
    line++
    return bytes === undefined || bytes.length > lineBytesMax ? tooLong(at) : decode(bytes, at)
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield finish(chunk.subarray(start, end))
      start = end + 1
    }
    size += chunk.length - start
    if (size <= lineBytesMax) parts.push(chunk.subarray(start))
  }
  if (size > 0) yield finish(new Uint8Array())
}

function decode(bytes: Uint8Array, at: string): string | Failure {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r$/, '')
  } catch (cause) {
    return new Failure('BODY_NOT_JSON', { at, why: 'expected text in UTF-8; some bytes are not' }, { cause })
  }
}

function tooLong(at: string): Failure {
  return new Failure('BODY_TOO_LARGE', {
    at,
    why: `expected at most ${lineBytesMax} bytes in one application`,
  })
}
