import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { aFolder } from '../support/a-folder.ts'
import { aFact, aMigration, anEpisode, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'
import { aNumberedWrite, isFailure, recordOf, storeContract } from './store-contract.ts'

const aPath = () => join(aFolder(), 'causebook.db')

storeContract('sqlite', async () => openSqliteStore(aPath()))

it('nobody changes, removes or replaces a row, through whichever connection', async () => {
  const path = aPath()
  await using store = await openSqliteStore(path)
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  await store.applyMigration(...aMigration(1, 1, 2), 'compliance')
  const content = { newFacts: [aFact()], newEpisodes: [anEpisode()] }
  await store.commitDecision(aWrite({ decisionId: 'd-1', subjectId: 'cust-1', ...content }))
  const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  for (const table of ['facts', 'episodes', 'ledger', 'decisions', 'rule_sets', 'graph_log', 'migrations']) {
    const columns = raw.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
    for (const { name } of columns) {
      assert.throws(() => raw.exec(`UPDATE ${table} SET ${name} = ${name}`), /append-only/)
    }
    assert.throws(() => raw.exec(`DELETE FROM ${table}`), /append-only/)
    assert.throws(() => raw.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`), /append-only/)
    assert.throws(() => raw.exec(`INSERT OR IGNORE INTO ${table} SELECT * FROM ${table}`), /append-only/)
  }
  raw.close()
  assert.equal((await verifyLedger(store)).faultCount, 0)
})

it('value, type, unit, confidence, source, method and observed_at are columns of their own', async () => {
  const path = aPath()
  await using store = await openSqliteStore(path)
  const newFacts = [aFact({ method: 'ocr' }), aFact({ fact: 'bonus', value: null })]
  await store.commitDecision(aWrite({ decisionId: 'd-1', newFacts }))
  const raw = new DatabaseSync(path, { readOnly: true })
  const rows = raw
    .prepare('SELECT value, type, unit, confidence, source, method, observed_at FROM facts')
    .all()
  raw.close()
  const row = { type: 'money', unit: 'USD', confidence: 0.97, source: 'payroll_api' }
  const observed_at = '2026-05-29T10:00:00Z'
  assert.deepEqual(
    rows.map((found) => ({ ...found })),
    [
      { ...row, value: null, method: null, observed_at },
      { ...row, value: '"4000"', method: 'ocr', observed_at },
    ],
  )
})

it('what was written is there after the store was closed and opened again, in one file of its owner', async () => {
  const path = join(aFolder(), 'made', 'on', 'demand', 'causebook.db')
  const before = await openSqliteStore(path)
  const records = [recordOf(await before.commitDecision(aNumberedWrite(1)))]
  await before[Symbol.asyncDispose]()
  assert.throws(() => statSync(`${path}-wal`), { code: 'ENOENT' })
  assert.equal(statSync(path).mode & 0o077, 0)
  await using store = await openSqliteStore(path)
  records.push(recordOf(await store.commitDecision(aNumberedWrite(2))))
  assert.deepEqual(await store.readLedger('embedded', 0, 10), records)
})

it('the journal is a write-ahead log', async () => {
  const path = aPath()
  await using _store = await openSqliteStore(path)
  const raw = new DatabaseSync(path, { readOnly: true })
  assert.equal(raw.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
  raw.close()
})

it('a file of another version is refused and left as it is', async () => {
  const path = aPath()
  await (await openSqliteStore(path))[Symbol.asyncDispose]()
  const raw = new DatabaseSync(path)
  raw.exec("UPDATE meta SET value = 'another' WHERE key = 'schema_version'; PRAGMA journal_mode = DELETE")
  await assert.rejects(openSqliteStore(path), isFailure('STORE_VERSION_UNKNOWN'))
  assert.equal(raw.prepare('PRAGMA journal_mode').get()?.journal_mode, 'delete')
  raw.close()
})

it('a file that is not ours is refused', async () => {
  const [foreign, noDatabase] = [aPath(), aPath()]
  const raw = new DatabaseSync(foreign)
  raw.exec('CREATE TABLE theirs (a TEXT)')
  raw.close()
  writeFileSync(noDatabase, 'Dear diary, today I was not a database.'.repeat(100))
  await assert.rejects(openSqliteStore(foreign), isFailure('STORE_VERSION_UNKNOWN'))
  await assert.rejects(openSqliteStore(noDatabase), isFailure('STORE_VERSION_UNKNOWN'))
})

it('a path that cannot be written is STORE_UNAVAILABLE', async () => {
  await assert.rejects(openSqliteStore('/dev/null/data/causebook.db'), isFailure('STORE_UNAVAILABLE'))
})

it('more waiting decisions than allowed are OVERLOADED, the others are recorded', async () => {
  await using store = await openSqliteStore(aPath(), { batchMax: 4, waitingMax: 10 })
  const results = await Promise.allSettled(
    Array.from({ length: 15 }, (_, index) => store.commitDecision(aNumberedWrite(index))),
  )
  const rejected = results.filter((result) => result.status === 'rejected')
  assert.equal(rejected.length, 5)
  for (const { reason } of rejected) isFailure('OVERLOADED')(reason)
  assert.equal((await store.readLedger('embedded', 0, 100)).length, 10)
  recordOf(await store.commitDecision(aNumberedWrite(20)))
})

it('a lock held by another process is waited for without blocking this one', async () => {
  const path = aPath()
  await using store = await openSqliteStore(path)
  const raw = new DatabaseSync(path)
  raw.exec('BEGIN IMMEDIATE')
  let settled = false
  const pending = store.commitDecision(aNumberedWrite(1)).finally(() => {
    settled = true
  })
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(settled, false)
  assert.deepEqual(await store.readFacts('app-n1'), [])
  raw.exec('ROLLBACK')
  raw.close()
  recordOf(await pending)
})

it('closing waits for what was begun', async () => {
  const path = aPath()
  const store = await openSqliteStore(path)
  const raw = new DatabaseSync(path)
  raw.exec('BEGIN IMMEDIATE')
  const begun = [
    store.saveRuleSet(ruleSetHash, ruleSetText),
    store.applyMigration(...aMigration(1, 1, 2), 'compliance'),
    store.commitDecision(aNumberedWrite(1)).then(recordOf),
  ]
  const closed = store[Symbol.asyncDispose]()
  await new Promise((resolve) => setTimeout(resolve, 50))
  raw.exec('ROLLBACK')
  raw.close()
  await Promise.all([...begun, closed])
  await using again = await openSqliteStore(path)
  assert.deepEqual(await verifyLedger(again), { records: 2, decisions: 1, faults: [], faultCount: 0 })
})

it('a file that lost a table is STORE_UNAVAILABLE', async () => {
  const path = aPath()
  await (await openSqliteStore(path))[Symbol.asyncDispose]()
  const raw = new DatabaseSync(path)
  raw.exec('DROP TABLE episodes')
  raw.close()
  await assert.rejects(openSqliteStore(path), isFailure('STORE_UNAVAILABLE'))
})
