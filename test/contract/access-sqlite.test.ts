import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { aFolder } from '../support/a-folder.ts'
import { aKey, aSecret } from '../support/key-builders.ts'
import { ruleSetHash } from '../support/store-builders.ts'
import { accessContract } from './access-contract.ts'
import { aNumberedWrite, recordOf } from './store-contract.ts'

const aPath = () => join(aFolder(), 'causebook.db')
const later = '2026-06-02T09:00:00.000Z'
const claim = { scope: 'local POST /v1/decisions', key: 'retry-1', bodyHash: ruleSetHash }

accessContract('sqlite', async () => openSqliteStore(aPath()))

async function aFilledStore(path: string): Promise<void> {
  await using store = await openSqliteStore(path)
  await store.saveKey(aKey('one', { expires_at: '2027-01-01T00:00:00.000Z' }), 'local')
  await store.saveKey(aKey('two'), 'local')
  await store.revokeKey(aKey('two').id, later, 'local')
  recordOf(await store.commitDecision({ ...aNumberedWrite(1), idempotency: claim }))
}

it('nobody changes, removes or replaces a key, a revocation or a claim', async () => {
  const path = aPath()
  await aFilledStore(path)
  const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  for (const table of ['access_keys', 'key_revocations', 'claims']) {
    for (const { name } of raw.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()) {
      assert.throws(() => raw.exec(`UPDATE ${table} SET ${name} = ${name}`), /append-only/)
    }
    assert.throws(() => raw.exec(`DELETE FROM ${table}`), /append-only/)
    assert.throws(() => raw.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`), /append-only/)
  }
  raw.close()
})

it('the file holds no secret of a key', async () => {
  const path = aPath()
  await aFilledStore(path)
  const raw = new DatabaseSync(path, { readOnly: true })
  const rows = ['access_keys', 'key_revocations', 'ledger'].flatMap((table) =>
    raw.prepare(`SELECT * FROM ${table}`).all(),
  )
  raw.close()
  const text = JSON.stringify(rows)
  for (const name of ['one', 'two']) assert.ok(!text.includes(aSecret(name).slice(-43)))
})

it('a key made, changed, revoked or restored behind the ledger is found', async () => {
  const changes: [string, RegExp][] = [
    [`UPDATE access_keys SET roles = '["admin"]' WHERE name = 'one'`, /was changed/],
    [`UPDATE access_keys SET hash = 'sha256:${'0'.repeat(64)}' WHERE name = 'one'`, /was changed/],
    [`UPDATE access_keys SET expires_at = NULL WHERE name = 'one'`, /was changed/],
    [`UPDATE access_keys SET rate_per_minute = 7 WHERE name = 'two'`, /was changed/],
    [`UPDATE access_keys SET name = 'uno' WHERE name = 'one'`, /was changed/],
    [`UPDATE access_keys SET roles = 'all' WHERE name = 'one'`, /canonical JSON/],
    [`DELETE FROM access_keys WHERE name = 'one'`, /is not stored/],
    [`DELETE FROM key_revocations`, /revocation of key `\w+` is gone/],
    [`UPDATE key_revocations SET revoked_at = '2030-01-01T00:00:00.000Z'`, /revocation .* was changed/],
    [
      `INSERT INTO key_revocations SELECT id, '${later}' FROM access_keys WHERE name = 'one'`,
      /without a record/,
    ],
    [
      `INSERT INTO access_keys SELECT 'ffffffffffff', roles, name, created_at, NULL, 1, hash FROM access_keys LIMIT 1`,
      /created without a record/,
    ],
  ]
  for (const [change, why] of changes) {
    const path = aPath()
    await aFilledStore(path)
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    for (const { name } of raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
      raw.exec(`DROP TRIGGER "${name}"`)
    }
    raw.exec(change)
    raw.close()
    await using store = await openSqliteStore(path)
    const { faults } = await verifyLedger(store)
    assert.ok(
      faults.some((fault) => why.test(fault.why)),
      `${change}: ${JSON.stringify(faults)}`,
    )
  }
})

it('two processes on one file see each other’s keys and claims', async () => {
  const path = aPath()
  await using one = await openSqliteStore(path)
  await using other = await openSqliteStore(path)
  await one.saveKey(aKey('one'), 'local')
  assert.equal((await other.listKeys()).length, 1)
  await other.revokeKey(aKey('one').id, later, 'local')
  assert.equal((await one.findKey(aKey('one').id))?.revoked_at, later)
  const results = await Promise.all(
    [one, other].flatMap((store, side) =>
      Array.from({ length: 50 }, (_, index) =>
        store.commitDecision({ ...aNumberedWrite(side * 50 + index), idempotency: claim }),
      ),
    ),
  )
  assert.equal(results.filter((result) => 'record' in result).length, 1)
})
