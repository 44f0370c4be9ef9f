import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import fc from 'fast-check'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { DecisionRequest } from '../../src/domain/request.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import { randomCases } from '../support/cases.ts'
import { openTestService } from '../support/open-test-service.ts'

const now = '2026-06-01T18:00:00Z'
const requests = globSync('examples/requests/*.json')
  .sort()
  .map((path) => readRequest(readJson(readFileSync(path, 'utf8'))))

async function answerTo(request: DecisionRequest): Promise<string> {
  const { service, store } = await openTestService(now)
  const answer = canonicalJson(await service.decide(request, 'test'))
  await store[Symbol.asyncDispose]()
  // The ledger's hash covers random salts, whose order follows the facts; everything else is the answer.
  return answer.replace(/"record":\{[^}]*\}/, '')
}

it('the order of facts and episodes in a request changes no byte of the answer', async () => {
  const example = fc.constantFrom(...requests)
  const shuffled = example.chain((request) =>
    fc.record({
      request: fc.constant(request),
      facts: fc.shuffledSubarray(Object.entries(request.facts), {
        minLength: Object.keys(request.facts).length,
      }),
      episodes: fc.shuffledSubarray(request.episodes ?? [], { minLength: request.episodes?.length ?? 0 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ request, facts, episodes }) => {
      const mixed = {
        ...request,
        facts: Object.fromEntries(facts),
        ...(request.episodes === undefined ? {} : { episodes }),
      }
      assert.equal(await answerTo(mixed), await answerTo(request))
    }),
    randomCases('arrival order', 2000),
  )
})

it('the order of rule files changes no byte of a rule set', async () => {
  const { packs } = await readPacks('rules')
  for (const { files } of packs) {
    const first = loadPack(files)
    assert.equal(loadPack([...files].reverse()).canonical, first.canonical)
  }
})
