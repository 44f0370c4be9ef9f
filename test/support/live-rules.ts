import { watchPacks } from '../../src/adapters/files/watch-packs.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { keepRulesCurrent } from '../../src/commands/keep-rules-current.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Metrics } from '../../src/ports/metrics.ts'
import type { Store } from '../../src/ports/store.ts'
import { type LiveRules, openRules } from '../../src/reload/open-rules.ts'
import { restoreActive } from '../../src/reload/restore-active.ts'
import type { Offer, OfferedPack } from '../../src/rules/current-rule-sets.ts'
import type { PackFile } from '../../src/rules/split-files.ts'
import { packFiles } from './pack-builders.ts'

export const startedAtMs = Date.UTC(2026, 5, 1, 12)

export interface TestRules {
  readonly rules: LiveRules
  readonly store: Store
  readonly metrics: Metrics
  readonly logged: string[]
  /** The clock's reading, to be moved by the test. */
  readonly time: { nowMs: number }
}

/** Live rules over a store, with what was in force over it before. */
export async function openTestRules(
  more: { store?: Store; failingMaxMs?: number; clock?: Clock } = {},
): Promise<TestRules> {
  const { store = openMemoryStore(), failingMaxMs = 0 } = more
  const logged: string[] = []
  const log = (line: string): void => void logged.push(line)
  const time = { nowMs: startedAtMs }
  const clock = more.clock ?? { nowMs: () => time.nowMs }
  const metrics = openMetrics()
  const active = await restoreActive(store, log)
  return {
    rules: openRules({ store, clock, log, metrics, failingMaxMs, active }),
    store,
    metrics,
    logged,
    time,
  }
}

/** Live rules kept current from a folder, by the real watcher, until disposed of. */
export async function watchTestRules(
  folder: string,
  more: { store?: Store; settleMs?: number; pollMs?: number; rescanMs?: number } = {},
): Promise<TestRules & AsyncDisposable> {
  const clock = { nowMs: () => Date.now() }
  const opened = await openTestRules({ ...more, clock })
  const { settleMs = 20, pollMs = 0, rescanMs } = more
  const log = (line: string): void => void opened.logged.push(line)
  const source = watchPacks(folder, { pollMs, log })
  const kept = await keepRulesCurrent({
    source,
    rules: opened.rules,
    clock,
    log,
    settleMs,
    ...(rescanMs === undefined ? {} : { rescanMs }),
  })
  return { ...opened, [Symbol.asyncDispose]: () => kept.stop() }
}

/** Waits until something holds; fails loudly when it does not come to hold. */
export async function until(what: string, holds: () => boolean, limitMs = 20_000): Promise<void> {
  const untilMs = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > untilMs) throw new Error(`it did not come to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The small valid pack as it lies in a folder, with changes as for `packFiles`. */
export function aPack(
  changes: Readonly<Record<string, string | undefined>> = {},
  folder = 'test-pack',
): OfferedPack {
  const files = packFiles(changes).map(({ path, text }): PackFile => ({ path: `${folder}/${path}`, text }))
  return { folder, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), faults: [] }
}

export function anOffer(packs: readonly OfferedPack[], more: Partial<Offer> = {}): Offer {
  return { packs, withdrawn: undefined, overlooked: [], faults: [], ...more }
}

/** Ids of the rule versions in force for a policy. */
export function inForce({ rules }: Pick<TestRules, 'rules'>, policy = 'test-pack'): readonly string[] {
  return [...(rules.ruleSets().get(policy)?.rules.keys() ?? [])]
}
