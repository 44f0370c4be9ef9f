import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import fc from 'fast-check'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { randomCases } from '../support/cases.ts'
import { openTestService } from '../support/open-test-service.ts'

const now = '2026-06-01T18:00:00Z'
const example = (name: string): string => readFileSync(`examples/requests/${name}.json`, 'utf8')
const texts = [example('b1'), example('b2'), example('b6')]

/** The i-th request: an example under an application and subject of its own. */
function requestNumber(index: number) {
  const text = texts[index % texts.length] ?? ''
  const request = readRequest(readJson(text))
  return { ...request, application_id: `app-${index}`, subject: { id: `cust-${index}` } }
}

/** An answer without what is its own by chance or place. */
function essence(answer: RecordedAnswer): unknown {
  const { decision_id: _id, record: _record, ...rest } = answer
  return rest
}

it('concurrent decisions never see each other', async () => {
  const run = randomCases('concurrent', 2000)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 40 }), { minLength: 2, maxLength: 12 }), async (indexes) => {
      const unique = [...new Set(indexes)]
      const [together, alone] = await Promise.all([openTestService(now), openTestService(now)])
      const concurrent = await Promise.all(
        unique.map((index) => together.service.decide(requestNumber(index), 'test')),
      )
      for (const [at, index] of unique.entries()) {
        const single = await alone.service.decide(requestNumber(index), 'test')
        assert.deepEqual(essence(concurrent[at] as RecordedAnswer), essence(single))
      }
    }),
    run,
  )
})

it('concurrent decisions on one application are all recorded, each seeing the versions before it', async () => {
  const { service, store } = await openTestService(now)
  const request = requestNumber(1)
  const answers = await Promise.all(Array.from({ length: 6 }, () => service.decide(request, 'test')))
  assert.equal(new Set(answers.map((answer) => answer.record.seq)).size, answers.length)
  for (const answer of answers) assert.equal((await service.replay(answer.decision_id)).identical, true)
  await store[Symbol.asyncDispose]()
})
