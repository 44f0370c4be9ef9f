import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { sha256 } from '../../src/audit/canonical.ts'
import type { DecisionService } from '../../src/decision/decision-service.ts'
import { openDecisionService } from '../../src/decision/open-decision-service.ts'
import type { GraphOperation } from '../../src/domain/change-set.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import type { Store } from '../../src/ports/store.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { countingRandomness } from './open-test-service.ts'
import { now, ratioOperations, ratioRules } from './ratio-policy.ts'

export interface RatioService {
  readonly service: DecisionService
  readonly store: Store
  readonly ruleSet: RuleSet
  /** Applies one more migration; what is decided later uses it. */
  migrate(operations: readonly GraphOperation[]): Promise<void>
  /** What a caller of the whole store could have noticed: all of the ledger, and the memory of one application. */
  seen(): Promise<{ records: readonly { kind: string; payload: unknown }[]; memory: unknown }>
}

/** The ratio policy as a service over a store of its own, at one fixed time. */
export async function openRatioService({
  store = openMemoryStore(),
  nowText = now,
} = {}): Promise<RatioService> {
  const ruleSet = ratioRules()
  await store.saveRuleSet(ruleSet.hash, ruleSet.canonical)
  let knowledge = foldKnowledge([])
  const migrate = async (operations: readonly GraphOperation[]): Promise<void> => {
    const number = (await store.appliedMigrations()).length + 1
    const before = knowledge.position.sequence
    const migration = `V000${number}`
    const log = operations.map((operation, index) => ({
      sequence: before + index + 1,
      migration,
      zone: 'UTC',
      recorded_at: now,
      operation,
    }))
    const last_sequence = before + operations.length
    const applied = {
      migration,
      title: migration,
      checksum: sha256(migration),
      applied_at: now,
      last_sequence,
    }
    await store.applyMigration(applied, log, 'test')
    knowledge = foldKnowledge(await store.readGraphLog())
  }
  await migrate(ratioOperations)
  const service = openDecisionService({
    store,
    clock: { nowMs: () => Date.parse(nowText) },
    randomness: countingRandomness(),
    ruleSets: () => new Map([['ratio', ruleSet]]),
    knowledge: () => knowledge,
    graphCheck: () => ({ ok: true, detail: '' }),
    deadlineMs: 60_000,
    engine: 'test',
  })
  return {
    service,
    store,
    ruleSet,
    migrate,
    seen: async () => {
      const [writer = ''] = await store.writers()
      const records = await store.readLedger(writer, 0, 1000)
      return {
        records: records.map(({ kind, payload }) => ({ kind, payload })),
        memory: await store.readMemory('app-1', 'cust-1'),
      }
    },
  }
}
