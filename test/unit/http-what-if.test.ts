import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createApp } from '../../src/http/create-app.ts'
import { accessWithoutKeys } from '../support/access-without-keys.ts'
import { noRules } from '../support/no-rules.ts'
import { openRatioService } from '../support/ratio-service.ts'

const request = {
  application_id: 'app-1',
  policy: 'ratio',
  received_at: '2026-06-01T11:00:00Z',
  facts: { income: 2000, debts: 1100, payment: 100 },
}

async function open() {
  const opened = await openRatioService()
  const app = createApp({ service: opened.service, access: accessWithoutKeys(), log: () => {}, ...noRules() })
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await app.request(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) }
  }
  const decided = await post('/v1/decisions', JSON.stringify(request))
  assert.equal(decided.status, 200, decided.text)
  return { ...opened, post, decisionId: String(decided.body.decision_id) }
}

it('a what-if is answered beside the decision it is compared with', async () => {
  const { post, decisionId } = await open()
  const body = JSON.stringify({ decision_id: decisionId, changes: { facts: { income: 4000.0 } } })
  const { status, body: answer } = await post('/v1/decisions/what-if', body)
  assert.equal(status, 200)
  assert.equal(answer.hypothetical, true)
  assert.equal(answer.decision, 'approve')
  assert.deepEqual(answer.base, { decision_id: decisionId, decision: 'decline' })
  assert.equal('record' in answer, false)
})

it('a counterfactual takes the empty object and nothing else', async () => {
  const { post, decisionId, seen } = await open()
  const path = `/v1/decisions/${decisionId}/counterfactual`
  const before = (await seen()).records.length
  for (const [body, status] of [
    ['', 400],
    ['[]', 422],
    ['7', 422],
    ['null', 422],
    ['{"fact": "income"}', 422],
  ] as const) {
    assert.equal((await post(path, body)).status, status, body)
  }
  assert.equal((await post('/v1/decisions/nope/counterfactual', '{}')).status, 404)
  assert.equal((await seen()).records.length, before)
  const { status, body } = await post(path, '{}')
  assert.equal(status, 200)
  assert.equal(body.counterfactual.to, '2190')
  assert.equal((await seen()).records.length, before + 1)
})

it('an idempotency key asks once', async () => {
  const { post, decisionId, seen } = await open()
  const body = JSON.stringify({ decision_id: decisionId, changes: {} })
  const key = { 'idempotency-key': 'once' }
  const first = await post('/v1/decisions/what-if', body, key)
  const before = await seen()
  const again = await post('/v1/decisions/what-if', body, key)
  assert.equal(again.text, first.text)
  assert.deepEqual(await seen(), before)
  assert.equal((await post('/v1/decisions/what-if', `${body} `, key)).status, 409)
})
