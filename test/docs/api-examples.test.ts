import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { type AnswerValidator, answerValidator } from '../support/answer-validator.ts'
import { assertGolden } from '../support/golden.ts'
import { openTestApi, type TestApi } from '../support/open-test-api.ts'

const json = { 'content-type': 'application/json' }

describe('the examples of /openapi.json', () => {
  let api: TestApi
  let validator: AnswerValidator
  /** A decision to ask about. */
  let decisionId: string

  before(async () => {
    api = await openTestApi()
    validator = answerValidator(api.document)
    const response = await api.app.request('/v1/decisions', {
      method: 'POST',
      headers: json,
      body: readFileSync('examples/requests/b2.json'),
    })
    decisionId = ((await response.json()) as { decision_id: string }).decision_id
  })

  it('every POST has one, and each is answered with a status and a body as described', async () => {
    let count = 0
    for (const [path, { post }] of Object.entries(api.document.paths)) {
      if (post === undefined) continue
      const examples = Object.entries(post.requestBody?.content ?? {}).flatMap(([type, { examples }]) =>
        Object.entries(examples ?? {}).map(([name, { value }]) => ({ type, name, value })),
      )
      assert.ok(examples.length > 0, `POST ${path} has no example`)
      for (const { type, name, value } of examples) {
        if (type === 'application/json') assert.equal(validator.request('POST', path, value), '', name)
        const body = type === 'application/json' ? JSON.stringify(value) : String(value)
        const address = path.replaceAll('{id}', encodeURIComponent(decisionId))
        const response = await api.app.request(address, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        })
        assert.equal(response.status, 200, `${path} ${name}: ${await response.clone().text()}`)
        await validator.answer('POST', path, response)
        count++
      }
    }
    assert.ok(count >= 15, `${count} examples`)
  })

  it('the answer shown is the answer given', async () => {
    const fresh = await openTestApi()
    const response = await fresh.app.request('/v1/decisions', {
      method: 'POST',
      headers: json,
      body: readFileSync('examples/requests/b2.json'),
    })
    // Hashes change with every word of a pack; what they name is held by the golden answers.
    const shown = readFileSync('examples/answers/b2.json', 'utf8')
    const hashes = [...shown.matchAll(/sha256:[0-9a-f]{64}/g)].map(([hash]) => hash)
    const given = (await response.text()).replaceAll(/sha256:[0-9a-f]{64}/g, () => hashes.shift() ?? '')
    assertGolden('examples/answers/b2.json', JSON.parse(given))
  })

  it('every GET is answered as described, found or not', async () => {
    const addresses: Readonly<Record<string, readonly string[]>> = {
      '/v1/decisions/{id}': [`/v1/decisions/${decisionId}`, '/v1/decisions/none'],
      '/v1/decisions/{id}/chains': [
        `/v1/decisions/${decisionId}/chains`,
        `/v1/decisions/${decisionId}/chains?format=tree`,
        `/v1/decisions/${decisionId}/chains?format=svg`,
        '/v1/decisions/none/chains',
      ],
      '/v1/rules/{id}': ['/v1/rules/US-08a', '/v1/rules/none'],
      '/v1/applications/{id}/facts': ['/v1/applications/b2/facts', '/v1/applications/none/facts'],
    }
    for (const [path, { get }] of Object.entries(api.document.paths)) {
      if (get === undefined) continue
      const known = addresses[path] ?? (path.includes('{') ? [] : [path])
      assert.ok(known.length > 0, `no address to ask for ${path}`)
      for (const address of known) await validator.answer('GET', path, await api.app.request(address))
    }
  })

  it('a mistake is answered as docs/api.md shows it', async () => {
    const [, shown = ''] =
      /```json\n(\{"type": [^`]*(?:`[^`]+`[^`]*)*?\})\n```/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
    const request = readFileSync('examples/requests/b2.json', 'utf8').replace(
      'monthly_income',
      'monthly_incom',
    )
    const response = await api.app.request('/v1/decisions', { method: 'POST', headers: json, body: request })
    assert.deepEqual(await response.json(), JSON.parse(shown))
  })

  it('what goes wrong is described too', async () => {
    const bad = [
      ['', json],
      ['{', json],
      ['{}', json],
      ['{}', { 'content-type': 'text/plain' }],
      ['{}', { ...json, 'content-length': '99999999' }],
      ['{}', { ...json, host: 'evil.example' }],
      ['{}', { ...json, 'idempotency-key': 'two words' }],
    ] as const
    for (const [path, { post }] of Object.entries(api.document.paths)) {
      if (post === undefined) continue
      for (const [body, headers] of bad) {
        const address = path.replaceAll('{id}', 'none')
        const response = await api.app.request(address, { method: 'POST', body, headers })
        assert.ok(response.status >= 400 && response.status < 500, `${path} ${body} ${response.status}`)
        await validator.answer('POST', path, response)
      }
    }
    assert.deepEqual(api.logged, [])
  })
})
