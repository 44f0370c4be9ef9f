import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { AnsweredBefore } from '../../src/decision/answered-before.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { readWhatIf } from '../../src/decision/read-what-if.ts'
import { Answer } from '../../src/domain/decision.ts'
import { CounterfactualAnswer, WhatIfAnswer } from '../../src/domain/hypothetical.ts'
import { Failure } from '../../src/errors.ts'
import { compileRules } from '../../src/rules/evaluate.ts'
import { ratioContent, ratioFacts } from '../support/ratio-policy.ts'
import { openRatioService, type RatioService } from '../support/ratio-service.ts'

const request = {
  application_id: 'app-1',
  policy: 'ratio',
  received_at: '2026-06-01T11:00:00Z',
  subject: { id: 'cust-1' },
  facts: { income: 2000, debts: 1100, payment: 100, amount: 4000 },
  episodes: [{ type: 'late', occurred_at: '2026-05-20T12:00:00Z' }],
}

/** As a caller would send it. */
function sent(value: unknown) {
  return readJson(JSON.stringify(value))
}

async function decided(changes: object = {}, more: Parameters<typeof openRatioService>[0] = {}) {
  const opened = await openRatioService(more)
  const answer = await opened.service.decide(readRequest(sent({ ...request, ...changes })), 'test')
  const ask = (body: object) =>
    opened.service.whatIf(readWhatIf(sent({ decision_id: answer.decision_id, ...body })), 'asker')
  return { ...opened, answer, ask }
}

async function faultsOf(promise: () => Promise<unknown>): Promise<Record<string, string>> {
  try {
    await promise()
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'REQUEST_INVALID', String(error))
    return Object.fromEntries(error.faults.map(({ at, why }) => [at, why]))
  }
  assert.fail('expected REQUEST_INVALID')
}

describe('what-if', () => {
  it('records that it was asked, and nothing else', async () => {
    const { ask, answer, seen, ruleSet, store } = await decided()
    const before = await seen()
    const supposed = await ask({ changes: { facts: { income: 3000 }, remove_facts: ['bonus'] } })
    WhatIfAnswer.parse(supposed)
    const after = await seen()
    assert.deepEqual(after.memory, before.memory)
    assert.deepEqual(after.records.slice(0, -1), before.records)
    assert.deepEqual(after.records.at(-1), {
      kind: 'what_if_asked',
      payload: {
        policy: 'ratio',
        based_on: answer.decision_id,
        changed: ['bonus', 'income'],
        rule_set: ruleSet.hash,
        graph_position: answer.graph_position,
      },
    })
    assert.equal(await store.findDecision(supposed.decision_id), undefined)
    assert.deepEqual((await verifyLedger(store)).faults, [])
  })

  it('without any change it is the recorded answer again', async () => {
    const { ask, answer } = await decided()
    const { hypothetical, changed, base, ...supposed } = await ask({ changes: {} })
    const { record, ...recorded } = answer
    assert.deepEqual(supposed, { ...recorded, decision_id: 'hypothetical' })
    assert.equal(hypothetical, true)
    assert.deepEqual(base, { decision_id: answer.decision_id, decision: 'decline' })
    assert.deepEqual(changed, {
      facts: {},
      removed_facts: [],
      unreadable_facts: [],
      as_of: null,
      received_at: null,
      rule_set: null,
      graph_position: null,
    })
    assert.ok(record.seq > 0)
  })

  it("a changed fact replaces every version and is the caller's, unless its reading says otherwise", async () => {
    const readings = [
      { value: 2000, source: 'lender' },
      { value: 2500, source: 'bank' },
    ]
    const { ask, answer } = await decided({ facts: { ...request.facts, income: readings } })
    assert.equal(answer.facts.contested.length, 1)
    const bare = await ask({ changes: { facts: { income: 4000 } } })
    assert.equal(bare.facts.contested.length, 0)
    assert.equal(bare.facts.believed.ratio?.value, '0.3')
    assert.deepEqual(bare.changed.facts.income, [
      { value: '4000', unit: 'USD', confidence: 0.95, source: 'lender', observed_at: answer.as_of },
    ])
    const reading = { value: 4000, source: 'bank', confidence: 0.8, observed_at: '2026-05-01T00:00:00Z' }
    const supposed = await ask({ changes: { facts: { income: reading } } })
    assert.deepEqual(supposed.changed.facts.income, [
      {
        value: '4000',
        unit: 'USD',
        confidence: 0.8,
        source: 'bank',
        observed_at: '2026-05-01T00:00:00.000Z',
      },
    ])
  })

  it('null is none, and a removed fact is unknown', async () => {
    const { ask } = await decided()
    const none = await ask({ changes: { facts: { bonus: null } } })
    assert.equal(none.facts.believed.bonus?.state, 'none')
    const gone = await ask({ changes: { remove_facts: ['income'] } })
    assert.equal(gone.decision, 'insufficient_evidence')
    assert.deepEqual(gone.changed.removed_facts, ['income'])
  })

  it('a supposed time changes decay', async () => {
    const facts = { ...request.facts, debts: 100 }
    const { ask, answer } = await decided({ facts })
    // 12 days at tau 30: 0.67 * 0.9 reaches 0.3; 60 days later it does not.
    assert.equal(answer.decision, 'manual_review')
    const later = await decided({ facts }, { nowText: '2026-08-01T12:00:00.000Z' })
    assert.equal(later.answer.decision, 'approve')
    const back = await later.ask({ changes: { as_of: '2026-06-01T12:00:00Z' } })
    assert.equal(back.decision, 'manual_review')
    assert.equal(back.chains[0]?.score, answer.chains[0]?.score)
    assert.deepEqual(back.changed.as_of, { from: '2026-08-01T12:00:00.000Z', to: '2026-06-01T12:00:00.000Z' })
    const before = await ask({ changes: { as_of: '2026-05-01T00:00:00Z' } })
    assert.equal(before.decision, 'approve')
  })

  it('another rule set and another graph position are those of the store', async () => {
    const opened = await decided({ facts: { ...request.facts, debts: 100 } })
    const { ask, answer, migrate, store } = opened
    assert.equal(answer.decision, 'manual_review')
    await migrate([
      {
        op: 'revise_edge',
        id: 'e-late',
        strength: 0.1,
        confidence: 1,
        source: 'lender/x',
        valid_from: '2020-01-01',
      },
    ])
    const { sequence } = answer.graph_position
    const weaker = await ask({ changes: { graph_position: { sequence: sequence + 1 } } })
    assert.equal(weaker.decision, 'approve')
    assert.deepEqual(weaker.changed.graph_position, {
      from: { migration: 'V0001', sequence },
      to: { migration: 'V0002', sequence: sequence + 1 },
    })
    const nothing = await ask({ changes: { graph_position: { sequence: 0 } } })
    assert.deepEqual(nothing.graph_position, { migration: null, sequence: 0 })
    const other = compileRules(ratioContent({ rules: ratioContent().rules.slice(1) }))
    await store.saveRuleSet(other.hash, other.canonical)
    const lenient = await ask({ changes: { facts: { debts: 1900 }, rule_set: other.hash } })
    assert.equal(lenient.rules.set, other.hash)
    assert.deepEqual(lenient.rules.fired, [])
  })

  it('facts that another rule set declares otherwise are named and left out', async () => {
    const { ask, store } = await decided()
    const facts = {
      ...ratioFacts,
      income: { ...ratioFacts.income, max: '100' },
      amount: { type: 'text', en: 'x', zh: 'x' } as const,
    }
    const other = compileRules(ratioContent({ facts }))
    await store.saveRuleSet(other.hash, other.canonical)
    const supposed = await ask({ changes: { rule_set: other.hash } })
    assert.deepEqual(supposed.changed.unreadable_facts, ['amount', 'income'])
    assert.equal(supposed.decision, 'insufficient_evidence')
  })

  it('a whole request is decided as it would be now, beside what memory holds', async () => {
    const { service, seen } = await decided()
    const before = await seen()
    const body = { request: { ...request, facts: { debts: 10 } }, changes: {} }
    const supposed = await service.whatIf(readWhatIf(sent(body)), 'asker')
    assert.equal(supposed.base, null)
    assert.equal(supposed.facts.believed.income?.value, '2000')
    const after = await seen()
    assert.deepEqual(after.memory, before.memory)
    assert.equal(after.records.length, before.records.length + 1)
    const asked = after.records.at(-1)?.payload as Record<string, unknown> | undefined
    assert.equal(asked?.based_on, null)
  })

  it('what cannot be supposed is named by its pointer, and nothing is recorded', async () => {
    const opened = await decided()
    const { ask, seen, store, answer } = opened
    const before = await seen()
    const foreign = compileRules({ ...ratioContent(), policy: { ...ratioContent().policy, policy: 'other' } })
    await store.saveRuleSet(foreign.hash, foreign.canonical)
    const cases: readonly [object, string, RegExp][] = [
      [{ as_of: '2026-06-01T12:00:01Z' }, '/changes/as_of', /not later than now/],
      [{ received_at: '2027-01-01T00:00:00Z' }, '/changes/received_at', /not later than now/],
      [{ rule_set: `sha256:${'0'.repeat(64)}` }, '/changes/rule_set', /there is no rule set/],
      [{ rule_set: foreign.hash }, '/changes/rule_set', /of policy `ratio`; this one is of `other`/],
      [{ rule_set: 'latest' }, '/changes/rule_set', /got `latest`/],
      [
        { graph_position: { sequence: 3 } },
        '/changes/graph_position/sequence',
        /no position `3`; migrations ended at 0, \d+ \(V0001\)/,
      ],
      [{ graph_position: { sequence: 1.5 } }, '/changes/graph_position/sequence', /whole number/],
      [
        { graph_position: { ...answer.graph_position, migration: 'V0009' } },
        '/changes/graph_position/migration',
        /V0001/,
      ],
      [{ facts: { incme: 1 } }, '/changes/facts/incme', /did you mean `income`/],
      [{ facts: { ratio: 1 } }, '/changes/facts/ratio', /worked out by the policy/],
      [{ facts: { income: 'much' } }, '/changes/facts/income', /expected an amount/],
      [
        { facts: { income: { value: 1, source: 'moon' } } },
        '/changes/facts/income/source',
        /no source `moon`/,
      ],
      [{ facts: { Income: 1 } }, '/changes/facts/Income', /lower-case/],
      [{ remove_facts: ['incme'] }, '/changes/remove_facts', /did you mean `income`/],
      [{ facts: { income: 1 }, remove_facts: ['income'] }, '/changes/remove_facts', /one of the two/],
      [{ as_off: 'x' }, '/changes/as_off', /did you mean `as_of`/],
      [{ as_of: '2026-02-30T00:00:00Z' }, '/changes/as_of', /existing time/],
    ]
    for (const [changes, at, why] of cases) {
      const faults = await faultsOf(() => ask({ changes }))
      assert.deepEqual(Object.keys(faults), [at])
      assert.match(faults[at] ?? '', why)
    }
    const shapes: readonly [object | string, string, RegExp][] = [
      [{ changes: {} }, '', /neither is there/],
      [{ decision_id: 'x', request, changes: {} }, '', /both are there/],
      [{ decision_id: 'x' }, '/changes', /missing; expected an object/],
      [{ decision_id: 7, changes: {} }, '/decision_id', /id of a recorded decision; got the number `7`/],
      [{ request: { ...request, polcy: 1 }, changes: {} }, '/request/polcy', /did you mean `policy`/],
      [{ request: 5, changes: {} }, '/request', /expected an object/],
      ['text', '', /expected an object/],
    ]
    for (const [body, at, why] of shapes) {
      const faults = await faultsOf(async () => readWhatIf(sent(body)))
      assert.match(faults[at] ?? 'nothing', why, JSON.stringify([body, faults]))
    }
    const wrongFact = { request: { ...request, facts: { incme: 1 } }, changes: {} }
    const faults = await faultsOf(() => opened.service.whatIf(readWhatIf(sent(wrongFact)), 'asker'))
    assert.deepEqual(Object.keys(faults), ['/request/facts/incme'])
    assert.deepEqual(await seen(), before)
  })

  it('what can not be recorded as asked is not answered', async () => {
    const store = openMemoryStore()
    const full = () => Promise.reject(new Failure('STORE_UNAVAILABLE', { at: '', why: 'the disk is full' }))
    const { ask, answer, service } = await decided({}, { store: { ...store, appendRecord: full } })
    await assert.rejects(ask({ changes: {} }), { code: 'STORE_UNAVAILABLE' })
    await assert.rejects(service.counterfactual(answer.decision_id, 'asker'), { code: 'STORE_UNAVAILABLE' })
  })

  it('an unknown decision is said to be none', async () => {
    const { service } = await decided()
    const unknown = readWhatIf(sent({ decision_id: 'nope', changes: {} }))
    await assert.rejects(service.whatIf(unknown, 'asker'), { code: 'DECISION_UNKNOWN' })
    await assert.rejects(service.counterfactual('nope', 'asker'), { code: 'DECISION_UNKNOWN' })
  })
})

describe('counterfactual of a recorded decision', () => {
  it('records that it was asked, and nothing else', async () => {
    const { service, answer, seen } = await decided()
    const before = await seen()
    const found = CounterfactualAnswer.parse(await service.counterfactual(answer.decision_id, 'asker'))
    assert.equal(found.decision, 'decline')
    // 1200 / 0.55 = 2181.8 of income, 9.5 %.
    assert.equal(found.counterfactual?.to, '2190')
    const after = await seen()
    assert.deepEqual(after.memory, before.memory)
    const payload = { based_on: answer.decision_id }
    assert.deepEqual(after.records, [...before.records, { kind: 'counterfactual_asked', payload }])
  })

  it('is about the decision as it was recorded, whatever came later', async () => {
    const { service, answer } = await decided()
    const first = await service.counterfactual(answer.decision_id, 'asker')
    await service.decide(readRequest(sent({ ...request, facts: { income: 9000 } })), 'test')
    assert.deepEqual(await service.counterfactual(answer.decision_id, 'asker'), first)
  })

  it('what it names does give the decision it names', async () => {
    const { service, answer, ask } = await decided()
    const { counterfactual } = await service.counterfactual(answer.decision_id, 'asker')
    const supposed = await ask({ changes: { facts: { income: counterfactual?.to } } })
    assert.equal(supposed.decision, counterfactual?.decision)
    Answer.strip().parse(supposed)
  })
})

it('asked again with the same idempotency claim, nothing more is recorded', async () => {
  const { service, answer, seen }: RatioService & { answer: { decision_id: string } } = await decided()
  const claim = { scope: 'asker POST /x', key: 'k', bodyHash: `sha256:${'0'.repeat(64)}` }
  const first = await service.counterfactual(answer.decision_id, 'asker', claim)
  const before = await seen()
  await assert.rejects(service.counterfactual(answer.decision_id, 'asker', claim), AnsweredBefore)
  assert.deepEqual(JSON.parse((await service.answered(claim))?.text ?? ''), first)
  assert.deepEqual(await seen(), before)
})
