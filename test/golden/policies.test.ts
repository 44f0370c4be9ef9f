import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { type DecisionRequest, JsonNumber } from '../../src/domain/request.ts'
import { Failure } from '../../src/errors.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import { openTestService } from '../support/open-test-service.ts'

const now = '2026-06-01T18:00:00Z'

function example(name: string, facts: Record<string, string | number> = {}): DecisionRequest {
  const request = readRequest(readJson(readFileSync(`examples/requests/${name}.json`, 'utf8')))
  const changed = Object.entries(facts).map(([fact, value]) => [
    fact,
    typeof value === 'number' ? new JsonNumber(String(value)) : value,
  ])
  return { ...request, facts: { ...request.facts, ...Object.fromEntries(changed) } }
}

async function decide(request: DecisionRequest) {
  const { service } = await openTestService(now)
  const answer = await service.decide(request, 'test')
  assert.equal((await service.replay(answer.decision_id)).identical, true)
  return answer
}

it('the 43 % test decides for a mortgage received in 2020 and is not even evaluated for one received in 2026', async () => {
  const mortgage = example('b4', { monthly_income: 10000, monthly_debts: 2600, new_payment: 2000 })
  const before = await decide({ ...mortgage, received_at: '2020-06-01T12:00:00Z' })
  assert.equal(before.decision, 'manual_review')
  assert.equal(before.facts.believed.debt_to_income?.value, '0.46')
  assert.deepEqual(
    before.chains.map((chain) => chain.rule),
    ['US-10a@1.0.0'],
  )
  assert.ok(before.rules.not_in_force.includes('US-10b'))

  const after = await decide(mortgage)
  assert.equal(after.decision, 'approve')
  assert.ok(after.rules.not_in_force.includes('US-10a'))
  assert.doesNotMatch(canonicalJson(after.chains), /US-10a|1026\.43\(e\)\(2\)\(vi\)-dti/)
})

it('race and sex change neither decision nor chains nor rule set', async () => {
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']) {
    const plain = await decide(example(name))
    const filled = await decide(example(name, { race: 'x', sex: 'y', marital_status: 'z' }))
    const { decision_id: _one, record: _two, ...rest } = filled
    const { decision_id: _three, record: _four, ...before } = plain
    assert.deepEqual(rest, before)
  }
})

it('debt ratios fall where the Chinese policy says: 0.55 and 0.50 to a person, 0.4999 passes, above 0.55 is declined', async () => {
  const at = async (payment: number) =>
    (
      await decide(
        example('a1', {
          income_proof: 10000,
          fund_base: 10000,
          existing_payments: 2500,
          new_payment: payment,
        }),
      )
    ).decision
  assert.equal(await at(3000), 'manual_review')
  assert.equal(await at(3000.01), 'decline')
  assert.equal(await at(2500), 'manual_review')
  assert.equal(await at(2499), 'approve')
})

const protectedUses: readonly (readonly [string, string])[] = [
  ['a condition', 'when: {fact: sex, operator: equal, value: x}'],
  ['a nested condition', 'when: {any: [{not: {fact: race, operator: equal, value: x}}]}'],
  ['age beyond its exception', 'when: {fact: age, operator: lessThan, value: 25}'],
]

for (const [what, when] of protectedUses) {
  it(`a rule that reads a protected attribute in ${what} is refused with file, line and citation`, async () => {
    const { packs } = await readPacks('rules')
    const pack = packs.find(({ folder }) => folder === 'us-consumer')
    assert.ok(pack)
    const text = `rule_id: X-1\nversion: 1.0.0\ndescription: x\nregulation: lender/credit-policy-7\n${when}\nthen:\n  - {episode: dti_high, toward: credit_rejection}\nreason: {code: C1-09, tell: reason, text: {en: x, zh: x}}\n`
    assert.throws(
      () => loadPack([...pack.files, { path: 'us-consumer/X-1.yaml', text }]),
      (error) =>
        error instanceof Failure &&
        /us-consumer\/X-1\.yaml:5:\d+/.test(error.message) &&
        /12 CFR 1002\.6\(b\)/.test(error.message),
    )
  })
}
