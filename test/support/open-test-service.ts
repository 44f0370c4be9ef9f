import { readMigrations } from '../../src/adapters/files/read-migrations.ts'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { type Deployment, openDeployment } from '../../src/commands/deployment.ts'
import type { Witness } from '../../src/decision/witness.ts'
import type { Clock, Randomness } from '../../src/ports/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'

export interface TestService extends Deployment {
  readonly store: Store
}

/** Counts instead of chance, so that a whole answer can be kept as a golden file. */
export function countingRandomness(): Randomness {
  let count = 0
  const next = (): string => String(++count)
  return { saltHex: () => next().padStart(64, '0'), id: () => `decision-${next()}` }
}

const loaded = new Map<string, Promise<readonly RuleSet[]>>()

/** Rule sets never change, so each folder is read once for all tests of a file. */
function loadedOnce(folder: string): Promise<readonly RuleSet[]> {
  const held =
    loaded.get(folder) ?? readPacks(folder).then(({ packs }) => packs.map((pack) => loadPack(pack.files)))
  loaded.set(folder, held)
  return held
}

/** The real packs and knowledge of a folder over a store, at one fixed time unless a clock is given. */
export async function openTestService(
  now: string,
  more: {
    rules?: string
    graph?: string
    store?: Store
    randomness?: Randomness
    clock?: Clock
    deadlineMs?: number
    witness?: Witness
  } = {},
): Promise<TestService> {
  const store = more.store ?? openMemoryStore()
  const deployment = await openDeployment({
    store,
    ruleSets: await loadedOnce(more.rules ?? 'rules'),
    migrations: await readMigrations(more.graph ?? 'graph'),
    clock: more.clock ?? { nowMs: () => Date.parse(now) },
    randomness: more.randomness ?? countingRandomness(),
    deadlineMs: more.deadlineMs ?? 60_000,
    engine: 'test',
    ...(more.witness === undefined ? {} : { witness: more.witness }),
  })
  return { ...deployment, store }
}
