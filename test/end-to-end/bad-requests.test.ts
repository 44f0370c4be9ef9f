import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import type { Problem } from '../../src/domain/responses.ts'
import { type Listening, serve } from '../../src/http/serve.ts'
import type { Store } from '../../src/ports/store.ts'
import type { ApiOperation } from '../../src/ui/api-document.ts'
import { type AnswerValidator, answerValidator } from '../support/answer-validator.ts'
import { type BadInput, badApplications, badInputs } from '../support/bad-inputs.ts'
import { type Bytes, exchange, type RawAnswer } from '../support/exchange.ts'
import { openTestApi, type TestApi } from '../support/open-test-api.ts'
import { home, temporaryFolder } from '../support/service.ts'

/** An application under the policy whose facts the table of bad ones names. */
const worked = readFileSync(path.join(home, 'examples/requests/b2.json'), 'utf8')
/** Of which nothing is recorded, so that it is refused for what it says and not for what was said before. */
const application = worked.replace('"b2"', '"bad"')

/** Every POST of the route table; a new one is tried without being named here. */
const posts = Object.entries((await openTestApi()).document.paths).flatMap(([post, methods]) =>
  methods.post === undefined ? [] : [post],
)

describe('bad requests', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: Store
  let api: TestApi
  let listening: Listening
  let validator: AnswerValidator
  let decisionId: string
  let recordedBefore: number

  before(async () => {
    folder = await temporaryFolder()
    store = await openSqliteStore(path.join(folder.path, 'causebook.db'))
    api = await openTestApi(store)
    validator = answerValidator(api.document)
    const patience = { requestTimeout: 1000, headersTimeout: 1000, connectionsCheckingInterval: 100 }
    listening = await serve(api.deps, { host: '127.0.0.1', port: 0 }, patience)
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${listening.url}/v1/decisions`, { method: 'POST', body: worked, headers })
    decisionId = ((await made.json()) as { decision_id: string }).decision_id
    recordedBefore = await api.ledgerLength()
  })
  after(async () => {
    await listening.stop()
    await store[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const address = (post: string) => post.replace('{id}', encodeURIComponent(decisionId))

  /** The first example of a POST's description. */
  function goodBody(post: string): string {
    const operation = api.document.paths[post]?.post as ApiOperation
    const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
    assert.ok(examples[0] !== undefined, `POST ${post} has no example to make bad ones of`)
    return JSON.stringify(examples[0].value)
  }

  function send(post: string, body: string | Uint8Array, headers: Readonly<Record<string, string>>) {
    const lines = Object.entries({ host: new URL(listening.url).host, connection: 'close', ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return exchange(listening.url, [`POST ${address(post)} HTTP/1.1\r\n${head}\r\n`, body])
  }

  /** Fails unless the answer is a problem with that status, as described, that names the place and what is right. */
  async function checkRefusal(
    post: string,
    answer: RawAnswer,
    { name, status, pointer }: BadInput,
  ): Promise<void> {
    const expected: readonly number[] = typeof status === 'number' ? [status] : status
    const where = `${post}, ${name}: ${answer.status} ${answer.body.slice(0, 500)}`
    assert.ok(expected.includes(answer.status), where)
    const response = new Response(answer.body, { status: answer.status, headers: [...answer.headers] })
    const problem = (await validator.answer('POST', post, response)) as Problem
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', where)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', where)
    assert.equal(problem.status, answer.status)
    assert.doesNotMatch(answer.body, /\/src\/|node_modules|\bat .*:\d+:\d+/, where)
    const pointers = (problem.errors ?? []).map((error) => error.pointer)
    if (pointer !== undefined) assert.ok(pointers.includes(pointer), `${pointer}: ${where}`)
    if (answer.status === 422) assert.ok(pointers.length > 0, where)
    for (const why of [problem.detail, ...(problem.errors ?? []).map((error) => error.detail)]) {
      assert.ok(why.length > 10 && why.length < 1000, where)
    }
    const says =
      /expected|did you mean|known (?:are|is)|there is no|send |read at once|future|give each|post the facts|remove it|add `/
    for (const { detail } of problem.errors ?? []) assert.match(detail, says, where)
  }

  it('are tried on every POST there is, at least 40 kinds each', () => {
    assert.ok(posts.length >= 3)
    for (const post of posts) {
      const types = Object.keys(api.document.paths[post]?.post?.requestBody?.content ?? {})
      // Another kind of body needs a table of its own beside this one.
      assert.deepEqual(types, ['application/json'], post)
    }
    assert.ok(badInputs.length >= 40, `${badInputs.length} kinds`)
    const names = [...badInputs, ...badApplications].map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })

  for (const post of posts) {
    for (const kind of badInputs) {
      it(`${post}, ${kind.name}: ${kind.status}`, async () => {
        const good = goodBody(post)
        const body = kind.body?.(good) ?? good
        const length = { 'content-length': String(Buffer.byteLength(body)) }
        const hasLength = kind.name !== 'no body and no length'
        const headers = kind.headers ?? { 'content-type': 'application/json' }
        await checkRefusal(post, await send(post, body, { ...(hasLength ? length : {}), ...headers }), kind)
      })
    }

    it(`${post}: every field with every other kind of value is refused where the description refuses it`, async () => {
      const good = JSON.parse(goodBody(post)) as Record<string, unknown>
      let count = 0
      for (const [place, wrong] of mutations(good)) {
        if (validator.request('POST', post, wrong) === '') continue
        const body = JSON.stringify(wrong)
        const headers = {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }
        const answer = await send(post, body, headers)
        await checkRefusal(post, answer, { name: `${place} ${body.slice(0, 300)}`, status: 422 })
        const { errors = [] } = JSON.parse(answer.body) as Problem
        assert.ok(
          errors.some(({ pointer }) => place.startsWith(pointer) || pointer.startsWith(place)),
          `${place}: ${answer.body.slice(0, 500)}`,
        )
        count++
      }
      assert.ok(count > 0 || Object.keys(good).length === 0)
    })

    it(`${post}: a body without end, without length, and with lengths that lie`, async () => {
      const good = goodBody(post)
      const host = new URL(listening.url).host
      const head = `POST ${address(post)} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\n`
      const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`)
      let started = false
      const endless = (): Uint8Array => {
        if (started) return chunk
        started = true
        return Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`)
      }
      const half = Buffer.byteLength(good) + 50
      const tries: readonly (readonly [string, number | readonly number[], Bytes, boolean?])[] = [
        ['chunks without end', 413, endless],
        ['a length of 99999999', 413, [`${head}content-length: 99999999\r\n\r\n{`]],
        ['a length that is no number', 400, [`${head}content-length: many\r\n\r\n${good}`]],
        ['a negative length', 400, [`${head}content-length: -5\r\n\r\n${good}`]],
        ['two lengths', 400, [`${head}content-length: 5\r\ncontent-length: 6\r\n\r\n${good}`]],
        [
          'a length and chunks',
          400,
          [`${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${good}`],
        ],
        ['a chunk size that is no number', 400, [`${head}transfer-encoding: chunked\r\n\r\nzz\r\n${good}`]],
        ['a length too short', [400, 422], [`${head}content-length: 1\r\n\r\n${good}`]],
        ['a length too long, and waiting', 408, [`${head}content-length: ${half}\r\n\r\n${good}`]],
        [
          'a length too long, and hanging up',
          [0, 400],
          [`${head}content-length: ${half}\r\n\r\n${good}`],
          true,
        ],
        ['headers that never end', 408, [head]],
      ]
      for (const [name, status, bytes, hangUp] of tries) {
        const answer = await exchange(listening.url, bytes, hangUp)
        if (answer.status === 0 && Array.isArray(status) && status.includes(0)) continue
        await checkRefusal(post, answer, { name, status })
      }
    })
  }

  for (const kind of badApplications) {
    it(`an application, ${kind.name}: ${kind.status}, also inside a what-if`, async () => {
      const bad = kind.body?.(application) ?? application
      const whatIf = `{"request": ${bad}, "changes": {}}`
      for (const [post, body, at] of [
        ['/v1/decisions', bad, ''],
        ['/v1/decisions/what-if', whatIf, '/request'],
      ] as const) {
        const headers = {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }
        const answer = await send(post, body, headers)
        await checkRefusal(post, answer, { ...kind, pointer: `${at}${kind.pointer ?? ''}` })
      }
    })
  }

  it('minus nought is nought', async () => {
    const [plain, minus] = await Promise.all(
      ['0', '-0'].map(async (number) => {
        const facts = application.replace(/("monthly_debts": \{ ?"value": )1720/, `$1${number}`)
        assert.notEqual(facts, application)
        const body = `{"request": ${facts}, "changes": {}}`
        const response = await api.app.request('/v1/decisions/what-if', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        })
        assert.equal(response.status, 200)
        return await response.text()
      }),
    )
    assert.equal(minus, plain)
    recordedBefore += 2
  })

  it('a request sent whole is answered, whatever bytes follow it', async () => {
    const head = `GET /v1/decisions/${decisionId} HTTP/1.1\r\nhost: ${new URL(listening.url).host}\r\n\r\n`
    const answer = await exchange(listening.url, [`${head}nonsense\r\n\r\n`])
    assert.equal(answer.status, 200, answer.body)
    assert.match(answer.body, /^\{"advice":/)
  })

  it('that are no HTTP get a problem or a closed connection, and the service lives on', async () => {
    const host = new URL(listening.url).host
    const requests: readonly (readonly [string, readonly number[]])[] = [
      ['nonsense\r\n\r\n', [400]],
      ['\u0000\u0001\u0002\r\n\r\n', [400]],
      ['POST /v1/decisions HTTP/9.9\r\n\r\n', [400]],
      ['POST /v1/decisions HTTP/1.1\r\n\r\n', [400]],
      ['POST /v1/decisions HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', [404, 421]],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [431]],
      [`GET http://[ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [400, 404]],
      [`GET /v1/decisions/%E0%A4%A HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [404]],
      [`GET /v1/decisions/a\u0000b HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [400]],
      [`GET / HTTP/1.1\r\nHost: ${host}\r\nBad Header: 1\r\n\r\n`, [400]],
      [
        `POST /v1/decisions HTTP/1.1\r\nHost: ${host}\r\nExpect: a miracle\r\nConnection: close\r\n\r\n`,
        [415, 417],
      ],
      [`BREW /v1/decisions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [400, 405]],
      [`CONNECT example.org:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [0]],
    ]
    for (const [request, statuses] of requests) {
      const answer = await exchange(listening.url, [request])
      const where = `${JSON.stringify(request.slice(0, 80))}: ${answer.status} ${answer.body.slice(0, 200)}`
      assert.ok(statuses.includes(answer.status), where)
      if (answer.status === 0) continue
      assert.equal(answer.headers.get('content-type'), 'application/problem+json', where)
      assert.equal((JSON.parse(answer.body) as Problem).status, answer.status)
    }
    assert.equal((await fetch(`${listening.url}/healthz`)).status, 200)
  })

  it('leave nothing in the ledger and nothing in the log, and what was there verifies', async () => {
    assert.equal(await api.ledgerLength(), recordedBefore)
    assert.deepEqual(api.logged, [])
    const { faultCount, faults } = await verifyLedger(store)
    assert.equal(faultCount, 0, JSON.stringify(faults))
    assert.equal((await store.readFacts('bad')).length, 0)
  })
})

const others = [null, true, 0, -1, 1.5, 1e300, '', 'x', '\u0000', [], [null], {}, { a: 1 }]

/** The body with one place changed: every field, at every depth, to a value of each kind. */
function* mutations(value: unknown, at = ''): Generator<readonly [string, unknown]> {
  for (const other of others) yield [at, other]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const [where, changed] of mutations(inner, place)) {
      yield [where, Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }]
    }
  }
}
