import { Agent, request } from 'node:http'

export interface LoadResult {
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
}

/**
 * Posts each body once over `connections` kept-alive connections; each connection sends its next when the last is
 * answered. Throws on any answer but 200.
 */
export async function load(url: string, bodies: readonly string[], connections: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latenciesMs: number[] = []
  let next = 0
  const startedMs = performance.now()
  const worker = async () => {
    for (;;) {
      const body = bodies[next++]
      if (body === undefined) return
      const sentMs = performance.now()
      await post(agent, url, body)
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const perSecond = (bodies.length / (performance.now() - startedMs)) * 1000
  agent.destroy()
  return { perSecond, latenciesMs }
}

function post(agent: Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      const ok = incoming.statusCode === 200
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk) => {
        if (!ok) text += chunk
      })
      incoming.on('end', () => (ok ? resolve() : reject(new Error(`${incoming.statusCode}: ${text}`))))
      incoming.on('error', reject)
    })
    outgoing.on('error', (error) => reject(new Error(`posting to ${url}`, { cause: error })))
    outgoing.end(body)
  })
}
