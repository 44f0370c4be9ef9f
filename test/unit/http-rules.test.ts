import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RulesCheck, RulesReport } from '../../src/domain/rules-report.ts'
import { openTestApi } from '../support/open-test-api.ts'
import { packFiles } from '../support/pack-builders.ts'

const json = { 'content-type': 'application/json' }

async function check(body: unknown) {
  const { app } = await openTestApi()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await app.request('/v1/rules/check', { method: 'POST', headers: json, body: text })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the rules over HTTP', () => {
  it('tells which rules decide, with what they cite', async () => {
    const { app } = await openTestApi()
    const { policies, refused } = RulesReport.parse(await (await app.request('/v1/rules')).json())
    assert.deepEqual(
      policies.map(({ policy, failure }) => [policy, failure]),
      [
        ['cn-consumer', null],
        ['us-consumer', null],
      ],
    )
    assert.deepEqual(refused, [])
    assert.ok(policies[1]?.regulations.includes('lender/credit-policy-7'))
    assert.ok(policies[1]?.rules.some(({ rule_id }) => rule_id === 'US-08a'))
  })

  it('a checked pack is answered, good or bad, and not in force', async () => {
    const { app } = await openTestApi()
    const post = async (files: unknown) => {
      const body = JSON.stringify({ files })
      const response = await app.request('/v1/rules/check', { method: 'POST', headers: json, body })
      assert.equal(response.status, 200)
      return RulesCheck.parse(await response.json())
    }
    // The pack of the test names event types that this knowledge does not hold.
    const good = await post(packFiles())
    assert.equal(good.policy, 'test-pack')
    assert.match(good.set ?? '', /^sha256:/)
    const bad = await post(packFiles({ 'us-08a.yaml': 'rule_id: [' }))
    assert.deepEqual([bad.ok, bad.policy], [false, null])
    assert.match(bad.errors[0]?.at ?? '', /^us-08a\.yaml:1:/)
    const { policies } = RulesReport.parse(await (await app.request('/v1/rules')).json())
    assert.equal(policies.length, 2)
  })

  it('names every bad field of what is to be checked', async () => {
    const cases: readonly (readonly [unknown, string, RegExp])[] = [
      [[], '', /expected an object such as .* got a list of 0/],
      [{}, '/files', /this field is missing; expected a list of 1 to 2000 files/],
      [{ files: [] }, '/files', /expected a list of 1 to 2000 files; got a list of 0/],
      [{ files: ['x'] }, '/files/0', /expected a file/],
      [{ files: [{ path: 'a.yaml' }] }, '/files/0/text', /this field is missing/],
      [
        { files: [{ path: '../a.yaml', text: '' }] },
        '/files/0/path',
        /expected a path such as .*; got `\.\.\/a\.yaml`/,
      ],
      [{ files: [{ path: '/etc/a.yaml', text: '' }] }, '/files/0/path', /expected a path/],
      [{ files: [{ path: 'a.yaml', txt: '', text: '' }] }, '/files/0/txt', /did you mean `text`\?/],
      [
        { files: ['a', 'a'].map((name) => ({ path: `${name}.yaml`, text: '' })) },
        '/files/1/path',
        /`a\.yaml` is there twice; the first is \/files\/0/,
      ],
    ]
    for (const [body, pointer, detail] of cases) {
      const answer = await check(body)
      assert.equal(answer.status, 422, JSON.stringify(answer.body))
      const [error] = answer.body.errors as { pointer: string; detail: string }[]
      assert.equal(error?.pointer, pointer)
      assert.match(error?.detail ?? '', detail)
    }
    assert.equal(
      (await check(`{"files": [{"path": "a.yaml", "text": "${'x'.repeat(1_100_000)}"}]}`)).status,
      413,
    )
  })
})
