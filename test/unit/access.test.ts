import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKey } from '../../src/access/create-key.ts'
import { idOfSecret, isSecretOf } from '../../src/access/key-secret.ts'
import { openKeyring } from '../../src/access/keyring.ts'
import { openAccess } from '../../src/access/open-access.ts'
import { openRateLimiter } from '../../src/access/rate-limiter.ts'
import { openDenials } from '../../src/access/record-denials.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { systemRandomness } from '../../src/adapters/system/system-randomness.ts'
import { Failure } from '../../src/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { fc, randomCases } from '../support/cases.ts'
import { aKey, aSecret } from '../support/key-builders.ts'

const startMs = Date.parse('2026-06-01T14:00:00Z')

function aClock() {
  const clock = { ms: startMs, nowMs: () => clock.ms }
  return clock
}

describe('a secret', () => {
  it('is 256 random bits behind the id, and only its hash is kept', async () => {
    const store = openMemoryStore()
    const wish = {
      roles: ['auditor', 'admin', 'auditor'],
      name: 'x',
      expiresAt: null,
      ratePerMinute: 1,
    } as const
    const deps = { store, clock: aClock(), randomness: systemRandomness }
    const { key, secret } = await createKey(wish, deps, 'local')
    assert.match(secret, /^cbk_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/)
    assert.deepEqual(key.roles, ['admin', 'auditor'])
    assert.equal(idOfSecret(secret), key.id)
    assert.ok(isSecretOf(secret, key.hash))
    assert.ok(!JSON.stringify(await store.listKeys()).includes(secret.slice(-43)))
    assert.notEqual((await createKey(wish, deps, 'local')).secret, secret)
  })
})

describe('the keyring', () => {
  it('knows a new or revoked key within half a second, and reads twice a second at most', async () => {
    const store = openMemoryStore()
    const clock = aClock()
    let reads = 0
    const listKeys = () => {
      reads += 1
      return store.listKeys()
    }
    const keyring = openKeyring({ listKeys }, clock)
    assert.equal((await keyring.read()).size, 0)
    await store.saveKey(aKey('one'), 'local')
    for (; clock.ms < startMs + 500; clock.ms += 1) await keyring.read()
    assert.equal(reads, 1)
    const many = await Promise.all(Array.from({ length: 100 }, () => keyring.read()))
    assert.equal(reads, 2, 'requests at once share one read')
    assert.ok(many.every((keys) => keys.has(aKey('one').id)))
    await store.revokeKey(aKey('one').id, '2026-06-01T14:00:00.600Z', 'local')
    clock.ms += 500
    assert.notEqual((await keyring.read()).get(aKey('one').id)?.revoked_at, null)
    clock.ms -= 3_600_000
    await keyring.read()
    assert.equal(reads, 4, 'a clock that stepped back makes no key older or younger')
  })

  it('a store that fails lets nobody in on an older list', async () => {
    const store = openMemoryStore()
    await store.saveKey(aKey('one'), 'local')
    const clock = aClock()
    const access = openAccess({ store, clock, log: () => {} })
    assert.ok('caller' in (await access.admit(`Bearer ${aSecret('one')}`)))
    await store[Symbol.asyncDispose]()
    clock.ms += 1000
    await assert.rejects(access.admit(`Bearer ${aSecret('one')}`), { code: 'STORE_UNAVAILABLE' })
    assert.equal(await access.needsKey(), true)
  })
})

describe('who is let in', () => {
  async function anAccess() {
    const store = openMemoryStore()
    const clock = aClock()
    const access = openAccess({ store, clock, log: () => {} })
    const told = async (header?: string) => {
      clock.ms += 500
      const admitted = await access.admit(header)
      return 'caller' in admitted ? admitted.caller.id : admitted.refusal.why
    }
    return { store, clock, access, told }
  }

  it('everybody as `local` until the first key; then nobody without one, for good', async () => {
    const { store, access, told } = await anAccess()
    assert.equal(await told(), 'local')
    assert.equal(await told('Bearer whatever'), 'local')
    assert.equal(await access.needsKey(), false)
    const key = aKey('one', { expires_at: '2026-06-01T14:00:02.500Z' })
    await store.saveKey(key, 'local')
    assert.equal(await told(), 'missing')
    assert.equal(await told(`Bearer ${aSecret('one')}`), key.id)
    assert.equal(await told(`Bearer ${aSecret('one')}`), 'expired')
    assert.equal(await told(), 'missing')
    await store.revokeKey(key.id, '2026-06-01T14:00:03.000Z', 'local')
    assert.equal(await told(`Bearer ${aSecret('one')}`), 'revoked')
    assert.equal(await told(), 'missing')
  })

  it('takes `Bearer` and the whole secret, and nothing like it', async () => {
    const { store, told } = await anAccess()
    const { id } = aKey('one')
    await store.saveKey(aKey('one'), 'local')
    const secret = aSecret('one')
    for (const header of [`Bearer ${secret}`, `bearer ${secret}`, `BEARER   ${secret} `]) {
      assert.equal(await told(header), id, header)
    }
    const other = secret.endsWith('A') ? 'B' : 'A'
    for (const header of [
      secret,
      `Basic ${secret}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret.slice(0, -1)}${other}`,
      `Bearer ${secret.toUpperCase()}`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${secret}, Bearer ${secret}`,
      `Bearer cbk_${id}_`,
      `Bearer cbk_${id}_${'A'.repeat(43)}`,
      `Bearer cbk___proto____${'A'.repeat(43)}`,
      'Bearer constructor',
      'Bearer',
      `Bearer ${'x'.repeat(10_000)}`,
    ]) {
      assert.equal(await told(header), 'unknown', header.slice(0, 80))
    }
    assert.equal(await told('  '), 'missing')
  })

  it('a wrong secret names no key and takes nothing from its rate', async () => {
    const { store, access } = await anAccess()
    await store.saveKey(aKey('one', { rate_per_minute: 6 }), 'local')
    for (let count = 0; count < 100; count += 1) {
      const refused = await access.admit(`Bearer ${aSecret('one').slice(0, -4)}AAAA`)
      assert.deepEqual(refused, { refusal: { why: 'unknown', keyId: null } })
    }
    assert.ok('caller' in (await access.admit(`Bearer ${aSecret('one')}`)))
  })
})

describe('the rate of a key', () => {
  it('is never passed by more than ten seconds’ worth in any stretch, and a told wait is enough', () => {
    const { numRuns, seed } = randomCases('rate limiter', 1000)
    const steps = fc.array(
      fc.oneof(fc.nat(20), fc.nat(3000), fc.nat(120_000), fc.integer({ min: -5000, max: 0 })),
      {
        maxLength: 120,
      },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), steps, (ratePerMinute, stepsMs) => {
        const limiter = openRateLimiter()
        const taken: number[] = []
        let nowMs = startMs
        let forwardMs = 0
        for (const stepMs of stepsMs) {
          nowMs += stepMs
          forwardMs += Math.max(0, stepMs)
          const waitMs = limiter.take('one', ratePerMinute, nowMs)
          if (waitMs === 0) taken.push(forwardMs)
          else {
            nowMs += waitMs
            forwardMs += waitMs
            assert.equal(limiter.take('one', ratePerMinute, nowMs), 0, 'it waited as told')
            taken.push(forwardMs)
          }
        }
        const perMs = ratePerMinute / 60_000
        const burst = Math.max(1, perMs * 10_000)
        taken.forEach((fromMs, first) => {
          taken.slice(first).forEach((toMs, more) => {
            assert.ok(
              more + 1 <= burst + (toMs - fromMs) * perMs + 0.001,
              `${more + 1} in ${toMs - fromMs} ms`,
            )
          })
        })
      }),
      { numRuns, seed },
    )
  })

  it('is each key’s own', () => {
    const limiter = openRateLimiter()
    assert.equal(limiter.take('one', 1, startMs), 0)
    assert.equal(limiter.take('one', 1, startMs), 60_000)
    assert.equal(limiter.take('other', 1, startMs), 0)
  })
})

describe('refused calls', () => {
  const call = { key_id: null, method: 'GET', route: '/v1/decisions/:id', why: 'missing' } as const

  async function recorded(store: Store) {
    return (await store.readLedger('memory', 0, 10_000)).map(({ payload, actor }) => ({ actor, ...payload }))
  }

  it('of a flood fill one record a minute, which counts them all', async () => {
    const store = openMemoryStore()
    const clock = aClock()
    const denials = openDenials({ store, clock, log: () => {} })
    for (let second = 0; second < 180; second += 1) {
      for (let count = 0; count < 1000; count += 1) denials.note(call)
      clock.ms += 1000
      if (second % 5 === 0) await denials.tick()
    }
    await denials.flush()
    const records = (await recorded(store)) as unknown as { count: number; first_at: string; actor: string }[]
    assert.ok(records.length <= 5, `${records.length} records`)
    assert.equal(
      records.reduce((sum, { count }) => sum + count, 0),
      180_000,
    )
    assert.deepEqual(
      [records[0]?.count, records[0]?.actor],
      [1, 'anonymous'],
      'the first is recorded at once',
    )
    assert.equal(records[1]?.first_at, '2026-06-01T14:00:00.000Z')
  })

  it('are told apart by key, address, method and reason', async () => {
    const store = openMemoryStore()
    const denials = openDenials({ store, clock: aClock(), log: () => {} })
    const key = aKey('one').id
    for (const more of [{}, { key_id: key }, { method: 'POST' }, { why: 'role' as const, key_id: key }]) {
      denials.note({ ...call, ...more })
      denials.note({ ...call, ...more })
    }
    await denials.flush()
    const records = await recorded(store)
    assert.equal(records.length, 8)
    assert.ok(records.every((record) => 'count' in record && record.count === 1))
    assert.equal(records.filter(({ actor }) => actor === key).length, 4)
    await denials.flush()
    assert.equal((await recorded(store)).length, 8)
  })

  it('that could not be recorded are counted on, and the log names no more than that', async () => {
    const store = openMemoryStore()
    const clock = aClock()
    const logged: string[] = []
    let isDown = true
    const appendRecord: Store['appendRecord'] = (...given) =>
      isDown
        ? Promise.reject(new Failure('STORE_UNAVAILABLE', { at: '/secret/path', why: 'disk is full' }))
        : store.appendRecord(...given)
    const denials = openDenials({ store: { appendRecord }, clock, log: (line) => logged.push(line) })
    denials.note(call)
    await denials.tick()
    clock.ms += 61_000
    denials.note(call)
    await denials.tick()
    isDown = false
    await denials.flush()
    const records = (await recorded(store)) as unknown as { count: number; first_at: string }[]
    assert.deepEqual(
      records.map(({ count, first_at }) => [count, first_at]),
      [[2, '2026-06-01T14:00:00.000Z']],
    )
    assert.match(logged.join('\n'), /could not be recorded \(STORE_UNAVAILABLE\)/)
    assert.doesNotMatch(logged.join('\n'), /secret|disk/)
  })
})
