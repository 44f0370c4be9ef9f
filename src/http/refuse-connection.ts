import type { Duplex } from 'node:stream'
import { Failure } from '../errors.ts'
import { type Log, problem } from './problem.ts'

/**
 * Answers what the HTTP parser could not read, in the shape of every other failure, and closes the connection.
 * Nothing is written where the other side is gone.
 */
export async function refuseConnection(
  error: Failure | NodeJS.ErrnoException,
  socket: Duplex,
  log: Log,
): Promise<void> {
  const isGone = error.code === 'ECONNRESET'
  if (isGone || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = problem(failureOf(error), '', log)
  const body = Buffer.from(await answer.arrayBuffer())
  const head = [
    `HTTP/1.1 ${answer.status} Refused`,
    ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  if (!socket.writable) return
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]))
}

/** The most header lines a request may have. */
export const headerLinesMax = 100

export function tooManyHeaders(found: string): Failure {
  const why = `expected at most ${headerLinesMax} header lines and 16 KiB of them; ${found}`
  return new Failure('HEADERS_TOO_LARGE', { at: '', why })
}

function failureOf(error: Failure | NodeJS.ErrnoException): Failure {
  if (error instanceof Failure) return error
  const { code } = error
  if (code === 'HPE_HEADER_OVERFLOW') return tooManyHeaders('there are more bytes')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const why = 'the request did not come in whole in time; is its Content-Length right?'
    return new Failure('REQUEST_TIMEOUT', { at: '', why })
  }
  const why = `expected a request as HTTP/1.1 has it; its parser found ${code ?? 'something else'}`
  return new Failure('REQUEST_MALFORMED', { at: '', why })
}
