import { readJson } from '../decision/read-json.ts'
import type { RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'

/** The largest request body that is read, in bytes. */
export const bodyBytesMax = 1024 * 1024

/** The body's bytes as they came. Failures: CONTENT_TYPE_UNSUPPORTED, BODY_TOO_LARGE, BODY_MISSING. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  checkContentType(request.headers)
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > bodyBytesMax) throw tooLarge(`it is announced with ${declared} bytes`)
  // The HTTP parser holds a body to its announced length; only one without a length must be counted.
  const bytes = await unlessCut(Number.isNaN(declared) ? readCounted(request.body) : request.arrayBuffer())
  if (bytes.byteLength === 0) {
    throw new Failure('BODY_MISSING', { at: '', why: 'expected a JSON object; the body is empty' })
  }
  return bytes
}

/** Failure: BODY_NOT_JSON. */
export function parseBody(bytes: Uint8Array): RawValue {
  return readJson(decode(bytes))
}

function checkContentType(headers: Headers): void {
  const found = headers.get('content-type') ?? ''
  const [type = '', ...parameters] = found.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (type !== 'application/json' || (charset !== undefined && !/^charset="?utf-8"?$/.test(charset))) {
    const got = found === '' ? 'there is none' : `got \`${found.slice(0, 100)}\``
    const why = `expected the header \`Content-Type: application/json\` (in UTF-8); ${got}`
    throw new Failure('CONTENT_TYPE_UNSUPPORTED', { at: '', why })
  }
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    const why = `expected a body that is not compressed; got \`Content-Encoding: ${encoding.slice(0, 100)}\``
    throw new Failure('CONTENT_TYPE_UNSUPPORTED', { at: '', why })
  }
}

/** A caller who hangs up in the middle of a body is no failure of ours. */
async function unlessCut(reading: Promise<Uint8Array | ArrayBuffer>): Promise<Uint8Array> {
  try {
    return new Uint8Array(await reading)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('REQUEST_MALFORMED', { at: '', why: 'the body ended before its length' }, { cause })
  }
}

async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  if (body !== null) {
    // Leaving the loop cancels the stream, so the rest is not read.
    for await (const part of body) {
      size += part.byteLength
      if (size > bodyBytesMax) throw tooLarge('it goes on after that')
      parts.push(part)
    }
  }
  return Buffer.concat(parts)
}

function tooLarge(found: string): Failure {
  return new Failure('BODY_TOO_LARGE', { at: '', why: `expected at most ${bodyBytesMax} bytes; ${found}` })
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Failure(
      'BODY_NOT_JSON',
      { at: '', why: 'expected text in UTF-8; some bytes are not' },
      { cause },
    )
  }
}
