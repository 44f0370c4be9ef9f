import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import type { DecisionService } from '../../src/decision/decision-service.ts'
import { Failure } from '../../src/errors.ts'
import { serve } from '../../src/http/serve.ts'
import { accessWithoutKeys } from '../support/access-without-keys.ts'
import { noRules } from '../support/no-rules.ts'

/** A service whose look-ups take as long as a test wants. */
function serviceThatFinds(find: DecisionService['find']): DecisionService {
  const unused = () => Promise.reject(new Error('not part of this test'))
  const rest = {
    decide: unused,
    answered: unused,
    facts: unused,
    replay: unused,
    whatIf: unused,
    counterfactual: unused,
  }
  return { find, ...rest, readiness: unused }
}

const local = { host: '127.0.0.1', port: 0 }
const log = () => {}
const access = accessWithoutKeys()

async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('serving', () => {
  it('answers a body announced as too large at once, without waiting for it', async () => {
    const listening = await serve(
      { service: serviceThatFinds(async () => undefined), access, log, ...noRules() },
      local,
    )
    const head = 'POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const answer = await exchange(
      listening.url,
      `${head}Content-Length: 99999999\r\nConnection: close\r\n\r\n{`,
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /body-too-large/)
    await listening.stop()
  })

  it('refuses what is no HTTP, and an address that is none, without failing', async () => {
    const listening = await serve(
      { service: serviceThatFinds(async () => undefined), access, log, ...noRules() },
      local,
    )
    const closing = 'Connection: close\r\n\r\n'
    assert.match(await exchange(listening.url, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /)
    assert.match(
      await exchange(listening.url, `GET http://[ HTTP/1.1\r\nHost: localhost\r\n${closing}`),
      /^HTTP\/1\.1 4\d\d /,
    )
    assert.match(
      await exchange(listening.url, `GET / HTTP/1.1\r\nHost: a b\r\n${closing}`),
      /^HTTP\/1\.1 4\d\d /,
    )
    assert.match(
      await exchange(listening.url, `GET /v1/decisions/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\n${closing}`),
      /^HTTP\/1\.1 404 /,
    )
    assert.match(
      await exchange(listening.url, `GET /x HTTP/1.1\r\nHost: localhost\r\nA: ${'y'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    )
    assert.equal((await fetch(`${listening.url}/healthz`)).status, 200)
    await listening.stop()
  })

  it('lets what is under way finish before it stops, and takes nothing new', async () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<undefined>()
    const service = serviceThatFinds(() => {
      asked.resolve()
      return answer.promise
    })
    const listening = await serve({ service, access, log, ...noRules() }, local)
    const pending = fetch(`${listening.url}/v1/decisions/x`)
    await asked.promise
    const stopped = listening.stop()
    await assert.rejects(fetch(`${listening.url}/healthz`))
    answer.resolve(undefined)
    assert.equal((await pending).status, 404)
    await stopped
  })

  it('says which port is taken', async () => {
    const service = serviceThatFinds(async () => undefined)
    const first = await serve({ service, access, log, ...noRules() }, local)
    const port = Number(new URL(first.url).port)
    await assert.rejects(
      serve({ service, access, log, ...noRules() }, { ...local, port }),
      (error) =>
        error instanceof Failure && error.code === 'CONFIG_INVALID' && /is taken/.test(error.message),
    )
    await first.stop()
  })
})
