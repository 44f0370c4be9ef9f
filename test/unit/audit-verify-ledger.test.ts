import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { canonicalJson, sha256 } from '../../src/audit/canonical.ts'
import { genesis, hashOfRecord, linkRecord } from '../../src/audit/link-record.ts'
import { type LedgerReport, verifyLedger } from '../../src/audit/verify-ledger.ts'
import type { LedgerRecord } from '../../src/domain/record.ts'
import type { Store } from '../../src/ports/store.ts'
import { aFolder } from '../support/a-folder.ts'
import { aFact, aMigration, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'

it("a record's hash covers every other field, and the first one links to genesis", () => {
  const { body, time, actor } = aWrite({ decisionId: 'd-1' })
  const record = linkRecord({ writer: 'w', seq: 1, prev: genesis, time, actor, body })
  const { hash, ...rest } = record
  assert.equal(hash, sha256(canonicalJson(rest)))
  assert.equal(hash, hashOfRecord(record))
  const changed: Partial<LedgerRecord>[] = [
    { writer: 'v' },
    { seq: 2 },
    { prev: hash },
    { time: '2026-06-01T14:03:00.001Z' },
    { actor: 'x' },
    { kind: 'graph_migrated' },
    { payload: { ...record.payload, engine: '0.1.1' } },
  ]
  for (const change of changed) assert.notEqual(hashOfRecord({ ...record, ...change }), hash)
})

it('an empty ledger verifies', async () => {
  await using store = openMemoryStore()
  assert.deepEqual(await verifyLedger(store), { records: 0, decisions: 0, faults: [], faultCount: 0 })
})

it('progress runs up to the number of records, across pages', async () => {
  await using store = await aStore(450)
  const seen: string[] = []
  const report = await verifyLedger(store, ({ done, total }) => seen.push(`${done}/${total}`))
  assert.deepEqual(seen, ['200/451', '400/451', '451/451'])
  assert.deepEqual(report, { records: 451, decisions: 450, faults: [], faultCount: 0 })
})

it('each fault is named at its record', async () => {
  const store = await aStore(4)
  const found = async (changes: Partial<Store>) => await faultsOf({ ...store, ...changes })
  const ledger = (change: (record: LedgerRecord) => LedgerRecord | undefined): Partial<Store> => ({
    readLedger: async (...range) =>
      (await store.readLedger(...range)).flatMap((record) => change(record) ?? []),
  })

  assert.match(
    await found(ledger((r) => (r.seq === 3 ? { ...r, actor: 'mallory' } : r))),
    /^3: `hash` is not/,
  )
  assert.match(
    await found(ledger((r) => (r.seq === 3 ? undefined : r))),
    /^4: expected record 3 next; got `4`/,
  )
  assert.match(await found(ledger((r) => (r.seq === 3 ? relinked(r) : r))), /^3: `prev` is not the hash/)
  assert.match(
    await found(ledger((r) => (r.seq === 3 ? rehashed(r) : r))),
    /^3: the record is not valid: .*engine/,
  )
  assert.match(await found({ findRuleSet: async () => undefined }), /^2: rule set `sha256:\w+` is not stored/)
  assert.match(await found({ findRuleSet: async () => '{}' }), /^2: rule set `sha256:\w+` was changed/)
  assert.match(await found({ listDecisions: async () => [] }), /^2: decision `d-0` is not stored/)
  assert.match(
    await found({ readGraphLog: async () => [] }),
    /^1: migration `V0001` or its change log was changed/,
  )
  assert.match(await found({ appliedMigrations: async () => [] }), /^1: migration `V0001` is not stored/)
  const applied = async () => aMigration(2, 4, 1).slice(0, 1) as never
  assert.match(
    await found({ appliedMigrations: applied }),
    /^0: migration `V0002` was applied without a record/m,
  )
  const application = undefined
  const nothing = async () => ({ facts: [], episodes: [], application })
  assert.match(await found({ readMemory: nothing }), /^2: version 1 of fact `monthly_income` is not stored/)
  const other = aFact({ application_id: 'app-0', value: '4001' })
  const changed = async () => ({ facts: [other], episodes: [], application })
  assert.match(await found({ readMemory: changed }), /^2: version 1 of fact `monthly_income` was changed/)
  const more = async (id: string) => {
    const { facts, episodes } = await store.readMemory(id, undefined)
    return { facts: id === 'app-1' ? [...facts, aFact({ version: 2 })] : facts, episodes, application }
  }
  assert.match(await found({ readMemory: more }), /^3: 1 stored facts stand in no record/)
})

it('faults are counted beyond the hundred that are kept', async () => {
  await using store = await aStore(130)
  const report = await verifyLedger({ ...store, listDecisions: async () => [] })
  assert.deepEqual([report.faults.length, report.faultCount], [100, 130])
})

it('a ledger that grows while it is verified shows no fault', async () => {
  const store = await openSqliteStore(join(aFolder(), 'causebook.db'))
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  let writing = true
  const write = async () => {
    for (let index = 0; index < 90; index += 1) {
      const seen = await store.readMemory('app-1', undefined)
      const newFacts = index < 10 ? [aFact({ version: index + 1 })] : []
      await store.commitDecision(aWrite({ decisionId: `d-${index}`, newFacts }, seen))
      if (index % 30 === 15) {
        const number = Math.floor(index / 30) + 1
        await store.applyMigration(...aMigration(number, number, 1), 'compliance')
      }
    }
    writing = false
  }
  const reports: LedgerReport[] = []
  const check = async () => {
    while (writing) {
      reports.push(await verifyLedger(store))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all([write(), check()])
  await store[Symbol.asyncDispose]()
  assert.ok(reports.length > 1)
  assert.deepEqual(
    reports.flatMap(({ faults }) => faults),
    [],
  )
})

it('several writers: what the last decision of any of them names is named', async () => {
  const path = join(aFolder(), 'causebook.db')
  await using store = await openSqliteStore(path)
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  await store.commitDecision(aWrite({ decisionId: 'd-1', newFacts: [aFact()] }))
  const seen = await store.readMemory('app-1', undefined)
  const second = aFact({ version: 2 })
  const write = aWrite({ decisionId: 'd-2', newFacts: [second] }, seen)
  const raw = new DatabaseSync(path)
  const { fact, salt } = second
  const row = { ...fact, value: canonicalJson(fact.value), salt }
  raw
    .prepare(`INSERT INTO facts (${Object.keys(row)}) VALUES (${Object.keys(row).map((key) => `:${key}`)})`)
    .run(row)
  assert.match(await faultsOf(store), /^1: 1 stored facts stand in no record/)

  const { time, actor, body } = write
  const record = linkRecord({ writer: 'another', seq: 1, prev: genesis, time, actor, body })
  const ledgerRow = { ...record, payload: canonicalJson(record.payload) }
  raw
    .prepare('INSERT INTO ledger VALUES (:writer, :seq, :time, :actor, :kind, :payload, :prev, :hash)')
    .run(ledgerRow)
  raw
    .prepare("INSERT INTO decisions VALUES ('d-2', 'another', 1, 'app-1', NULL, NULL, ?, ?)")
    .run(write.answer.text, write.answer.salt)
  raw.close()
  assert.deepEqual(await store.writers(), ['another', 'embedded'])
  assert.deepEqual(await verifyLedger(store), { records: 2, decisions: 2, faults: [], faultCount: 0 })
})

async function aStore(decisions: number): Promise<Store> {
  const store = openMemoryStore()
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  await store.applyMigration(...aMigration(1, 1, 3), 'compliance')
  for (let index = 0; index < decisions; index += 1) {
    const applicationId = `app-${index}`
    const newFacts = [aFact({ application_id: applicationId })]
    await store.commitDecision(aWrite({ decisionId: `d-${index}`, applicationId, newFacts }))
  }
  return store
}

async function faultsOf(store: Store): Promise<string> {
  return (await verifyLedger(store)).faults.map(({ seq, why }) => `${seq}: ${why}`).join('\n')
}

function relinked(record: LedgerRecord): LedgerRecord {
  return withHash({ ...record, prev: genesis })
}

function rehashed(record: LedgerRecord): LedgerRecord {
  return withHash({ ...record, payload: { ...record.payload, engine: 1 } })
}

function withHash(record: LedgerRecord): LedgerRecord {
  return { ...record, hash: hashOfRecord(record) }
}
