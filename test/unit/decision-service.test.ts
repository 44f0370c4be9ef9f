import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { DecisionRequest, RawValue } from '../../src/domain/request.ts'
import { Failure } from '../../src/errors.ts'
import { openTestService } from '../support/open-test-service.ts'

const noon = '2026-06-01T18:00:00Z'
const b1 = readRequest(readJson(readFileSync('examples/requests/b1.json', 'utf8')))
const overdue = {
  type: 'credit_overdue',
  occurred_at: '2025-12-01T00:00:00Z',
  attributes: readJson('{"days_overdue": 65}') as Record<string, RawValue>,
  source: 'credit_bureau',
}

function b1With(facts: Record<string, RawValue>, more: Partial<DecisionRequest> = {}): DecisionRequest {
  return { ...b1, ...more, facts: { ...b1.facts, ...facts } }
}

/** A service whose clock the test moves; each reading moves it by `stepMs`. */
async function openMovable(more: { deadlineMs?: number; stepMs?: number } = {}) {
  const time = { nowMs: Date.parse(noon), stepMs: 0 }
  const nowMs = (): number => {
    time.nowMs += time.stepMs
    return time.nowMs
  }
  const opened = await openTestService(noon, { clock: { nowMs }, deadlineMs: more.deadlineMs ?? 60_000 })
  time.stepMs = more.stepMs ?? 0
  return { ...opened, time }
}

const refusedAt = (at: string) => (error: unknown) =>
  error instanceof Failure &&
  error.code === 'REQUEST_INVALID' &&
  error.faults.some((fault) => fault.at === at)

it('leaving the subject out, or naming another, does not shed its history', async () => {
  const { service } = await openTestService(noon)
  const first = await service.decide({ ...b1, episodes: [overdue] }, 'test')
  assert.equal(first.decision, 'decline')
  const { subject: _subject, ...nameless } = b1
  assert.equal((await service.decide(nameless, 'test')).decision, 'decline')
  await assert.rejects(service.decide({ ...b1, subject: { id: 'other' } }, 'test'), refusedAt('/subject/id'))
})

it('without a subject the history is unknown, and nothing that counts it approves', async () => {
  const { service } = await openTestService(noon)
  const { subject: _subject, ...nameless } = b1
  const answer = await service.decide(nameless, 'test')
  assert.notEqual(answer.decision, 'approve')
  assert.equal((await service.replay(answer.decision_id)).identical, true)
})

it('an application keeps the policy and the time of receipt of its first decision', async () => {
  const { service } = await openTestService(noon)
  await service.decide(b1, 'test')
  await assert.rejects(
    service.decide({ ...b1, received_at: '2025-09-30T00:00:00Z' }, 'test'),
    refusedAt('/received_at'),
  )
  await assert.rejects(service.decide({ ...b1, policy: 'cn-consumer' }, 'test'), refusedAt('/policy'))
})

it('a source that says two things at once never approves on the better one', async () => {
  const pairs: Record<string, RawValue>[] = [
    { name_verified: [true, false] },
    { name_verified: [false, true] },
    { ssn_status: ['deceased', 'matches'] },
    { bureau_alert: ['fraud_unresolved', 'no_alert'] },
    { bankruptcy_discharged: ['2026-01-01', null] },
  ]
  for (const pair of pairs) {
    const { service } = await openTestService(noon)
    assert.notEqual((await service.decide(b1With(pair), 'test')).decision, 'approve', JSON.stringify(pair))
  }
})

it('a clock that steps back does not let old news outweigh new', async () => {
  const { service, time } = await openMovable()
  assert.equal((await service.decide(b1, 'test')).decision, 'approve')
  time.nowMs -= 30 * 60_000
  const hit = await service.decide(
    b1With({ ofac_result: { value: 'confirmed', source: 'sanctions_screening' } }),
    'test',
  )
  assert.notEqual(hit.decision, 'approve')
})

it('a decision that takes longer than its deadline approves nothing, and replays as such', async () => {
  const { service } = await openMovable({ deadlineMs: 12, stepMs: 5 })
  const answer = await service.decide(b1, 'test')
  assert.equal(answer.decision, 'manual_review')
  assert.deepEqual(
    answer.bars.map((bar) => bar.kind),
    ['deadline_passed'],
  )
  assert.equal((await service.replay(answer.decision_id)).identical, true)
})

it('an episode ahead of the clock counts within five minutes and is refused beyond', async () => {
  const soon = { ...overdue, occurred_at: '2026-06-01T18:04:00Z' }
  const { service } = await openTestService(noon)
  assert.equal((await service.decide({ ...b1, episodes: [soon] }, 'test')).decision, 'decline')
  const far = { ...overdue, occurred_at: '2026-06-01T18:06:00Z' }
  await assert.rejects(
    service.decide({ ...b1, application_id: 'b', episodes: [far] }, 'test'),
    refusedAt('/episodes/0/occurred_at'),
  )
})

it('a hundred requests for one application are decided one after the other, none refused', async () => {
  const { service } = await openTestService(noon)
  const answers = await Promise.all(Array.from({ length: 100 }, () => service.decide(b1, 'test')))
  assert.equal(new Set(answers.map((answer) => answer.record.seq)).size, 100)
})

it('an answer that is not the recorded one is not served', async () => {
  const { service, store } = await openMovable()
  const { decision_id } = await service.decide(b1, 'test')
  const stored = await store.findDecision(decision_id)
  assert.ok(stored)
  const tampered = {
    ...stored,
    answer: { ...stored.answer, text: stored.answer.text.replace('approve', 'decline') },
  }
  const lies = { ...store, findDecision: async () => tampered }
  const { service: lying } = await openTestService(noon, { store: lies })
  await assert.rejects(
    lying.find(decision_id),
    (error) => error instanceof Failure && error.code === 'LEDGER_BROKEN',
  )
})

it('a confidence is not rounded up onto the limit', async () => {
  const { service } = await openTestService(noon)
  const income = readJson('{"value": 5400, "unit": "USD", "confidence": 0.69999951, "source": "payroll_api"}')
  assert.notEqual((await service.decide(b1With({ monthly_income: income }), 'test')).decision, 'approve')
})
