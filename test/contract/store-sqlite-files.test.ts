import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { makeFolder } from '../../src/adapters/files/make-folder.ts'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { genesis } from '../../src/audit/link-record.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { verifyTail } from '../../src/audit/verify-tail.ts'
import type { Store } from '../../src/ports/store.ts'
import { aFolder } from '../support/a-folder.ts'
import { aMigration, aSalt, ruleSetHash, ruleSetText } from '../support/store-builders.ts'
import { aNumberedWrite, isFailure, recordOf } from './store-contract.ts'

const aPath = () => join(aFolder(), 'data', 'causebook.db')
const headOf = (path: string) => join(dirname(path), 'ledger-head.json')
const remove = (path: string) => rmSync(path, { recursive: true, force: true })

const losses: readonly (readonly [string, (path: string) => void])[] = [
  ['the file is removed', (path) => remove(path)],
  [
    'the file and its side files are removed',
    (path) => ['', '-wal', '-shm'].map((side) => remove(path + side)),
  ],
  ['the log is removed', (path) => remove(`${path}-wal`)],
  ["the log's index is removed", (path) => remove(`${path}-shm`)],
  ['the folder is removed', (path) => remove(dirname(path))],
  ['the folder is moved away', (path) => renameSync(dirname(path), `${dirname(path)}-away`)],
  [
    'a file stands where the folder was',
    (path) => {
      remove(dirname(path))
      writeFileSync(dirname(path), '')
    },
  ],
  [
    'the file is replaced by a copy of itself',
    (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    },
  ],
]

for (const [name, lose] of losses) {
  it(`when ${name}, nothing is acknowledged any more, and the store says so until it is opened again`, async () => {
    const path = aPath()
    await using store = await openSqliteStore(path)
    recordOf(await store.commitDecision(aNumberedWrite(1)))
    await store.check()
    lose(path)
    await assert.rejects(store.check(), isFailure('STORE_UNAVAILABLE'))
    for (const write of everyWrite(store)) {
      await assert.rejects(write(), (error: Error) => {
        isFailure('STORE_UNAVAILABLE')(error)
        return /removed or replaced/.test(error.message)
      })
    }
    await assert.rejects(store.check(), isFailure('STORE_UNAVAILABLE'))
  })
}

it('a store that was lost and came back stays failed: another may have recorded meanwhile', async () => {
  const path = aPath()
  await using store = await openSqliteStore(path)
  renameSync(path, `${path}.away`)
  await assert.rejects(store.commitDecision(aNumberedWrite(1)), isFailure('STORE_UNAVAILABLE'))
  renameSync(`${path}.away`, path)
  await assert.rejects(store.check(), isFailure('STORE_UNAVAILABLE'))
  await assert.rejects(store.commitDecision(aNumberedWrite(1)), isFailure('STORE_UNAVAILABLE'))
})

it('a store made in place of a lost one is its own: neither takes from or adds to the other', async () => {
  const path = aPath()
  const lost = await openSqliteStore(path)
  await lost.saveRuleSet(ruleSetHash, ruleSetText)
  recordOf(await lost.commitDecision(aNumberedWrite(1)))
  for (const name of readdirSync(dirname(path))) remove(join(dirname(path), name))
  await using fresh = await openSqliteStore(path)
  await fresh.saveRuleSet(ruleSetHash, ruleSetText)
  recordOf(await fresh.commitDecision(aNumberedWrite(2)))
  await assert.rejects(lost.commitDecision(aNumberedWrite(3)), isFailure('STORE_UNAVAILABLE'))
  await lost[Symbol.asyncDispose]()
  assert.equal(
    existsSync(headOf(path)),
    false,
    'the head of the lost chain is not written beside the fresh one',
  )
  recordOf(await fresh.commitDecision(aNumberedWrite(4)))
  assert.deepEqual(await verifyLedger(fresh), { records: 2, decisions: 2, faults: [], faultCount: 0 })
})

it('a store that must exist is not made', async () => {
  const path = aPath()
  await assert.rejects(openSqliteStore(path, { mustExist: true }), isFailure('STORE_UNAVAILABLE'))
  assert.equal(existsSync(dirname(path)), false)
  mkdirSync(path, { recursive: true })
  await assert.rejects(openSqliteStore(path, { mustExist: true }), isFailure('STORE_UNAVAILABLE'))
  remove(path)
  writeFileSync(path, '')
  await assert.rejects(openSqliteStore(path, { mustExist: true }), isFailure('STORE_VERSION_UNKNOWN'))
  assert.deepEqual([readdirSync(dirname(path)), readFileSync(path, 'utf8')], [['causebook.db'], ''])
})

it('a folder that cannot be made is a failure, not a wait without end', async () => {
  for (const folder of ['/proc/causebook/data', '/dev/null/data']) {
    assert.throws(() => makeFolder(folder, 0o700))
    await assert.rejects(openSqliteStore(join(folder, 'causebook.db')), isFailure('STORE_UNAVAILABLE'))
  }
  const folder = join(aFolder(), 'a', 'b', 'c')
  makeFolder(folder, 0o700)
  makeFolder(folder, 0o700)
  assert.ok(existsSync(folder))
})

it('facts and episodes slipped in for an application or subject without a decision are found', async () => {
  const path = aPath()
  await using store = await openSqliteStore(path)
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  recordOf(await store.commitDecision(aNumberedWrite(1)))
  const raw = new DatabaseSync(path)
  const ids = [
    '',
    'app-9',
    'app-n1x',
    'app-\u{1F600}',
    'app-\uFFFD',
    ...range(250).map((index) => `many-${index}`),
  ]
  raw.exec('BEGIN')
  for (const id of ids) {
    const fact = raw.prepare(
      "INSERT INTO facts VALUES (?, 'f', 1, 'text', NULL, NULL, 1, 's', NULL, NULL, 't', 't', ?)",
    )
    fact.run(id, aSalt(id))
    const episode = raw.prepare("INSERT INTO episodes VALUES (?, 'e', 'x', 't', NULL, 1, 's', '{}', 't', ?)")
    episode.run(id, aSalt(id))
  }
  raw.exec('COMMIT')
  for (const list of [store.unnamedApplications, store.unnamedSubjects]) {
    const found: string[] = []
    for (let page = await list(undefined, 7); page.length > 0; page = await list(page.at(-1), 7)) {
      assert.ok(page.length <= 7)
      found.push(...page)
    }
    assert.deepEqual(found.toSorted(), ids.toSorted())
  }
  const { faults, faultCount } = await verifyLedger(store)
  assert.equal(faultCount, 2 * ids.length)
  assert.ok(
    faults.some(({ why }) => why === 'facts of application `app-9` are stored, which no record names'),
  )
  raw.exec(
    "INSERT INTO facts SELECT CAST(x'ff' AS TEXT), fact, version, type, value, unit, confidence, source, method,".concat(
      " corrects, observed_at, recorded_at, salt FROM facts WHERE application_id = 'app-9'",
    ),
  )
  raw.close()
  const more = await verifyLedger(store)
  assert.ok(more.faultCount > faultCount, 'an id that is no text is found too, and ends')
})

it('a record or decision numbered before the first is found', async () => {
  for (const seq of [0, -5]) {
    const path = aPath()
    await using store = await openSqliteStore(path)
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    recordOf(await store.commitDecision(aNumberedWrite(1)))
    const raw = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    raw
      .prepare(
        `INSERT INTO decisions SELECT 'd-x', writer, ?, 'app-x', subject_id, subject_salt, answer, answer_salt FROM decisions`,
      )
      .run(seq)
    assert.ok((await verifyLedger(store)).faultCount > 0, `decision ${seq}`)
    raw
      .prepare('INSERT INTO ledger SELECT writer, ?, time, actor, kind, payload, prev, hash FROM ledger')
      .run(seq)
    assert.ok((await verifyLedger(store)).faultCount > 0, `record ${seq}`)
    raw.close()
  }
})

it('the end of the chain is kept beside the store, and a tail cut off with its decisions is found', async () => {
  const path = aPath()
  {
    await using store = await openSqliteStore(path)
    assert.equal(await store.notedHead(), undefined)
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    await store.applyMigration(...aMigration(1, 1, 1), 'compliance')
    for (const index of range(4)) recordOf(await store.commitDecision(aNumberedWrite(index)))
  }
  const head = JSON.parse(readFileSync(headOf(path), 'utf8'))
  {
    await using store = await openSqliteStore(path)
    for (const index of range(3)) recordOf(await store.commitDecision(aNumberedWrite(20 + index)))
    writeFileSync(headOf(path), JSON.stringify(head))
    // The head is older than the records that are looked at.
    assert.deepEqual((await verifyTail(store, 2)).faults, [])
    assert.deepEqual((await verifyLedger(store)).faults, [])
  }
  writeFileSync(headOf(path), JSON.stringify(head))
  assert.deepEqual([head.writer, head.seq], ['embedded', 5])
  cutAfter(path, 3)
  {
    await using store = await openSqliteStore(path)
    assert.match((await verifyTail(store, 2)).faults[0]?.why ?? '', /ends at record 3/)
    const { faults } = await verifyLedger(store)
    assert.deepEqual(
      faults.map(({ seq, why }) => `${seq}: ${why}`),
      [
        '5: the ledger ends at record 3; it was noted in `ledger-head.json` to reach record 5: records are gone',
      ],
    )
    for (const index of range(6)) recordOf(await store.commitDecision(aNumberedWrite(10 + index)))
  }
  assert.deepEqual(JSON.parse(readFileSync(headOf(path), 'utf8')), head, 'what tells of gone records stays')
  await using store = await openSqliteStore(path)
  assert.match((await verifyLedger(store)).faults[0]?.why ?? '', /notes another hash of this record/)
  writeFileSync(headOf(path), '{"writer":"embedded"')
  assert.match(
    (await verifyLedger(store)).faults[0]?.why ?? '',
    /ledger-head\.json: expected `writer`, `seq` and `hash`/,
  )
  writeFileSync(headOf(path), JSON.stringify({ writer: 'nobody', seq: 1, hash: genesis }))
  assert.match((await verifyLedger(store)).faults[0]?.why ?? '', /the ledger ends at record 0/)
})

it('a head that cannot be written harms no decision', async () => {
  const path = aPath()
  {
    await using store = await openSqliteStore(path)
    mkdirSync(headOf(path))
    recordOf(await store.commitDecision(aNumberedWrite(1)))
  }
  assert.deepEqual(readdirSync(dirname(path)).sort(), ['causebook.db', 'ledger-head.json'])
})

it('while the disk is full the store says that it cannot record, until it can', async (test) => {
  const folder = join(aFolder(), 'small')
  mkdirSync(folder)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder]).status !== 0) {
    return test.skip('needs the right to mount a small file system')
  }
  try {
    const store = await openSqliteStore(join(folder, 'causebook.db'))
    recordOf(await store.commitDecision(aNumberedWrite(0)))
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=4096'])
    let failed = 0
    for (const index of range(500)) {
      if (failed > 0) break
      await store.commitDecision(aNumberedWrite(index + 1)).catch((error) => {
        isFailure('STORE_UNAVAILABLE')(error)
        failed += 1
      })
    }
    assert.equal(failed, 1)
    for (const _ of range(3)) await assert.rejects(store.check(), isFailure('STORE_UNAVAILABLE'))
    rmSync(join(folder, 'ballast'))
    await store.check()
    recordOf(await store.commitDecision(aNumberedWrite(1000)))
    await store.check()
    await store[Symbol.asyncDispose]()
  } finally {
    spawnSync('umount', [folder])
  }
})

function everyWrite(store: Store): readonly (() => Promise<unknown>)[] {
  const time = '2026-06-01T14:03:00.000Z'
  const key = {
    id: '0f3a9c21d4be',
    roles: ['auditor' as const],
    name: 'n',
    created_at: time,
    expires_at: null,
    rate_per_minute: 60,
    hash: genesis,
  }
  return [
    () => store.commitDecision(aNumberedWrite(2)),
    () => store.saveRuleSet(ruleSetHash, ruleSetText),
    () => store.applyMigration(...aMigration(1, 1, 1), 'compliance'),
    () => store.saveKey(key, 'local'),
    () => store.revokeKey(key.id, time, 'local'),
    () => store.appendRecord('local', time, { kind: 'counterfactual_asked', payload: { based_on: 'd-1' } }),
  ]
}

/** As somebody would who has the file and means it. */
function cutAfter(path: string, seq: number): void {
  const raw = new DatabaseSync(path)
  for (const { name } of raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
    raw.exec(`DROP TRIGGER ${name}`)
  }
  raw.exec(
    `DELETE FROM facts WHERE application_id IN (SELECT application_id FROM decisions WHERE seq > ${seq})`,
  )
  raw.exec(`DELETE FROM decisions WHERE seq > ${seq}`)
  raw.exec(`DELETE FROM ledger WHERE seq > ${seq}`)
  raw.close()
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
