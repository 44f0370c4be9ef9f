import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { load } from './load.ts'
import { type Measurement, measured, percentile } from './measurement.ts'
import { start } from './start.ts'

const home = path.join(import.meta.dirname, '..')
const starts = 5
const connections = 32
const decisions = 5000
const warmUp = 1000
const commits = 1000

/** The whole path of one decision: cold start, throughput and latency over HTTP with durable records, bytes on disk. */
export async function benchPath(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causebook-bench-'))
  try {
    const bodies = await requests(warmUp + decisions)
    return [await coldStart(folder), ...(await throughput(folder, bodies))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function coldStart(folder: string): Promise<Measurement> {
  const ours: number[] = []
  const peer: number[] = []
  for (let run = 0; run < starts; run++) {
    await using service = await start(['src/main.ts', 'serve'], serviceEnv(path.join(folder, `start-${run}`)))
    ours.push(service.startMs)
    await using constant = await start(['bench/constant-server.ts'])
    peer.push(constant.startMs)
  }
  const what = { case: 'cold start', metric: 'median', unit: 'ms' }
  return measured('path', what, percentile(ours, 0.5), { constant: percentile(peer, 0.5) })
}

async function throughput(folder: string, bodies: readonly string[]): Promise<readonly Measurement[]> {
  const data = path.join(folder, 'load')
  const constant = await loadConstant(bodies)
  let ours: Awaited<ReturnType<typeof load>>
  {
    await using service = await start(['src/main.ts', 'serve'], serviceEnv(data))
    await load(`${service.url}/v1/decisions`, bodies.slice(0, warmUp), connections)
    ours = await load(`${service.url}/v1/decisions`, bodies.slice(warmUp), connections)
  }
  const posted = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length
  const peers = {
    constant: constant.perSecond,
    'one commit': commitsPerSecond(path.join(folder, 'commits.db')),
  }
  const p = (share: number) => percentile(ours.latenciesMs, share)
  const q = (share: number) => ({ constant: percentile(constant.latenciesMs, share) })
  const decided = { case: 'decisions', unit: 'ms' }
  return [
    measured('path', { case: 'decisions', metric: 'rate', unit: 'per second' }, ours.perSecond, peers),
    measured('path', { ...decided, metric: 'p50' }, p(0.5), q(0.5)),
    measured('path', { ...decided, metric: 'p99' }, p(0.99), q(0.99)),
    measured(
      'path',
      { case: 'disk', metric: 'size', unit: 'bytes per decision' },
      (await bytesIn(data)) / bodies.length,
      {
        request: posted,
      },
    ),
  ]
}

async function loadConstant(bodies: readonly string[]): Promise<Awaited<ReturnType<typeof load>>> {
  await using constant = await start(['bench/constant-server.ts'])
  await load(`${constant.url}/v1/decisions`, bodies.slice(0, warmUp), connections)
  return await load(`${constant.url}/v1/decisions`, bodies.slice(warmUp), connections)
}

/** One row of 2 kB a transaction, durable, one after the other. */
function commitsPerSecond(file: string): number {
  const db = new DatabaseSync(file)
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)',
  )
  const insert = db.prepare('INSERT INTO rows (text) VALUES (?)')
  const text = 'x'.repeat(2000)
  const startedMs = performance.now()
  for (let row = 0; row < commits; row++) insert.run(text)
  const perSecond = (commits / (performance.now() - startedMs)) * 1000
  db.close()
  return perSecond
}

/** The first example of a request, once for each of so many applicants, with incomes that differ. */
async function requests(count: number): Promise<readonly string[]> {
  const request = JSON.parse(await readFile(path.join(home, 'examples/requests/b2.json'), 'utf8'))
  return Array.from({ length: count }, (_, index) => {
    const facts = { ...request.facts, monthly_income: 3000 + (index % 50) * 100 }
    const subject = { id: `bench-${index}` }
    return JSON.stringify({ ...request, application_id: `bench-${index}`, subject, facts })
  })
}

/** The repository's packs and graph, or those of the environment. */
function serviceEnv(data: string): Record<string, string> {
  const { CAUSEBOOK_RULES = path.join(home, 'rules'), CAUSEBOOK_GRAPH = path.join(home, 'graph') } =
    process.env
  return {
    CAUSEBOOK_PORT: '0',
    CAUSEBOOK_DATA: data,
    CAUSEBOOK_DEADLINE_MS: '60000',
    CAUSEBOOK_RULES,
    CAUSEBOOK_GRAPH,
  }
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder)) sum += (await stat(path.join(folder, name))).size
  return sum
}
