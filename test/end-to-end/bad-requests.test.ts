import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { causebook, home, type RunningService, startService, temporaryFolder } from '../support/service.ts'

const good = JSON.parse(readFileSync(path.join(home, 'examples/requests/b2.json'), 'utf8'))
const json = { 'content-type': 'application/json' }
const text = (change: object) => JSON.stringify({ ...good, ...change })
const withFact = (fact: string, value: unknown) => text({ facts: { ...good.facts, [fact]: value } })

/** Kinds of bad input: the body, the status it gets, and headers other than JSON's. */
const kinds: readonly [string, string | Uint8Array<ArrayBuffer>, number, Record<string, string>?][] = [
  ['no body', '', 400],
  ['no JSON', 'application_id=1', 400],
  ['cut JSON', text({}).slice(0, -5), 400],
  ['two values', `${text({})}${text({})}`, 400],
  ['a key twice', `{"policy": "x", ${text({}).slice(1)}`, 400],
  ['a key twice with the same value', text({}).replace('"facts"', '"policy":"us-consumer","facts"'), 400],
  ['NaN', withFact('monthly_income', '@').replace('"@"', 'NaN'), 400],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), 400],
  ['half a surrogate pair', text({ application_id: 'x' }).replace('"x"', '"\\ud800"'), 400],
  ['__proto__', `{"__proto__": {}, ${text({}).slice(1)}`, 400],
  ['deep nesting', `{"facts": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ['another content type', text({}), 415, { 'content-type': 'text/plain' }],
  ['a compressed body', text({}), 415, { ...json, 'content-encoding': 'br' }],
  ['a body over a mebibyte', text({ note: 'x'.repeat(1024 * 1024) }), 413],
  ['a list', `[${text({})}]`, 422],
  ['null', 'null', 422],
  ['an unknown field', text({ aplication: 1 }), 422],
  ['a missing field', JSON.stringify({ ...good, policy: undefined }), 422],
  ['an unknown policy', text({ policy: 'us-consumers' }), 422],
  ['a path as a policy', text({ policy: '../us-consumer' }), 422],
  ['an id with a line break', text({ application_id: 'a\nb' }), 422],
  ['a day that does not exist', text({ received_at: '2026-02-30T00:00:00Z' }), 422],
  ['a time without an offset', text({ received_at: '2026-06-01T14:03:00' }), 422],
  ['a time in the future', text({ received_at: '9998-06-01T14:03:00Z' }), 422],
  ['an undeclared fact', withFact('monthly_incom', 1), 422],
  ['a name of every object as a fact', withFact('constructor', 1), 422],
  ['a text for an amount', withFact('monthly_income', 'four thousand'), 422],
  ['a number too large for an amount', withFact('monthly_income', '@').replace('"@"', '1e400'), 422],
  ['a confidence over 1', withFact('monthly_income', { value: 1, confidence: 1.01 }), 422],
  ['an unknown source', withFact('monthly_income', { value: 1, source: 'nobody' }), 422],
  ['an unknown value of an enumeration', withFact('product', 'spaceship'), 422],
  ['another currency', withFact('monthly_income', { value: 4000, unit: 'EUR' }), 422],
  [
    'an episode of an unknown type',
    text({ subject: { id: 's' }, episodes: [{ type: 'alien', occurred_at: good.received_at }] }),
    422,
  ],
  ['an episode without a time', text({ subject: { id: 's' }, episodes: [{ type: 'credit_overdue' }] }), 422],
]

describe('bad requests', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let service: RunningService

  before(async () => {
    folder = await temporaryFolder()
    service = await startService({ data: folder.path })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  for (const [kind, body, status, headers = json] of kinds) {
    it(`${kind}: ${status}, as a problem that says what would be right`, async () => {
      const response = await fetch(`${service.url}/v1/decisions`, { method: 'POST', body, headers })
      const problem = (await response.json()) as {
        status: number
        detail: string
        errors?: { detail: string }[]
      }
      assert.equal(response.status, status, JSON.stringify(problem))
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.equal(problem.status, status)
      if (status === 422) assert.ok((problem.errors ?? []).length > 0, problem.detail)
    })
  }

  it('raw bytes on the socket get an answer or a closed connection, and the service lives on', async () => {
    const requests = [
      'nonsense\r\n\r\n',
      'POST /v1/decisions HTTP/1.1\r\nHost: a b\r\n\r\n',
      'POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET /v1/decisions/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n{',
    ]
    for (const request of requests) {
      const answer = await exchange(new URL(service.url), request)
      assert.match(answer, /^(HTTP\/1\.1 4\d\d |$)/, request.slice(0, 80))
    }
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  })

  it('none of it left a record', async () => {
    assert.equal(await service.stop(), 0)
    const { out, err, status } = await causebook(['verify'], { data: folder.path })
    assert.equal(status, 0, err)
    assert.match(out, /^0 decisions, \d records?: the ledger verifies$/m)
  })
})

async function exchange({ hostname, port }: URL, request: string): Promise<string> {
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
    // Kept alive after a full answer: enough has been seen.
    socket.destroySoon()
  })
  socket.on('error', () => {})
  socket.write(request)
  socket.setTimeout(8000, () => socket.destroy())
  await once(socket, 'close')
  return answer
}
