import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DecisionService } from '../../src/decision/decision-service.ts'
import { Failure } from '../../src/errors.ts'
import { createApp } from '../../src/http/create-app.ts'
import { accessWithoutKeys } from '../support/access-without-keys.ts'
import { noRules } from '../support/no-rules.ts'

/** A service that decides nothing: these tests are about what stands before and after it. */
const nothing: DecisionService = {
  decide: () => Promise.reject(new Error('secret of cust-42')),
  answered: async () => undefined,
  find: async () => undefined,
  facts: async () => [],
  replay: async (decisionId) => ({ decisionId, identical: true, differences: [] }),
  whatIf: () => Promise.reject(new Error('not asked')),
  counterfactual: () => Promise.reject(new Error('not asked')),
  readiness: async () => ({ ready: false, checks: [{ name: 'graph', ok: false, detail: 'V0002 waits' }] }),
}

const good = {
  application_id: 'a-1',
  policy: 'us-consumer',
  received_at: '2026-06-01T14:03:00Z',
  facts: { monthly_income: 4000 },
}

function appWith(service: Partial<DecisionService> = {}) {
  const logged: string[] = []
  const app = createApp({
    service: { ...nothing, ...service },
    access: accessWithoutKeys(),
    log: (line) => logged.push(line),
    ...noRules(),
  })
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => app.request('/v1/decisions', { method: 'POST', body, headers })
  return { app, post, logged }
}

interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[]
}

async function problemOf(response: Response): Promise<ProblemBody> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const body = (await response.json()) as ProblemBody
  assert.equal(body.status, response.status)
  assert.match(body.type, /^urn:causebook:problem:[a-z-]+$/)
  assert.ok(body.title.length > 0 && body.detail.length > 0)
  return body
}

describe('requests', () => {
  it('names every bad field by its JSON pointer, with what was found and what would be right', async () => {
    const { post } = appWith()
    const bad = {
      application_id: 'two words',
      policy: 7,
      received_at: '2026-02-30T00:00:00Z',
      subject: 'cust-42',
      fact: {},
      facts: { Monthly: 1 },
      episodes: [
        { type: 'credit_overdue' },
        5,
        { type: 'a', occurred_at: '2026-01-01T00:00:00Z', confidence: 1.5 },
      ],
      consents: ['ok', 7],
    }
    const response = await post(JSON.stringify(bad))
    assert.equal(response.status, 422)
    const problem = await problemOf(response)
    const errors = new Map(problem.errors.map((error) => [error.pointer, error.detail]))
    assert.deepEqual([...errors.keys()].sort(), [
      '/application_id',
      '/consents/1',
      '/episodes/0/occurred_at',
      '/episodes/1',
      '/episodes/2/confidence',
      '/fact',
      '/facts/Monthly',
      '/policy',
      '/received_at',
      '/subject',
    ])
    assert.match(String(errors.get('/fact')), /did you mean `facts`\?/)
    assert.match(String(errors.get('/policy')), /such as `"us-consumer"`; got the number `7`/)
    assert.match(String(errors.get('/application_id')), /got `two words`/)
    assert.match(String(errors.get('/episodes/0/occurred_at')), /missing; expected a time/)
    assert.match(String(errors.get('/episodes/1')), /expected an object .*; got the number `5`/)
    for (const why of errors.values()) assert.match(String(why), /expected|did you mean|known are/)
  })

  for (const body of ['null', '[]', '7', '"text"', 'true']) {
    it(`refuses ${body} as a request`, async () => {
      const response = await appWith().post(body)
      assert.equal(response.status, 422)
      const problem = await problemOf(response)
      assert.match(problem.errors[0]?.detail ?? '', /expected an object with/)
    })
  }

  it('takes only JSON in UTF-8 that is not compressed', async () => {
    const { post } = appWith()
    for (const type of ['text/plain', 'application/json; charset=gbk', 'application/jsonp', 'text/json']) {
      assert.equal((await post(JSON.stringify(good), { 'content-type': type })).status, 415, type)
    }
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assert.equal((await post('x', headers)).status, 415)
    const accepted = await post('{', { 'content-type': 'Application/JSON; charset="UTF-8"' })
    assert.equal(accepted.status, 400)
  })

  it('refuses an empty body, one that is no UTF-8, and one that is no JSON', async () => {
    const { post } = appWith()
    assert.equal((await problemOf(await post(''))).type, 'urn:causebook:problem:body-missing')
    const notUtf8 = await problemOf(await post(new Uint8Array([0x7b, 0xff, 0x7d])))
    assert.equal(notUtf8.type, 'urn:causebook:problem:body-not-json')
    assert.match(notUtf8.detail, /UTF-8/)
    assert.match((await problemOf(await post('{"a": 1,\n"a": 1}'))).detail, /line 2, column 1: the key `a`/)
  })

  it('stops reading a body without a length once it is too large', async () => {
    const { app } = appWith()
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent++
        if (sent > 1000) controller.close()
        else controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    const response = await app.request('/v1/decisions', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit)
    assert.equal(response.status, 413)
    assert.ok(sent < 30, `${sent} parts were read`)
  })
})

describe('answers to what goes wrong', () => {
  it('tells a wrong address from a wrong method', async () => {
    const { app } = appWith()
    for (const path of [
      '/',
      '/v1',
      '/v1/decisions/',
      '/v1/decisions/x/y',
      '/V1/decisions',
      '/v1/decisions//chains',
    ]) {
      const response = await app.request(path)
      assert.equal(response.status, 404, path)
      assert.match((await problemOf(response)).type, /route-unknown|decision-unknown/)
    }
    const wrong = await app.request('/v1/decisions', { method: 'PUT' })
    assert.equal(wrong.status, 405)
    assert.equal(wrong.headers.get('allow'), 'POST')
    assert.equal((await app.request('/healthz', { method: 'POST' })).headers.get('allow'), 'GET, HEAD')
    for (const method of ['GET', 'OPTIONS', 'DELETE']) {
      const asked = await app.request('/v1/decisions/what-if', { method })
      assert.deepEqual([asked.status, asked.headers.get('allow')], [405, 'POST'], method)
    }
    assert.equal((await app.request('/healthz', { method: 'HEAD' })).status, 200)
  })

  it('tells the caller nothing of an unexpected failure but an id, which the log names without data', async () => {
    const { post, logged } = appWith()
    const response = await post(JSON.stringify(good))
    assert.equal(response.status, 500)
    const text = JSON.stringify(await problemOf(response))
    assert.doesNotMatch(text, /secret|cust-42|\/src\/|Error/)
    assert.equal(logged.length, 1)
    assert.doesNotMatch(logged.join(), /secret|cust-42/)
    assert.ok(text.includes(/failure (\S+) /.exec(logged[0] ?? '')?.[1] ?? 'no id'))
  })

  it('keeps paths and causes of a store that fails inside, and says to try again', async () => {
    const fails = () =>
      Promise.reject(new Failure('STORE_UNAVAILABLE', { at: '/var/lib/causebook.db', why: 'disk is full' }))
    const { post, logged } = appWith({ decide: fails })
    const response = await post(JSON.stringify(good))
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '1')
    assert.doesNotMatch(JSON.stringify(await problemOf(response)), /var|disk/)
    assert.match(logged.join(), /STORE_UNAVAILABLE: .*disk is full/)
  })

  it('says what it does not know', async () => {
    const { app } = appWith()
    for (const path of ['/v1/decisions/x', '/v1/decisions/x/chains', `/v1/decisions/${'x'.repeat(5000)}`]) {
      assert.equal((await problemOf(await app.request(path))).type, 'urn:causebook:problem:decision-unknown')
    }
    const response = await app.request('/v1/applications/a%2Fb/facts')
    assert.equal(response.status, 404)
    assert.match((await problemOf(response)).detail, /`a\/b`/)
    assert.equal((await app.request('/v1/decisions/x/chains?format=svg')).status, 422)
  })

  it('is alive but not ready while a check fails', async () => {
    const { app } = appWith()
    assert.equal((await app.request('/healthz')).status, 200)
    const response = await app.request('/readyz')
    assert.equal(response.status, 503)
    const body = await response.json()
    assert.deepEqual(body, { ready: false, checks: [{ name: 'graph', ok: false, detail: 'V0002 waits' }] })
  })

  it('answers only under a name of this machine while there are no access keys', async () => {
    const { app } = appWith()
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', 'LOCALHOST']) {
      assert.equal((await app.request('/healthz', { headers: { host } })).status, 200, host)
    }
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:8080']) {
      assert.equal((await app.request('/healthz', { headers: { host } })).status, 421, host)
    }
  })
})
