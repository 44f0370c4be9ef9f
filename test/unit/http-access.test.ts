import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { openAccess } from '../../src/access/open-access.ts'
import type { CreatedKey } from '../../src/domain/access-key.ts'
import { createApp } from '../../src/http/create-app.ts'
import { aKey, aSecret } from '../support/key-builders.ts'
import { noRules } from '../support/no-rules.ts'
import { openTestService } from '../support/open-test-service.ts'

const now = '2026-06-01T14:00:00.000Z'
const request = JSON.parse(readFileSync('examples/requests/b2.json', 'utf8')) as object
const bodyOf = (applicationId: string) => JSON.stringify({ ...request, application_id: applicationId })

/** The real app over the real service, with a clock of its own for access. */
async function anApp(keys: readonly CreatedKey[] = []) {
  const { service, store } = await openTestService(now)
  for (const key of keys) await store.saveKey(key, 'local')
  const clock = { ms: Date.parse(now), nowMs: () => clock.ms }
  const logged: string[] = []
  const log = (line: string) => logged.push(line)
  const access = openAccess({ store, clock, log })
  const app = createApp({ service, access, log, ...noRules() })
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    app.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const ledger = async () => store.readLedger('memory', 0, 1000)
  return { app, post, store, access, clock, logged, ledger }
}

const bearer = (name: string) => ({ authorization: `Bearer ${aSecret(name)}` })

async function typeOf(response: Response): Promise<string> {
  return ((await response.json()) as { type: string }).type.replace('urn:causebook:problem:', '')
}

describe('access over HTTP', () => {
  it('a decision is recorded with the id of the key that asked', async () => {
    const { post, ledger } = await anApp([aKey('one')])
    assert.equal((await post('/v1/decisions', bodyOf('a-1'), bearer('one'))).status, 200)
    const decision = (await ledger()).find(({ kind }) => kind === 'decision')
    assert.equal(decision?.actor, aKey('one').id)
  })

  it('says what is wrong with a key, never saying it back', async () => {
    const expired = aKey('old', { expires_at: '2026-06-01T13:59:59.999Z' })
    const { app, store } = await anApp([aKey('one'), aKey('gone'), expired])
    await store.revokeKey(aKey('gone').id, now, 'local')
    const cases: [Record<string, string>, string, RegExp][] = [
      [{}, 'key-missing', /`Authorization: Bearer …`/],
      [{ authorization: `Basic ${aSecret('one')}` }, 'key-not-valid', /this is none/],
      [bearer('unheard of'), 'key-not-valid', /this is none/],
      [bearer('old'), 'key-not-valid', /expired/],
      [bearer('gone'), 'key-not-valid', /revoked/],
    ]
    for (const [headers, type, why] of cases) {
      const response = await app.request('/v1/decisions/x', { headers })
      assert.equal(response.status, 401)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer realm="causebook"/)
      const text = await response.text()
      assert.match(text, why)
      assert.equal((JSON.parse(text) as { type: string }).type, `urn:causebook:problem:${type}`)
      for (const name of ['one', 'old', 'gone', 'unheard of']) assert.ok(!text.includes(aSecret(name)))
    }
  })

  it('looks at the key before the body, so that nobody without one is read', async () => {
    const { app } = await anApp([aKey('one')])
    let isRead = false
    const source = {
      pull() {
        isRead = true
      },
    }
    // Holds nothing ahead, so that only a reader makes it pull.
    const body = new ReadableStream(source, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } }
    const response = await app.request('/v1/decisions', init as RequestInit)
    assert.equal(response.status, 401)
    assert.equal(isRead, false)
  })

  it('holds a key to its rate, says when to come again, and lets others be', async () => {
    const { app, clock, access, ledger } = await anApp([aKey('slow', { rate_per_minute: 12 }), aKey('other')])
    const ask = (name: string) => app.request('/v1/decisions/x', { headers: bearer(name) })
    assert.deepEqual([(await ask('slow')).status, (await ask('slow')).status], [404, 404])
    const limited = await ask('slow')
    assert.equal(limited.status, 429)
    assert.equal(limited.headers.get('retry-after'), '5')
    assert.equal(await typeOf(limited), 'rate-limited')
    assert.equal((await ask('other')).status, 404)
    clock.ms += 5000
    assert.equal((await ask('slow')).status, 404)
    await access.denials.flush()
    const denied = (await ledger()).filter(({ kind }) => kind === 'access_denied')
    const { first_at: _first, last_at: _last, ...payload } = denied[0]?.payload ?? {}
    const call = { method: 'GET', route: '/v1/decisions/:id' }
    assert.deepEqual(payload, { key_id: aKey('slow').id, ...call, why: 'rate', count: 1 })
  })

  it('answers under any host name once there are keys, under loopback names before', async () => {
    const { app, store, clock } = await anApp()
    const headers = { host: 'causebook.bank.example' }
    assert.equal((await app.request('/v1/decisions/x', { headers })).status, 421)
    assert.equal((await app.request('/docs', { headers })).status, 421)
    await store.saveKey(aKey('one'), 'local')
    clock.ms += 1000
    assert.equal((await app.request('/v1/decisions/x', { headers })).status, 401)
    assert.equal(
      (await app.request('/v1/decisions/x', { headers: { ...headers, ...bearer('one') } })).status,
      404,
    )
  })

  it('shows the details of readiness with a valid key, of whatever role', async () => {
    const { app } = await anApp([aKey('boss', { roles: ['admin'] })])
    const read = async (headers: Record<string, string>) => (await app.request('/readyz', { headers })).json()
    assert.deepEqual(await read({}), { ready: true, checks: [] })
    assert.equal(((await read(bearer('boss'))) as { checks: unknown[] }).checks.length, 3)
    assert.equal((await app.request('/readyz', { headers: bearer('nobody') })).status, 401)
  })

  it('tells that the store is down to whoever asks whether it is ready', async () => {
    for (const keys of [[], [aKey('one')]]) {
      const { app, store, clock } = await anApp(keys)
      assert.equal((await app.request('/readyz')).status, 200)
      await store[Symbol.asyncDispose]()
      clock.ms += 1000
      const response = await app.request('/readyz')
      assert.equal(response.status, 503)
      assert.equal(((await response.json()) as { ready: boolean }).ready, false)
      assert.equal((await app.request('/healthz')).status, 200)
      const refused = await app.request('/v1/decisions/x', { headers: bearer('one') })
      assert.equal(refused.status, 503)
    }
  })

  it('a key put into an address or a field by mistake is not said back', async () => {
    const { app, post, logged } = await anApp([aKey('one')])
    const secret = aSecret('one')
    const answers = [
      await app.request(`/v1/decisions/${secret}`, { headers: bearer('one') }),
      await app.request(`/v1/${secret}`, { headers: bearer('one') }),
      await app.request(`/v1/decisions/x/chains?format=${secret}`, { headers: bearer('one') }),
      await post('/v1/decisions', JSON.stringify({ policy: secret, [secret]: 1 }), bearer('one')),
      await post('/v1/decisions', `{"${secret}": 1, "${secret}": 2}`, bearer('one')),
    ]
    for (const answer of answers) {
      assert.ok(answer.status >= 400)
      assert.ok(!(await answer.text()).includes(secret.slice(-30)))
    }
    assert.deepEqual(logged, [])
  })
})

describe('a request sent again', () => {
  const retry = { 'idempotency-key': 'b1946ac9-2492-4d23' }

  it('with the same key and body gets the same bytes, and is decided once', async () => {
    const { post, ledger } = await anApp()
    const first = await post('/v1/decisions', bodyOf('a-1'), retry)
    const again = await post('/v1/decisions', bodyOf('a-1'), retry)
    assert.deepEqual([first.status, again.status], [200, 200])
    assert.equal(await again.text(), await first.text())
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal((await ledger()).filter(({ kind }) => kind === 'decision').length, 1)
  })

  it('with another body is refused, were it one blank more, and nothing is recorded', async () => {
    const { post, ledger } = await anApp()
    await post('/v1/decisions', bodyOf('a-1'), retry)
    for (const body of [bodyOf('a-2'), `${bodyOf('a-1')} `, 'no JSON']) {
      const response = await post('/v1/decisions', body, retry)
      assert.equal(response.status, 409)
      assert.equal(await typeOf(response), 'idempotency-conflict')
    }
    assert.equal((await ledger()).filter(({ kind }) => kind === 'decision').length, 1)
  })

  it('a hundred times at once is decided once, whichever body comes first', async () => {
    const { post, ledger } = await anApp()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post('/v1/decisions', bodyOf(`a-${index % 2}`), retry)),
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    const decided = new Set(texts.filter((_, index) => answers[index]?.status === 200))
    assert.equal(decided.size, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 50)
    assert.equal((await ledger()).filter(({ kind }) => kind === 'decision').length, 1)
  })

  it('after a refusal uses the key for the mended body', async () => {
    const { post } = await anApp()
    assert.equal((await post('/v1/decisions', '{}', retry)).status, 422)
    assert.equal((await post('/v1/decisions', bodyOf('a-1'), retry)).status, 200)
  })

  it('is another request for another caller, and for another address', async () => {
    const { post, ledger } = await anApp([aKey('one'), aKey('two')])
    const ids = new Set<string>()
    for (const name of ['one', 'two', 'one']) {
      const response = await post('/v1/decisions', bodyOf(`a-${name}`), { ...retry, ...bearer(name) })
      ids.add(((await response.json()) as { decision_id: string }).decision_id)
    }
    assert.equal(ids.size, 2)
    const answers = new Set<string>()
    for (const id of ids) {
      const path = `/v1/decisions/${id}/counterfactual`
      for (let times = 0; times < 2; times += 1) {
        answers.add(await (await post(path, '{}', { ...retry, ...bearer('one') })).text())
      }
    }
    assert.equal(answers.size, 2)
    assert.equal((await ledger()).filter(({ kind }) => kind === 'counterfactual_asked').length, 2)
  })

  it('a what-if asked again at once or later gets the same bytes, recorded as asked once', async () => {
    const { post, ledger } = await anApp()
    const decided = (await (await post('/v1/decisions', bodyOf('a-1'))).json()) as { decision_id: string }
    const body = JSON.stringify({
      decision_id: decided.decision_id,
      changes: { facts: { monthly_debts: 900 } },
    })
    const ask = () => post('/v1/decisions/what-if', body, retry)
    const answers = [...(await Promise.all([ask(), ask(), ask()])), await ask()]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(new Set(texts).size, 1)
    assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true').length, 3)
    assert.equal((await ledger()).filter(({ kind }) => kind === 'what_if_asked').length, 1)
  })

  it('takes keys of 1 to 255 visible ASCII characters only', async () => {
    const { post, ledger } = await anApp()
    for (const key of ['', 'two words', 'x'.repeat(256), 'tab\t.', 'é', 'a, b']) {
      const response = await post('/v1/decisions', bodyOf('a-1'), { 'idempotency-key': key })
      assert.equal(response.status, 422, key)
      const problem = (await response.json()) as { detail: string; errors: { pointer: string }[] }
      assert.match(problem.detail, /header `Idempotency-Key`: expected 1 to 255 visible ASCII/)
      assert.deepEqual(
        problem.errors.map(({ pointer }) => pointer),
        [''],
      )
    }
    assert.equal((await ledger()).filter(({ kind }) => kind === 'decision').length, 0)
    for (const key of ['!', '~', '"quoted"', 'x'.repeat(255)]) {
      const response = await post('/v1/decisions', bodyOf('a-1'), { 'idempotency-key': key })
      assert.equal(response.status, 200, key)
    }
  })
})
