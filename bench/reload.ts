import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { watchPacks } from '../src/adapters/files/watch-packs.ts'
import { openMetrics } from '../src/adapters/memory/open-metrics.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from '../src/adapters/system/system-clock.ts'
import { keepRulesCurrent } from '../src/commands/keep-rules-current.ts'
import { type LiveRules, openRules } from '../src/reload/open-rules.ts'
import { loadPack } from '../src/rules/load-pack.ts'
import { packFiles, ruleWith } from '../test/support/pack-builders.ts'
import { type Measurement, measured, percentile } from './measurement.ts'

const settleMs = 200
const saves = 15
const beyondSettleMsMax = 500

/** From a file saved to its rules in force, with the real watcher and a store on disk; and a turn of the loop meanwhile. */
export async function benchReload(): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = []
  for (const count of [20, 1000]) measurements.push(...(await benchPack(count)))
  return measurements
}

async function benchPack(count: number): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causebook-bench-'))
  const store = await openSqliteStore(path.join(folder, 'data/causebook.db'))
  const log = () => {}
  const rules = openRules({ store, clock: systemClock, log, metrics: openMetrics(), failingMaxMs: 0 })
  try {
    const root = path.join(folder, 'rules')
    const coldMs = await layPack(root, count)
    const source = watchPacks(root, { pollMs: 0, log })
    const kept = await keepRulesCurrent({ source, rules, clock: systemClock, log, settleMs })
    const live: number[] = []
    const turns: number[] = []
    for (let save = 0; save < saves; save++) {
      const { tookMs, turnMsMax } = await saveOne(root, rules, save)
      live.push(tookMs - settleMs)
      turns.push(turnMsMax)
    }
    await kept.stop()
    const what = (metric: string) => ({ case: `${count} rules`, metric, unit: 'ms' })
    const median = percentile(live, 0.5)
    const beyond = measured('reload', what('save to live beyond settling'), median, { 'loaded anew': coldMs })
    return [
      { ...beyond, target: beyondSettleMsMax, met: median < beyondSettleMsMax },
      measured('reload', what('the same, slowest'), Math.max(...live), {}),
      measured('reload', what('longest turn meanwhile'), percentile(turns, 0.5), {}),
    ]
  } finally {
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the pack, and gives how long it takes to load from nothing, once its code is warm. */
async function layPack(root: string, count: number): Promise<number> {
  const files = packFiles(
    Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`r-${index}.yaml`, aRule(index, 1)])),
  )
  await mkdir(path.join(root, 'test-pack'), { recursive: true })
  for (const file of files) await writeFile(path.join(root, 'test-pack', file.path), file.text)
  let tookMs = Number.NaN
  for (let run = 0; run < 3; run++) {
    const fromMs = performance.now()
    loadPack(files)
    tookMs = performance.now() - fromMs
  }
  return tookMs
}

function aRule(index: number, revision: number): string {
  return ruleWith({
    id: `R-${index}`,
    when: `{all: [{fact: loan_amount, operator: greaterThan, value: ${index * 10}}, {fact: score, operator: lessThan, value: ${300 + revision}}]}`,
    more: `tests:
  - {name: fires, given: {loan_amount: ${index * 10 + 1}, score: 0}, expect: {fires: true}}
  - {name: at the limit, given: {loan_amount: ${index * 10}, score: 0}, expect: {fires: false}}
`,
  })
}

async function saveOne(
  root: string,
  rules: LiveRules,
  save: number,
): Promise<{ readonly tookMs: number; readonly turnMsMax: number }> {
  const before = rules.ruleSets()
  const draft = path.join(root, 'test-pack/.draft')
  await writeFile(draft, aRule(7, save + 2))
  const fromMs = performance.now()
  await rename(draft, path.join(root, 'test-pack/r-7.yaml'))
  let turnMsMax = 0
  let turnedMs = performance.now()
  while (rules.ruleSets() === before) {
    await nextTurn()
    const nowMs = performance.now()
    turnMsMax = Math.max(turnMsMax, nowMs - turnedMs)
    turnedMs = nowMs
    if (nowMs - fromMs > 60_000) throw new Error('the saved rule did not go into force')
  }
  return { tookMs: performance.now() - fromMs, turnMsMax }
}
