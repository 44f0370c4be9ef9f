import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { whyNotPast } from '../../src/agents/why-not-past.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { DecisionKind } from '../../src/domain/policy.ts'
import { Failure } from '../../src/errors.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { factsBehindRules } from '../support/facts-behind-rules.ts'
import { openTestService, type TestService } from '../support/open-test-service.ts'
import { factsWith, packFiles } from '../support/pack-builders.ts'

const decidedAt = '2026-06-01T12:00:00Z'
const longAgo = '2001-01-01T00:00:00Z'

const packs: readonly RuleSet[] = (await readPacks('rules')).packs.map((pack) => loadPack(pack.files))

for (const ruleSet of packs) {
  describe(`facts of ${ruleSet.policy.policy}`, () => {
    it('every fact that rules decide by grows old, or says why it does not', () => {
      const ageless = factsBehindRules(ruleSet).filter((name) => {
        const { declared, fresh_days, timeless } = ruleSet.facts.facts[name] ?? {}
        return declared !== true && fresh_days === undefined && timeless === undefined
      })
      assert.deepEqual(ageless, [])
    })

    it('what grows old says how fast, so that no default decides', () => {
      const facts = Object.entries(ruleSet.facts.facts)
      const half = facts.filter(
        ([, { fresh_days, fresh_tau_days }]) => fresh_days !== undefined && !fresh_tau_days,
      )
      assert.deepEqual(half, [])
    })

    it('every day that a rule counts from lies in the past or is one that may lie ahead', () => {
      const ahead = new Set(['note_date', 'income_document_due'])
      const open = factsBehindRules(ruleSet).filter((name) => {
        const { type, past } = ruleSet.facts.facts[name] ?? {}
        return (type === 'date' || type === 'instant') && past !== true && !ahead.has(name)
      })
      assert.deepEqual(open, [])
    })
  })
}

let service: TestService['service']
before(async () => {
  service = (await openTestService(decidedAt)).service
})

type Posted = Readonly<Record<string, unknown>>
let count = 0

async function decide(base: string, changes: Posted): Promise<DecisionKind> {
  const request = JSON.parse(readFileSync(`examples/requests/${base}.json`, 'utf8'))
  const id = `old-${count++}`
  const facts = { ...request.facts, ...changes }
  const text = JSON.stringify({ ...request, application_id: id, subject: { id }, facts })
  return (await service.decide(readRequest(readJson(text)), 'test')).decision
}

function postedIn(base: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(`examples/requests/${base}.json`, 'utf8')).facts
}

/** The reading as it was posted, but observed at another time. */
function observed(posted: unknown, at: string): unknown {
  const isReading = typeof posted === 'object' && posted !== null && !Array.isArray(posted)
  return isReading ? { ...posted, observed_at: at } : { value: posted, observed_at: at }
}

for (const [base, policy] of [
  ['b1', 'us-consumer'],
  ['b4', 'us-consumer'],
  ['a1', 'cn-consumer'],
] as const) {
  it(`${base}: a reading of long ago approves nothing that a missing one does not`, async () => {
    const declarations = packs.find((pack) => pack.policy.policy === policy)?.facts.facts ?? {}
    assert.equal(await decide(base, {}), 'approve')
    const needed: string[] = []
    for (const [name, posted] of Object.entries(postedIn(base))) {
      const { declared, timeless } = declarations[name] ?? {}
      if (declared === true || timeless !== undefined) continue
      if ((await decide(base, { [name]: undefined })) === 'approve') continue
      needed.push(name)
      assert.notEqual(await decide(base, { [name]: observed(posted, longAgo) }), 'approve', name)
    }
    assert.ok(needed.length >= 10, `only ${needed.join(', ')} were needed`)
  })
}

const ages: readonly (readonly [base: string, fact: string, days: number, decision: DecisionKind])[] = [
  ['b1', 'ofac_result', 1, 'approve'],
  ['b1', 'ofac_result', 2, 'insufficient_evidence'],
  ['b1', 'covered_borrower', 29, 'approve'],
  ['b1', 'covered_borrower', 31, 'hold'],
  ['b1', 'name_verified', 300, 'approve'],
  ['b1', 'name_verified', 700, 'insufficient_evidence'],
  ['b1', 'late_60_days_12m', 45, 'approve'],
  ['b1', 'late_60_days_12m', 120, 'insufficient_evidence'],
  ['a1', 'aml_result', 1, 'approve'],
  ['a1', 'aml_result', 2, 'insufficient_evidence'],
  ['a1', 'identity_check', 400, 'insufficient_evidence'],
]
for (const [base, fact, days, decision] of ages) {
  it(`${base}: ${fact} observed ${days} days ago: ${decision}`, async () => {
    const at = new Date(Date.parse(decidedAt) - days * 86_400_000).toISOString()
    assert.equal(await decide(base, { [fact]: observed(postedIn(base)[fact], at) }), decision)
  })
}

const ahead: readonly (readonly [fact: string, value: unknown, at: string])[] = [
  ['consumer_report_date', '2036-05-20', '/facts/consumer_report_date'],
  ['consumer_report_date', '2026-06-02', '/facts/consumer_report_date'],
  [
    'consumer_report_date',
    { value: '2026-06-02', source: 'credit_bureau' },
    '/facts/consumer_report_date/value',
  ],
  ['bankruptcy_discharged', '2026-06-02', '/facts/bankruptcy_discharged'],
]
for (const [fact, value, at] of ahead) {
  it(`${fact} of ${JSON.stringify(value)} is refused, because that day has not come`, async () => {
    await assert.rejects(decide('b1', { [fact]: value }), (error) => {
      assert.ok(error instanceof Failure)
      assert.equal(error.code, 'REQUEST_INVALID')
      const faults = error.faults.map((fault) => [
        fault.at,
        /`2026-06-01` \(today.*lies in the future/.test(fault.why),
      ])
      assert.deepEqual(faults, [[at, true]])
      return true
    })
  })
}

it('a day counts as come in the zone of the policy, whatever the time elsewhere', () => {
  const at = Date.parse('2026-06-02T02:00:00Z')
  const date = { type: 'date', past: true } as const
  const instant = { type: 'instant', past: true } as const
  assert.equal(whyNotPast(date, '2026-06-02', 'Asia/Shanghai', at), undefined)
  assert.match(whyNotPast(date, '2026-06-02', 'America/New_York', at) ?? '', /`2026-06-01` \(today/)
  assert.equal(whyNotPast(instant, '2026-06-02T03:59:59.000Z', 'America/New_York', at), undefined)
  assert.match(whyNotPast(instant, '2026-06-02T04:00:00.000Z', 'America/New_York', at) ?? '', /in the future/)
  assert.equal(whyNotPast(date, null, 'America/New_York', at), undefined)
  assert.equal(whyNotPast({ type: 'date' }, '2036-01-01', 'America/New_York', at), undefined)
})

it('today is a day that has come, and a day ahead may be posted where it may lie ahead', async () => {
  assert.equal(await decide('b1', { consumer_report_date: '2026-06-01' }), 'approve')
  assert.equal(await decide('b4', { note_date: '2026-07-01' }), 'approve')
})

it('a note day that has passed makes no old report young', async () => {
  const old = { consumer_report_date: '2025-06-01', note_date: '2025-07-01' }
  assert.equal(await decide('b4', old), 'insufficient_evidence')
})

const wrong: readonly (readonly [declaration: string, why: RegExp])[] = [
  ['{type: money, past: true, en: A, zh: 一}', /`past` goes with dates and times; this fact is `money`/],
  [
    '{type: money, timeless: it stays, fresh_days: 3, en: A, zh: 一}',
    /`timeless` and `fresh_days` contradict/,
  ],
  ['{type: money, fresh_tau_days: 3, en: A, zh: 一}', /add it/],
]
for (const [declaration, why] of wrong) {
  it(`${declaration} is refused at its place`, () => {
    const files = packFiles({ 'facts.yaml': factsWith({ facts: `odd: ${declaration}` }) })
    assert.throws(
      () => parsePack(files),
      (error) => error instanceof Failure && why.test(error.message),
    )
  })
}
