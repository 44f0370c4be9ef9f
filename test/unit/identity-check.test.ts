import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { Answer } from '../../src/domain/decision.ts'
import { openTestService } from '../support/open-test-service.ts'

const folder = 'examples/identity-check'
const student = JSON.parse(readFileSync(`${folder}/requests/student.json`, 'utf8')) as {
  facts: Record<string, unknown>
}

/** The example's request at its time, with some facts otherwise; `undefined` leaves one out. */
async function decide(facts: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { service } = await openTestService('2026-06-01T09:00:00Z', {
    rules: `${folder}/rules`,
    graph: `${folder}/graph`,
  })
  const text = JSON.stringify({ ...student, facts: { ...student.facts, ...facts } })
  return service.decide(readRequest(readJson(text)), 'test')
}

const rule = 'idv_student_check_v1.2@1.2.0'
const registry = (value: boolean) => ({ value, source: 'education_authority', method: 'registry' })

describe('the identity check, its rule in the compact form', () => {
  it('fires on the three boosts and names what to ask of the education authority', async () => {
    const answer = await decide({})
    assert.deepEqual(answer.rules.fired, [rule])
    assert.equal(answer.decision, 'insufficient_evidence')
    assert.deepEqual(
      answer.next_steps.map((step) => step.en),
      [
        'Ask for: Answer of the education authority',
        'Request from the education authority, with: Number on the student card, purpose identity check',
      ],
    )
    assert.ok(answer.next_steps.every((step) => !step.en.includes('S-2024-117')))
  })

  it('approves when the authority confirms, and goes to a person when it does not', async () => {
    assert.equal((await decide({ student_registered: registry(true) })).decision, 'approve')
    const doubted = await decide({ student_registered: registry(false) })
    assert.equal(doubted.decision, 'manual_review')
    // The memory that the rule set has its confidence, and the chain no more than that.
    assert.equal(doubted.chains[0]?.confidence, 0.9)
  })

  it('boosts under the threshold do not fire; what could still reach it is asked for', async () => {
    const typed = { ...(student.facts.student_card as object), method: 'self_declared' }
    const without = await decide({ student_card: typed, enrollment_date: null })
    assert.equal(without.decision, 'manual_review')
    assert.deepEqual(without.rules.fired, ['ID-03@1.0.0'])
    const open = await decide({ tuition_payment: undefined })
    assert.equal(open.decision, 'insufficient_evidence')
    assert.ok(open.rules.unknown.some((one) => one.rule === rule && one.facts.includes('tuition_payment')))
  })

  it('who is no student, or older, is not its business', async () => {
    assert.equal((await decide({ education_status: 'graduated' })).decision, 'manual_review')
    assert.equal((await decide({ user_age: 25 })).decision, 'manual_review')
  })
})
