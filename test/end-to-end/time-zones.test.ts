import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { canonicalJson } from '../../src/audit/canonical.ts'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { causebook, temporaryFolder } from '../support/service.ts'

it('answers the same bytes whatever the time zone of the machine', async () => {
  await using folder = await temporaryFolder()
  const answers = new Set<string>()
  for (const TZ of ['America/New_York', 'Asia/Shanghai', 'UTC']) {
    const data = path.join(folder.path, TZ)
    const { out, err, status } = await causebook(
      ['decide', 'examples/requests/b2.json', '--json'],
      { data },
      { env: { TZ } },
    )
    assert.equal(status, 0, err)
    answers.add(canonicalJson(withoutIdsAndClock(JSON.parse(out))))
  }
  assert.equal(answers.size, 1)
})
function withoutIdsAndClock(answer: RecordedAnswer): object {
  const { decision_id: _id, as_of: _asOf, known_at: _knownAt, record: _record, ...rest } = answer
  return rest
}
