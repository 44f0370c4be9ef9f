import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Failure } from '../errors.ts'
import { type AppDeps, createApp } from './create-app.ts'
import { problem } from './problem.ts'
import { type Exchange, refuseConnection, whyNotHttp } from './refuse-connection.ts'

/** A service that listens. */
export interface Listening {
  readonly url: string
  /** Stops accepting, lets what is under way finish (10 seconds at most), then resolves. */
  stop(): Promise<void>
}

/** How long a caller may take, and how much it may send before the body. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16 * 1024,
  // Checked with the rest, so that the answer has the shape of every other.
  requireHostHeader: false,
}
const finishMs = 10_000

/** Serves the app over HTTP. Failure: CONFIG_INVALID when the address can't be listened on. */
export async function serve(
  deps: AppDeps,
  address: { host: string; port: number },
  patience: { requestTimeout?: number; headersTimeout?: number; connectionsCheckingInterval?: number } = {},
): Promise<Listening> {
  const app = createApp(deps)
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => problem(translated(error), '', deps.log),
  })
  let stopping = false
  const current = new WeakMap<Duplex, Exchange>()
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    current.set(incoming.socket, { incoming, outgoing })
    if (stopping) outgoing.setHeader('connection', 'close')
    const failure = whyNotHttp(incoming)
    if (failure === undefined) void listener(incoming, outgoing)
    else void refuseConnection(failure, incoming.socket, deps.log)
  }
  const server = createServer({ ...limits, ...patience }, answer)
  // An expectation that we do not know is no reason to answer otherwise.
  server.on('checkExpectation', answer)
  // The parser would drop the rest in silence; they are counted above instead.
  server.maxHeadersCount = 0
  server.on('clientError', (error, socket) => {
    void refuseConnection(error, socket, deps.log, current.get(socket))
  })
  await listen(server, address)
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return {
    url: `http://${host}:${port}`,
    stop: () => {
      stopping = true
      return close(server)
    },
  }
}

/** What the HTTP layer itself refuses (a target or Host that is no address) is the caller's mistake. */
function translated(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error
  const why = 'the request target or its Host header is no valid address'
  return new Failure('ROUTE_UNKNOWN', { at: '', why }, { cause: error })
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? `port ${port} of ${host} is taken; stop what uses it, or choose another (0 takes any free one)`
          : `port ${port} of ${host} can't be listened on (${cause.code})`
      reject(new Failure('CONFIG_INVALID', { at: 'CAUSEBOOK_PORT', why }, { cause }))
    })
    server.listen(port, host, () => resolve())
  })
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A connection whose last answer has gone out is idle; nothing else would close it now.
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  const limit = setTimeout(() => server.closeAllConnections(), finishMs)
  await closed
  clearInterval(sweep)
  clearTimeout(limit)
}
