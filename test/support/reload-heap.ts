import path from 'node:path'
import { readMigrations } from '../../src/adapters/files/read-migrations.ts'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { systemRandomness } from '../../src/adapters/system/system-randomness.ts'
import { deploy } from '../../src/commands/deployment.ts'
import { guardDecisions } from '../../src/decision/guard-decisions.ts'
import { openRules } from '../../src/reload/open-rules.ts'
import { aFolder } from './a-folder.ts'
import { anOffer } from './live-rules.ts'
import { putSwitching, switchingPack, switchingRequest } from './switching-pack.ts'

/* Reloads rules so many times, each another set, with so many decisions in between; prints the heap early and late. */

const [reloads = 1000, decisions = 20] = process.argv.slice(2).map(Number)
const folder = aFolder()
const { graph } = await putSwitching(folder, 'approve')
const store = await openSqliteStore(path.join(folder, 'data', 'causebook.db'))
const metrics = openMetrics()
const rules = openRules({ store, clock: systemClock, metrics, log: () => {}, failingMaxMs: 0 })
const { service } = await deploy({
  store,
  rules,
  migrations: await readMigrations(graph),
  clock: systemClock,
  randomness: systemRandomness,
  deadlineMs: 60_000,
  engine: 'test',
})
const guarded = guardDecisions(service, rules, metrics, systemClock)

function heapBytes(): number {
  for (let times = 0; times < 4; times++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

let early = 0
for (let reload = 1; reload <= reloads; reload++) {
  const side = reload % 2 === 0 ? 'approve' : 'manual_review'
  // Every tenth is bad.
  if (reload % 10 === 0) await rules.offer(anOffer([switchingPack(side, '[')]))
  await rules.offer(anOffer([switchingPack(side, `reload-${reload}`)]))
  for (let count = 0; count < decisions; count++) {
    const answer = await guarded.decide(switchingRequest(`heap-${reload}-${count}`), 'test')
    if (answer.decision !== side) throw new Error(`reload ${reload}: ${answer.decision}`)
  }
  await rules.report()
  if (reload === 50) early = heapBytes()
}
const late = heapBytes()
await store[Symbol.asyncDispose]()
console.log(`heap after 50 reloads: ${early} bytes, after ${reloads}: ${late} (${decisions} decisions each)`)
