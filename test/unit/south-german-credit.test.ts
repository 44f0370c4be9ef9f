import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { mapApplicant } from '../../examples/south-german-credit/map-applicant.ts'
import { columns, outcomeOf, readApplicants } from '../../examples/south-german-credit/read-applicants.ts'
import { drawTally, tally } from '../../examples/south-german-credit/tally.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { openTestService } from '../support/open-test-service.ts'

const folder = 'examples/south-german-credit'
const applicants = readApplicants(readFileSync(`${folder}/south-german-credit.csv`, 'utf8'))

describe('South German Credit', () => {
  it('holds 700 good and 300 bad loans', () => {
    assert.equal(applicants.length, 1000)
    assert.equal(applicants.filter((applicant) => outcomeOf(applicant) === 'good').length, 700)
  })

  it('approves far fewer bad loans than it declines, and what becomes of a loan is no fact', async () => {
    const { service } = await openTestService('2026-06-01T12:00:00Z', {
      rules: `${folder}/rules`,
      graph: `${folder}/graph`,
    })
    const decided: { decision: string; outcome: 'good' | 'bad' }[] = []
    for (const applicant of applicants) {
      const text = JSON.stringify(mapApplicant(applicant))
      assert.ok(!text.includes('credit_risk'))
      const { decision } = await service.decide(readRequest(readJson(text)), 'test')
      decided.push({ decision, outcome: outcomeOf(applicant) })
    }
    assert.deepEqual(tally(decided), [
      { decision: 'approve', good: 363, bad: 58, bad_share: 0.1378 },
      { decision: 'manual_review', good: 242, bad: 94, bad_share: 0.2798 },
      { decision: 'decline', good: 95, bad: 148, bad_share: 0.6091 },
      { decision: 'all', good: 700, bad: 300, bad_share: 0.3 },
    ])
  })

  it('an unknown code, a missing value and another header are refused with their place', () => {
    const first = applicants[0]
    assert.ok(first !== undefined)
    assert.throws(() => mapApplicant({ ...first, status: '9' }), /SGC-0001: .*`status`; got `9`/)
    assert.throws(() => mapApplicant({ ...first, amount: '-1' }), /SGC-0001: .*`amount`; got `-1`/)
    assert.throws(() => readApplicants(`${columns.join(',')}\na,b`), /line 2: expected 22 values/)
    assert.throws(() => readApplicants('id;status'), /line 1: expected the header/)
  })

  it('draws the tally in aligned columns', () => {
    const text = drawTally(tally([{ decision: 'approve', outcome: 'bad' }]))
    assert.equal(
      text,
      [
        'decision  good  bad  total  bad share',
        'approve      0    1      1    100.0 %',
        'all          0    1      1    100.0 %',
        '',
      ].join('\n'),
    )
  })
})
