import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure } from '../errors.ts'
import { type Log, problem } from './problem.ts'

/**
 * Answers what the HTTP parser could not read, in the shape of every other failure, and closes the connection.
 * Nothing is written where the other side is gone; a request of before that is being answered gets its answer first.
 */
export async function refuseConnection(
  error: Failure | NodeJS.ErrnoException,
  socket: Duplex,
  log: Log,
  current?: Exchange,
): Promise<void> {
  const isGone = error.code === 'ECONNRESET'
  if (current !== undefined && !isGone && isAnswering(current)) {
    current.outgoing.once('close', () => socket.destroy())
    return
  }
  if (isGone || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = problem(failureOf(error), '', log)
  const body = Buffer.from(await answer.arrayBuffer())
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ]
  if (!socket.writable) return
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]))
}

/** A request on a connection, and its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** A request that came in whole is being answered; what is wrong came after it, and must not stand in its place. */
function isAnswering({ incoming, outgoing }: Exchange): boolean {
  return !outgoing.writableFinished && (incoming.complete || outgoing.headersSent)
}

/** The most header lines a request may have. */
const headerLinesMax = 100

function tooManyHeaders(found: string): Failure {
  const why = `expected at most ${headerLinesMax} header lines and 16 KiB of them; ${found}`
  return new Failure('HEADERS_TOO_LARGE', { at: '', why })
}

/** Why a request that the parser let pass is not taken; `undefined`: it is. */
export function whyNotHttp({ rawHeaders, headers }: IncomingMessage): Failure | undefined {
  const lines = rawHeaders.length / 2
  if (lines > headerLinesMax) return tooManyHeaders(`there are ${lines} lines`)
  if (headers.host !== undefined) return undefined
  return new Failure('REQUEST_MALFORMED', { at: '', why: 'expected a `Host` header; there is none' })
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
