import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { sha256 } from '../../src/audit/canonical.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { Failure } from '../../src/errors.ts'
import type { CommitResult, DecisionWrite, Store } from '../../src/ports/store.ts'
import { aFolder } from '../support/a-folder.ts'
import { fc } from '../support/cases.ts'
import { runWriter } from '../support/run-writer.ts'
import { aFact, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'
import { isFailure, recordOf } from './store-contract.ts'

it('processes that write to one file at once make one gap-free chain', async () => {
  const path = join(aFolder(), 'causebook.db')
  const runs = await Promise.all(['a', 'b', 'c'].map((prefix) => runWriter(path, prefix, 150)))
  assert.deepEqual(
    runs.map(({ exitCode, errors }) => [exitCode, errors]),
    Array(3).fill([0, '']),
  )
  const lines = runs.flatMap((run) => run.lines)
  assert.equal(lines.filter((line) => line === 'migration true').length, 1)
  assert.equal(lines.filter((line) => /^[abc]-\d+$/.test(line)).length, 450)
  await using store = await openSqliteStore(path)
  assert.deepEqual(await verifyLedger(store), { records: 451, decisions: 450, faults: [], faultCount: 0 })
})

it('a process killed while writing loses no decision it acknowledged, and the ledger verifies', async () => {
  const path = join(aFolder(), 'causebook.db')
  const seed = Number(process.env.CAUSEBOOK_SEED ?? Math.floor(Math.random() * 0x7fffffff))
  const numRuns = process.env.CAUSEBOOK_SOAK === '1' ? 100 : 5
  const moments = fc.sample(fc.integer({ min: 1, max: 400 }), { numRuns, seed })
  const acknowledged: string[] = []
  for (const [round, killAfter] of moments.entries()) {
    const run = await runWriter(path, `r${round}`, 100_000, killAfter)
    assert.equal(run.errors, '')
    acknowledged.push(...run.lines.filter((line) => line.startsWith('r')))
    await using store = await openSqliteStore(path)
    for (const id of acknowledged)
      assert.ok(await store.findDecision(id), `${id} was acknowledged and is lost`)
    assert.deepEqual((await verifyLedger(store)).faults, [])
  }
  console.log(
    `${acknowledged.length} decisions acknowledged, ${moments.length} kills at ${moments.join(', ')}, seed ${seed}`,
  )
})

it('a full disk fails every waiting decision with the first error, writes nothing, and is over when space is back', async (test) => {
  const folder = join(aFolder(), 'small')
  mkdirSync(folder)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'none', folder]).status !== 0) {
    return test.skip('needs the right to mount a small file system')
  }
  try {
    const store = await openSqliteStore(join(folder, 'causebook.db'))
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    recordOf(await store.commitDecision(aBigWrite(0)))
    const before = (await store.readLedger('embedded', 0, 1000)).length
    fill(join(folder, 'ballast'))

    const results = await Promise.allSettled(
      range(1, 60).map((index) => store.commitDecision(aBigWrite(index))),
    )
    for (const result of results) {
      assert.equal(result.status, 'rejected')
      if (result.status === 'rejected') failedByTheDisk(result.reason)
    }
    await assert.rejects(store.saveRuleSet(...aBigRuleSet()), isFailure('STORE_UNAVAILABLE'))
    assert.equal((await store.readLedger('embedded', 0, 1000)).length, before)
    for (const index of range(1, 60)) {
      assert.equal(await store.findDecision(`d-${index}`), undefined)
      assert.deepEqual(await store.readFacts(`app-${index}`), [])
    }

    rmSync(join(folder, 'ballast'))
    await recordAll(store, range(1, 60).map(aBigWrite))
    assert.deepEqual(await verifyLedger(store), { records: 61, decisions: 61, faults: [], faultCount: 0 })
    await store[Symbol.asyncDispose]()
  } finally {
    spawnSync('umount', [folder])
  }
})

function failedByTheDisk(error: unknown): void {
  isFailure('STORE_UNAVAILABLE')(error)
  assert.ok(error instanceof Failure && error.cause instanceof Error)
  assert.match(error.cause.message, /full|disk I\/O/)
}

async function recordAll(store: Store, writes: readonly DecisionWrite[]): Promise<void> {
  const results: CommitResult[] = await Promise.all(writes.map((write) => store.commitDecision(write)))
  results.forEach(recordOf)
}

/** About 12 kB of text that does not repeat itself. */
function aBigWrite(index: number): DecisionWrite {
  const applicationId = `app-${index}`
  const newFacts = [aFact({ application_id: applicationId, type: 'text', value: aText(index) })]
  return aWrite({ decisionId: `d-${index}`, applicationId, newFacts })
}

function aBigRuleSet(): [string, string] {
  const content = JSON.stringify(aText(-1).repeat(20))
  return [sha256(content), content]
}

function aText(seed: number): string {
  return range(0, 180)
    .map((part) => sha256(`${seed} ${part}`))
    .join('')
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

/** Leaves the file system without a free block. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096)
  try {
    while (fstatSync(file).size < 1 << 30) writeSync(file, block)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}
