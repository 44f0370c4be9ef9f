import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { causebook, type Folders, home, startService, temporaryFolder } from '../support/service.ts'

const retries = 200
const rounds = process.env.CAUSEBOOK_SOAK === '1' ? 20 : 3
const request = JSON.parse(readFileSync(path.join(home, 'examples/requests/b2.json'), 'utf8')) as object

interface Told {
  readonly text: string
  readonly isReplayed: boolean
}

/** Sends one request under one key until it is answered, wherever the service then is. */
async function sendUntilAnswered(url: () => Promise<string>, key: string): Promise<Told> {
  const body = JSON.stringify({ ...request, application_id: key })
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  for (;;) {
    const at = await url()
    try {
      const response = await fetch(`${at}/v1/decisions`, { method: 'POST', headers, body })
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return { text, isReplayed: response.headers.get('idempotency-replayed') === 'true' }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      // The service is gone; it comes back.
      await sleep(5)
    }
  }
}

async function decisionsIn(folders: Folders): Promise<number> {
  const { out, status } = await causebook(['verify', '--json'], folders)
  assert.equal(status, 0, out)
  return (JSON.parse(out) as { decisions: number }).decisions
}

describe(`${retries} retries of one idempotency key`, () => {
  it(`across a kill -9 and a restart, ${rounds} times: one decision each, every answer the same`, async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    const seed = Number(process.env.CAUSEBOOK_SEED ?? Math.floor(Math.random() * 0x7fffffff))
    console.log(`idempotency: ${rounds} kills, seed ${seed}`)
    let answeredBefore = 0
    for (let round = 0; round < rounds; round += 1) {
      const key = `retry-${round}`
      const first = await startService(folders)
      let url = Promise.resolve(first.url)
      // Every third time before there can be an answer, else in the middle of them.
      const killAfter = round % 3 === 0 ? 0 : 1 + ((seed + round * 37) % 150)
      let told = 0
      const middle = Promise.withResolvers<void>()
      const sent = Array.from({ length: retries }, async () => {
        const answer = await sendUntilAnswered(() => url, key)
        told += 1
        if (told === killAfter) middle.resolve()
        return answer
      })
      await (killAfter === 0 ? sleep(seed % 200) : middle.promise)
      const restarted = Promise.withResolvers<string>()
      url = restarted.promise
      await first.kill()
      answeredBefore += told
      await using second = await startService(folders)
      restarted.resolve(second.url)
      const answers = await Promise.all(sent)
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'every answer is the same, to the byte')
      assert.ok(
        answers.filter(({ isReplayed }) => !isReplayed).length <= 1,
        'all others say they are replayed',
      )
      const { decision_id: id } = JSON.parse(answers[0]?.text ?? '') as RecordedAnswer
      const kept = await fetch(`${second.url}/v1/decisions/${id}`)
      assert.equal(await kept.text(), answers[0]?.text)
      assert.equal(await second.stop(), 0)
      assert.equal(await decisionsIn(folders), round + 1)
    }
    console.log(`idempotency: ${answeredBefore} of ${rounds * retries} were answered before a kill`)
  })

  it('through two processes on one store: one decision', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    await using one = await startService(folders)
    await using other = await startService(folders)
    const answers = await Promise.all(
      Array.from({ length: retries }, (_, index) =>
        sendUntilAnswered(async () => (index % 2 === 0 ? one : other).url, 'shared'),
      ),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ isReplayed }) => !isReplayed).length, 1)
    assert.equal(await decisionsIn(folders), 1)
  })
})
