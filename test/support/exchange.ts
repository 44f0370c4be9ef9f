import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  /** 0 when the connection closed without an answer. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Bytes to send, one after the other; a function makes them endlessly until the other side has had enough. */
export type Bytes = readonly (string | Uint8Array)[] | (() => Uint8Array)

/**
 * Sends bytes as they are over a connection of its own and reads what comes back until it closes: for what no
 * client would send. `hangUp`: our side ends after the bytes.
 */
export async function exchange(url: string, bytes: Bytes, hangUp = false): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  let isOver = false
  socket.on('data', (chunk) => received.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isOver = true
      resolve()
    })
  })
  socket.setTimeout(20_000, () => socket.destroy())
  await once(socket, 'connect')
  if (typeof bytes !== 'function') for (const part of bytes) socket.write(part)
  else await pour(socket, bytes, closed, () => isOver || received.length > 0)
  if (hangUp) socket.end()
  await closed
  return parseAnswer(Buffer.concat(received).toString('utf8'))
}

async function pour(
  socket: ReturnType<typeof connect>,
  make: () => Uint8Array,
  closed: Promise<void>,
  enough: () => boolean,
): Promise<void> {
  while (!enough()) {
    if (socket.write(make())) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([new Promise<void>((resolve) => socket.once('drain', resolve)), closed])
  }
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n')
  const headers = lines.map((line) => {
    const cut = line.indexOf(':')
    return [line.slice(0, cut).toLowerCase(), line.slice(cut + 1).trim()] as const
  })
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0)
  return { status, headers: new Map(headers), body: unchunked(text.slice(end + 4), new Map(headers)) }
}

function unchunked(body: string, headers: ReadonlyMap<string, string>): string {
  if (headers.get('transfer-encoding') !== 'chunked') return body
  return body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '').replace(/\r\n\r\n$/, '')
}
