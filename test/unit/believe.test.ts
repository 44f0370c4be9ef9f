import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Belief, believe as believeIn, statesUnder } from '../../src/agents/believe.ts'
import type { FactVersion } from '../../src/domain/fact.ts'
import type { FactDeclaration, FactsFile, Policy, SourcesFile } from '../../src/domain/policy.ts'

const asOfMs = Date.parse('2026-06-01T00:00:00Z')
const money = (more: Partial<FactDeclaration> = {}): FactDeclaration => ({
  type: 'money',
  unit: 'USD',
  en: 'x',
  zh: 'x',
  ...more,
})
const policy = { min_confidence: 0.7 } as Policy
const sources: SourcesFile = {
  caller: 'payroll',
  applicant: 'applicant',
  sources: {},
  methods: {},
  machine_read: ['ocr'],
}

function believe(
  versions: readonly FactVersion[],
  facts: FactsFile['facts'],
  under: Policy,
  atMs: number,
): Belief {
  return believeIn(versions, { facts: { facts }, policy: under, sources }, atMs)
}

const tolerant = { tolerance: { percent: '10' } }

function aVersion(more: Partial<FactVersion>): FactVersion {
  return {
    application_id: 'a',
    fact: 'income',
    version: 1,
    type: 'money',
    value: '4000',
    unit: 'USD',
    confidence: 0.9,
    source: 'payroll',
    method: null,
    corrects: null,
    observed_at: '2026-05-30T00:00:00.000Z',
    recorded_at: '2026-05-30T00:00:00.000Z',
    ...more,
  }
}

it('per source only the latest observation counts, whatever order it arrived in', () => {
  const old = aVersion({ version: 2, value: '9000', observed_at: '2026-05-01T00:00:00.000Z' })
  const { states, contests } = believe([aVersion({}), old], { income: money() }, policy, asOfMs)
  assert.deepEqual(states.get('income'), { state: 'known', value: '4000', confidence: 0.9 })
  assert.equal(contests.length, 0)
})

it('sources within the tolerance agree, and exactly at it they still do', () => {
  const other = aVersion({ source: 'bank', value: '3600', confidence: 0.8 })
  const { states } = believe([aVersion({}), other], { income: money(tolerant) }, policy, asOfMs)
  assert.deepEqual(states.get('income'), { state: 'known', value: '4000', confidence: 0.9 })
})

it('a second strong source beyond the tolerance contests; a weak one does not', () => {
  const strong = aVersion({ source: 'bank', value: '3599.99', confidence: 0.8 })
  const contested = believe([aVersion({}), strong], { income: money(tolerant) }, policy, asOfMs)
  assert.deepEqual(
    contested.contests.map((contest) => contest.heads.map((head) => head.value)),
    [['4000', '3599.99']],
  )
  assert.equal(contested.states.has('income'), false)
  const weak = believe(
    [aVersion({}), { ...strong, confidence: 0.69 }],
    { income: money(tolerant) },
    policy,
    asOfMs,
  )
  assert.equal(weak.states.get('income')?.state, 'known')
})

it('a third source that agrees with exactly one reading settles the contest', () => {
  const versions = [
    aVersion({}),
    aVersion({ source: 'bank', value: '6000', confidence: 0.8 }),
    aVersion({ source: 'tax', value: '5900', confidence: 0.75 }),
  ]
  const { states, contests } = believe(versions, { income: money(tolerant) }, policy, asOfMs)
  assert.equal(contests.length, 0)
  assert.deepEqual(states.get('income'), { state: 'known', value: '6000', confidence: 0.8 })
})

it('facts that measure the same contest each other; a reading keeps one and the others become none', () => {
  const facts = {
    slip: money({ measures: 'income', ...tolerant }),
    tax: money({ measures: 'income', ...tolerant }),
  }
  const versions = [
    aVersion({ fact: 'slip' }),
    aVersion({ fact: 'tax', source: 'tax', value: '6000', confidence: 0.8 }),
  ]
  const { contests } = believe(versions, facts, policy, asOfMs)
  const contest = contests[0]
  assert.ok(contest?.heads[1])
  const states = statesUnder(contest.heads[1], contest.claims, facts, policy)
  assert.equal(states.get('slip')?.state, 'none')
  assert.deepEqual(states.get('tax'), { state: 'known', value: '6000', confidence: 0.8 })
})

it('no record of one kind does not contradict what another fact of the same measure says', () => {
  const facts = { slip: money({ measures: 'income' }), tax: money({ measures: 'income', may_be_none: true }) }
  const none = aVersion({ fact: 'tax', source: 'tax', value: null, confidence: 0.95 })
  const { contests, states } = believe([aVersion({ fact: 'slip' }), none], facts, policy, asOfMs)
  assert.equal(contests.length, 0)
  assert.equal(states.get('slip')?.state, 'known')
  assert.equal(states.get('tax')?.state, 'none')
})

it('a prohibited fact with an exception takes part, for the rule of the exception', () => {
  const except = [{ rule: 'US-04', operator: 'lessThan' as const, value: '18' }]
  const { states } = believe([aVersion({})], { income: money({ prohibited: true, except }) }, policy, asOfMs)
  assert.equal(states.get('income')?.state, 'known')
})

it('none contests a value, and a reported none counts as none only where the fact may be none', () => {
  const none = aVersion({ source: 'bureau', value: null })
  assert.equal(
    believe([aVersion({}), none], { income: money({ may_be_none: true }) }, policy, asOfMs).contests.length,
    1,
  )
  assert.equal(
    believe([none], { income: money({ may_be_none: true }) }, policy, asOfMs).states.get('income')?.state,
    'none',
  )
  assert.equal(believe([none], { income: money() }, policy, asOfMs).states.get('income')?.state, 'unknown')
})

it('a fact under min_confidence is unknown and says both figures', () => {
  const { states } = believe([aVersion({ confidence: 0.54 })], { income: money() }, policy, asOfMs)
  assert.deepEqual(states.get('income'), {
    state: 'unknown',
    why: 'confidence 0.54 < 0.70',
    missing: ['income'],
  })
})

it('freshness lowers an old reading', () => {
  const facts = { income: money({ fresh_days: 10, fresh_tau_days: 30 }) }
  const old = aVersion({ observed_at: '2026-04-22T00:00:00.000Z' })
  assert.equal(believe([old], facts, policy, asOfMs).believed.get('income')?.confidence, 0.331091)
})

it('on their own declarations nobody contradicts the applicant', () => {
  const facts = { income: money({ declared: true }) }
  const versions = [
    aVersion({ source: 'applicant', confidence: 1 }),
    aVersion({ source: 'bank', value: '1', confidence: 0.9 }),
  ]
  assert.deepEqual(believe(versions, facts, policy, asOfMs).states.get('income'), {
    state: 'known',
    value: '4000',
    confidence: 1,
  })
})

it('prohibited facts take no part in belief', () => {
  const { believed } = believe([aVersion({})], { income: money({ prohibited: true }) }, policy, asOfMs)
  assert.equal(believed.size, 0)
})

it('one source that says two things of one instant contests itself, whichever arrived last', () => {
  const other = aVersion({ version: 2, value: '9000' })
  for (const versions of [
    [aVersion({}), other],
    [aVersion({ version: 2 }), aVersion({ value: '9000' })],
  ]) {
    const { contests } = believe(versions, { income: money() }, policy, asOfMs)
    assert.deepEqual(
      contests.map((contest) => contest.heads.map((head) => head.value).sort()),
      [['4000', '9000']],
    )
  }
})

const later = '2026-05-31T00:00:00.000Z'
const machine = aVersion({ source: 'reader', method: 'ocr', confidence: 0.95 })
const correction = aVersion({
  source: 'bank',
  value: '5000',
  confidence: 0.8,
  corrects: 'reader',
  recorded_at: later,
})

it("a correction that counts takes the applicant's own and a machine's reading to a tenth, in any order of versions", () => {
  for (const version of [1, 2]) {
    const { believed, contests } = believe(
      [machine, { ...correction, version }],
      { income: money() },
      policy,
      asOfMs,
    )
    assert.equal(contests.length, 0)
    assert.equal(believed.get('income')?.value, '5000')
  }
  const own = aVersion({ source: 'applicant', confidence: 0.95 })
  const { claims } = believe(
    [own, { ...correction, corrects: 'applicant' }],
    { income: money() },
    policy,
    asOfMs,
  )
  assert.deepEqual(
    claims.map((claim) => claim.confidence),
    [0.8, 0.095],
  )
})

it('a correction without weight silences nothing: it is a dispute', () => {
  const system = aVersion({ source: 'system', value: '5000' })
  const light = { ...correction, confidence: 0 }
  assert.equal(believe([machine, system, light], { income: money() }, policy, asOfMs).contests.length, 1)
})

it('against anyone else a correction, however weak, is a dispute', () => {
  const register = aVersion({ source: 'bureau', confidence: 0.99 })
  const dispute = aVersion({
    source: 'applicant',
    value: '1',
    confidence: 0.5,
    corrects: 'bureau',
    recorded_at: later,
  })
  const contested = (more: readonly FactVersion[]) =>
    believe([register, dispute, ...more], { income: money() }, policy, asOfMs).contests.length
  assert.equal(contested([]), 1)
  // Saying the same again settles nothing; something else does, and so does the corrector who takes it back.
  assert.equal(contested([aVersion({ ...register, version: 2, observed_at: later, recorded_at: later })]), 1)
  assert.equal(contested([aVersion({ ...register, version: 2, value: '1', observed_at: later })]), 0)
  assert.equal(
    contested([aVersion({ source: 'applicant', version: 2, confidence: 0.5, observed_at: later })]),
    0,
  )
  assert.equal(
    contested([
      aVersion({ source: 'applicant', version: 2, value: '2', confidence: 0.5, observed_at: later }),
    ]),
    1,
  )
})

it('a value recorded under another type or unit than is declared now is unknown', () => {
  const facts = { income: money({ unit: 'EUR' }) }
  assert.equal(believe([aVersion({})], facts, policy, asOfMs).believed.size, 0)
})
