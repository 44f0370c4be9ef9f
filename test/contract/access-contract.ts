import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hashOfKey } from '../../src/audit/key-record.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import type { IdempotencyClaim } from '../../src/domain/idempotency.ts'
import type { RecordBody } from '../../src/domain/record.ts'
import type { Store } from '../../src/ports/store.ts'
import { aKey, aKeyId, aSecret } from '../support/key-builders.ts'
import { aFact, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'
import { aNumberedWrite, isFailure, recordOf } from './store-contract.ts'

const later = '2026-06-02T09:00:00.000Z'
const claim: IdempotencyClaim = { scope: 'local POST /v1/decisions', key: 'retry-1', bodyHash: ruleSetHash }
const asked: RecordBody = { kind: 'counterfactual_asked', payload: { based_on: 'd-1' } }

/** What every Store promises of keys, of requests sent again, and of records that stand alone. */
export function accessContract(name: string, open: () => Promise<Store>): void {
  const promises = (what: string, run: (store: Store) => Promise<void>) =>
    it(`${name}: ${what}`, async () => {
      await using store = await open()
      await run(store)
    })

  async function kindsOf(store: Store) {
    const [writer = ''] = await store.writers()
    return (await store.readLedger(writer, 0, 1000)).map(({ kind, actor }) => `${kind} ${actor}`)
  }

  promises('a key is found as it was made, and in the list, oldest first', async (store) => {
    assert.deepEqual(await store.listKeys(), [])
    assert.equal(await store.findKey(aKeyId('one')), undefined)
    const two = aKey('two', { roles: ['auditor', 'compliance'], expires_at: later, name: '二线 “b”' })
    const one = aKey('one', { created_at: '2026-05-01T00:00:00.000Z' })
    await store.saveKey(two, 'local')
    await store.saveKey(one, 'local')
    assert.deepEqual(await store.findKey(two.id), { ...two, revoked_at: null })
    const listed = [one, two].map((key) => ({ ...key, revoked_at: null }))
    assert.deepEqual(await store.listKeys(), listed)
  })

  promises(
    'making and revoking are records of the ledger, which hold neither secret nor name',
    async (store) => {
      const key = aKey('core banking')
      await store.saveKey(key, 'local')
      assert.equal(await store.revokeKey(key.id, later, 'admin-1'), true)
      const [writer = ''] = await store.writers()
      const records = await store.readLedger(writer, 0, 10)
      const { id, roles, expires_at, rate_per_minute } = key
      assert.deepEqual(
        records.map(({ kind, payload, actor, time }) => [kind, payload, actor, time]),
        [
          [
            'key_created',
            { id, roles, expires_at, rate_per_minute, key: hashOfKey(key) },
            'local',
            key.created_at,
          ],
          ['key_revoked', { id, roles }, 'admin-1', later],
        ],
      )
      const text = JSON.stringify(records)
      for (const hidden of [aSecret('core banking'), key.hash, key.name]) assert.ok(!text.includes(hidden))
      assert.deepEqual(await verifyLedger(store), { records: 2, decisions: 0, faults: [], faultCount: 0 })
    },
  )

  promises('an id is taken once, and a key is revoked once, at the first time', async (store) => {
    const key = aKey('one')
    await store.saveKey(key, 'local')
    await assert.rejects(store.saveKey({ ...key, name: 'other' }, 'local'), isFailure('REQUEST_INVALID'))
    const results = await Promise.all([
      store.revokeKey(key.id, later, 'local'),
      store.revokeKey(key.id, '2026-06-03T00:00:00.000Z', 'local'),
    ])
    assert.deepEqual(results.toSorted(), [false, true])
    assert.deepEqual(await store.findKey(key.id), { ...key, revoked_at: later })
    await assert.rejects(store.revokeKey(aKeyId('nobody'), later, 'local'), isFailure('KEY_UNKNOWN'))
    assert.deepEqual(await kindsOf(store), ['key_created local', 'key_revoked local'])
  })

  promises('a key that no reader would understand is not taken in', async (store) => {
    const wrong = [
      { id: 'short' },
      { roles: [] },
      { roles: ['underwriter', 'auditor'] as const },
      { name: 'red\u001b[31m' },
      { name: ' ' },
      { hash: 'plain' },
      { rate_per_minute: 0 },
    ]
    for (const fields of wrong) {
      await assert.rejects(store.saveKey({ ...aKey('one'), ...fields } as never, 'local'), TypeError)
    }
    assert.deepEqual(await store.listKeys(), [])
    assert.deepEqual(await store.writers(), [])
  })

  promises('a claim is made with its decision, and found again with the hash of its body', async (store) => {
    assert.equal(await store.findClaimed(claim.scope, claim.key), undefined)
    recordOf(await store.commitDecision({ ...aNumberedWrite(1), idempotency: claim }))
    const claimed = { duplicate: 'd-1', bodyHash: claim.bodyHash }
    assert.deepEqual(await store.findClaimed(claim.scope, claim.key), claimed)
    assert.equal(await store.findClaimed(claim.scope, 'retry-2'), undefined)
    assert.equal(await store.findClaimed('other POST /v1/decisions', claim.key), undefined)
  })

  promises('a claim made before writes nothing and names its decision, whatever the body', async (store) => {
    await store.commitDecision({ ...aNumberedWrite(1), idempotency: claim })
    const other = { ...claim, bodyHash: `sha256:${'0'.repeat(64)}` }
    // The same application again too: the claim comes before the conflict.
    for (const write of [
      { ...aNumberedWrite(2), idempotency: claim },
      { ...aNumberedWrite(3), idempotency: other },
      { ...aWrite({ decisionId: 'd-4', applicationId: 'app-n1' }), idempotency: claim },
    ]) {
      assert.deepEqual(await store.commitDecision(write), { duplicate: 'd-1', bodyHash: claim.bodyHash })
    }
    assert.equal((await store.listDecisions(undefined, 10)).length, 1)
    assert.deepEqual(await store.readFacts('app-n2'), [])
  })

  promises('a decision that conflicts or is refused claims nothing', async (store) => {
    await store.commitDecision(aNumberedWrite(1))
    const stale = { ...aWrite({ decisionId: 'd-2', applicationId: 'app-n1' }), idempotency: claim }
    assert.deepEqual(await store.commitDecision(stale), { conflict: true })
    const twice = aFact({ application_id: 'app-3' })
    const refused = { ...aWrite({ decisionId: 'd-3', applicationId: 'app-3', newFacts: [twice, twice] }) }
    const attempt = store.commitDecision({ ...refused, idempotency: claim })
    await assert.rejects(attempt, isFailure('REQUEST_INVALID'))
    assert.equal(await store.findClaimed(claim.scope, claim.key), undefined)
    recordOf(await store.commitDecision({ ...aNumberedWrite(4), idempotency: claim }))
  })

  promises('of 200 decisions at once with one claim, exactly one is written', async (store) => {
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        store.commitDecision({ ...aNumberedWrite(index), idempotency: claim }),
      ),
    )
    const written = results.flatMap((result) => ('record' in result ? [result.record] : []))
    assert.equal(written.length, 1)
    const duplicates = results.flatMap((result) => ('duplicate' in result ? [result.duplicate] : []))
    assert.deepEqual([...new Set(duplicates)], [written[0]?.payload.decision_id])
    assert.deepEqual(await verifyLedger(store), { records: 1, decisions: 1, faults: [], faultCount: 0 })
  })

  promises(
    'a record that stands alone is linked; with a claim once, with the answer it had',
    async (store) => {
      const answered = { ...claim, answer: '{"hypothetical":true,"note":"€"}' }
      appended(await store.appendRecord('local', later, asked))
      appended(await store.appendRecord('local', later, asked, answered))
      const claimed = { bodyHash: claim.bodyHash, duplicate: null, answer: answered.answer }
      const again = { ...answered, answer: 'other' }
      assert.deepEqual(await store.appendRecord('local', later, asked, again), claimed)
      assert.deepEqual(await store.findClaimed(claim.scope, claim.key), claimed)
      assert.deepEqual(await kindsOf(store), Array(2).fill('counterfactual_asked local'))
      assert.deepEqual(await verifyLedger(store), { records: 2, decisions: 0, faults: [], faultCount: 0 })
    },
  )

  promises(
    'a record that binds to something is not written alone, nor one of no known kind',
    async (store) => {
      const alone = [
        { kind: 'key_revoked', payload: { id: aKeyId('one'), roles: ['admin'] } },
        { kind: 'key_found', payload: {} },
        { kind: 'counterfactual_asked', payload: { based_on: 1 } },
      ]
      for (const body of alone) {
        await assert.rejects(store.appendRecord('local', later, body as never), TypeError)
      }
      assert.deepEqual(await store.writers(), [])
    },
  )
}

function appended(result: Awaited<ReturnType<Store['appendRecord']>>) {
  assert.ok('record' in result, 'expected a record; got an earlier claim')
  return result.record
}
