import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { it } from 'node:test'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { assertGolden } from '../support/golden.ts'
import { openTestService } from '../support/open-test-service.ts'

/** The date on which the worked examples of both policies were decided. */
const decidedAt = '2026-06-01T18:00:00Z'

for (const path of globSync('examples/requests/*.json').sort()) {
  const name = basename(path, '.json')
  it(`${name}: the whole answer is the golden one, and it replays`, async () => {
    const { service } = await openTestService(decidedAt)
    const answer = await service.decide(readRequest(readJson(readFileSync(path, 'utf8'))), 'test')
    assertGolden(`test/golden/examples/${name}.json`, answer)
    assert.deepEqual(await service.replay(answer.decision_id), {
      decisionId: answer.decision_id,
      identical: true,
      differences: [],
    })
  })
}
