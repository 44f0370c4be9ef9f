import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openEndMs } from '../../src/domain/time.ts'
import { decayCost, factorOf, preventedCost, strengthCost } from '../../src/graph/cost.ts'
import { startsOf } from '../../src/graph/question.ts'
import { compareFound } from '../../src/graph/search.ts'
import {
  aFinding,
  anEdge,
  anEpisode,
  anEpisodeStart,
  anEventType,
  ask,
  asOfMs,
  daysAgo,
  knowledgeOf,
  pathsOf,
  scoresOf,
} from '../support/graph-builders.ts'

describe('costs', () => {
  it('32 days at tau 30 weigh 0.344', () => {
    assert.equal(factorOf(decayCost(32 * 86_400_000, 30)).toFixed(3), '0.344')
  })
  it('are whole numbers, and 0 for a factor of 1', () => {
    assert.equal(strengthCost(1), 0)
    assert.equal(strengthCost(0.5), 693147181)
    assert.ok(Number.isInteger(strengthCost(Number.MIN_VALUE)))
    assert.ok(Number.isSafeInteger(decayCost(openEndMs, 0.01)))
  })
  it('a prevention of 1 blocks, one of 0.5 halves', () => {
    assert.equal(preventedCost(1), Number.POSITIVE_INFINITY)
    assert.equal(preventedCost(0.5), strengthCost(0.5))
  })
})

describe('decay and recurrence in figures', () => {
  const knowledge = knowledgeOf(
    anEdge('e-1', 'credit_overdue CAUSES liquidity_stress', {
      strength: 0.85,
      recurrence: { at_least: 3, within_days: 180, strength: 0.97 },
    }),
    anEdge('e-2', 'liquidity_stress CAUSES manual_review_required', { strength: 0.9 }),
  )
  function scores(...days: number[]) {
    const history = days.map((day) => anEpisode('credit_overdue', day))
    const starts = startsOf([], history, asOfMs)
    const outcomes = [{ event: 'manual_review_required', threshold: 0.3 }]
    return ask(knowledge, { starts, history, outcomes }).chains.toSorted(compareFound)
  }
  it('one overdue 12 days ago scores 0.512795', () => {
    assert.equal(scores(12)[0]?.score, 0.512795)
  })
  it('one overdue 50 days ago scores 0.144490', () => {
    assert.equal(scores(50)[0]?.score, 0.14449)
  })
  it('three at 12, 50 and 110 days score 0.585189, the latest first', () => {
    const [strongest, ...others] = scores(110, 12, 50)
    assert.equal(strongest?.score, 0.585189)
    assert.equal(strongest?.start.key, 'credit_overdue 12')
    assert.equal(others.length, 2)
  })
})

describe('temporal weight', () => {
  const knowledge = knowledgeOf(
    anEventType('slow', { tau_days: 300 }),
    anEventType('quick'),
    anEdge('e-1', 'slow CAUSES rejected', { strength: 1 }),
    anEdge('e-2', 'quick CAUSES rejected', { strength: 1 }),
  )
  it('uses the tau of the event type, 30 days when it names none', () => {
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [anEpisodeStart('slow', 30)] })), [0.904837])
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [anEpisodeStart('quick', 30)] })), [0.367879])
  })
  it('is 1 for a finding, unless a fact dates it', () => {
    const dated = aFinding('quick', { key: 'dated', occurredAtMs: asOfMs - 30 * 86_400_000 })
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('quick'), dated] })), [0.367879, 1])
  })
  it('does not count what lies later than as_of', () => {
    const result = ask(knowledge, { starts: [anEpisodeStart('quick', -0.001), anEpisodeStart('slow', 0)] })
    assert.deepEqual(pathsOf(result), ['slow > e-1'])
  })
  it('does not count an episode that has ended by as_of', () => {
    const history = [
      anEpisode('quick', 3, { valid_until: daysAgo(0) }),
      anEpisode('quick', 2, { valid_until: daysAgo(-1) }),
    ]
    const keys = startsOf([], history, asOfMs).map(({ key }) => key)
    assert.deepEqual(keys, ['quick 2'])
  })
})

describe('recurrence', () => {
  const edge = anEdge('e-1', 'overdue CAUSES rejected', {
    strength: 0.5,
    recurrence: { at_least: 2, within_days: 10, strength: 0.9 },
  })
  const knowledge = knowledgeOf(anEventType('overdue'), anEventType('late_rent', { is_a: ['overdue'] }), edge)
  const starts = [aFinding('overdue')]
  const score = (history: Parameters<typeof anEpisode>[]) =>
    scoresOf(ask(knowledge, { starts, history: history.map((one) => anEpisode(...one)) }))[0]

  it('counts episodes, not findings, up to and with the last day', () => {
    assert.equal(score([]), 0.5)
    assert.equal(score([['overdue', 1]]), 0.5)
    assert.equal(
      score([
        ['overdue', 1],
        ['overdue', 10],
      ]),
      0.9,
    )
    assert.equal(
      score([
        ['overdue', 1],
        ['overdue', 10.0001],
      ]),
      0.5,
    )
  })
  it('counts subtypes', () => {
    assert.equal(
      score([
        ['overdue', 1],
        ['late_rent', 2],
      ]),
      0.9,
    )
  })
  it('counts neither the future, nor what has ended, nor one episode twice', () => {
    assert.equal(
      score([
        ['overdue', 1],
        ['overdue', -1],
      ]),
      0.5,
    )
    assert.equal(
      score([
        ['overdue', 1],
        ['overdue', 2, { valid_until: daysAgo(1) }],
      ]),
      0.5,
    )
    assert.equal(
      score([
        ['overdue', 1],
        ['overdue', 1],
      ]),
      0.5,
    )
  })
})

describe('validity', () => {
  const knowledge = knowledgeOf(
    anEdge('e-1', 'a CAUSES rejected', { strength: 0.4, valid_from: '2024-01-01' }),
    { ...revision('e-1', 0.8), valid_from: '2025-01-01', valid_until: '2026-01-01' },
  )
  const at = (receivedAt: string) =>
    scoresOf(ask(knowledge, { starts: [aFinding('a')], receivedAtMs: Date.parse(receivedAt) }))

  it('walks the version in force when the application was received', () => {
    assert.deepEqual(at('2024-12-31T23:59:59.999Z'), [0.4])
    assert.deepEqual(at('2025-01-01T00:00:00Z'), [0.8])
  })
  it('past its end an edge is deprecated to 0.1 at most', () => {
    assert.deepEqual(at('2026-01-01T00:00:00Z'), [0.1])
  })
  it('before its first version an edge does not exist', () => {
    assert.deepEqual(at('2023-12-31T23:59:59.999Z'), [])
  })
  it('a retired event type deprecates the edges at it, one not yet valid hides them', () => {
    const types = knowledgeOf(
      anEventType('old'),
      { op: 'retire_event_type', id: 'old', valid_until: '2026-01-01' },
      anEventType('coming', { valid_from: '2027-01-01' }),
      anEdge('e-1', 'a CAUSES old', { strength: 0.9 }),
      anEdge('e-2', 'old CAUSES rejected', { strength: 0.05 }),
      anEdge('e-3', 'a CAUSES coming', { strength: 1 }),
      anEdge('e-4', 'coming CAUSES rejected', { strength: 1 }),
    )
    const result = ask(types, { starts: [aFinding('a')] })
    assert.deepEqual(pathsOf(result), ['a > e-1 > e-2'])
    assert.deepEqual(scoresOf(result), [0.005])
    assert.deepEqual(
      result.chains[0]?.steps.map(({ reading }) => reading.validity),
      ['deprecated', 'deprecated'],
    )
    assert.deepEqual(result.brokenEdges, [])
  })
  it('deprecation caps what recurrence raised', () => {
    const recurring = knowledgeOf(
      anEdge('e-1', 'a CAUSES rejected', {
        valid_until: '2026-01-01',
        recurrence: { at_least: 1, within_days: 10, strength: 0.9 },
      }),
    )
    assert.deepEqual(
      scoresOf(ask(recurring, { starts: [aFinding('a')], history: [anEpisode('a', 1)] })),
      [0.1],
    )
  })
})

describe('the gate', () => {
  const knowledge = knowledgeOf(
    anEdge('e-1', 'a CAUSES b', { strength: 0.9, min_confidence: 0.8 }),
    anEdge('e-2', 'b CAUSES rejected', { strength: 0.9 }),
    anEdge('e-3', 'a CAUSES rejected', { strength: 0.2 }),
  )
  it('lets a start pass at exactly its confidence', () => {
    const result = ask(knowledge, { starts: [aFinding('a', { confidence: 0.8 })] })
    assert.deepEqual(pathsOf(result), ['a > e-1 > e-2'])
    assert.deepEqual(result.excluded, [])
  })
  it('holds a weaker start off, and lists itself where a threshold was missed for it', () => {
    const result = ask(knowledge, { starts: [aFinding('a', { confidence: 0.79 })] })
    assert.deepEqual(pathsOf(result), ['a > e-3'])
    const [excluded] = result.excluded
    assert.equal(excluded?.scoreWithoutGates, 0.81)
    assert.deepEqual(
      excluded?.edges.map(({ edge }) => edge.id),
      ['e-1'],
    )
  })
  it('is not listed when the threshold is reached anyway, or would not be', () => {
    const weak = { starts: [aFinding('a', { confidence: 0.79 })] }
    assert.deepEqual(
      ask(knowledge, { ...weak, outcomes: [{ event: 'rejected', threshold: 0.2 }] }).excluded,
      [],
    )
    assert.deepEqual(
      ask(knowledge, { ...weak, outcomes: [{ event: 'rejected', threshold: 0.9 }] }).excluded,
      [],
    )
  })
})

describe('is_a', () => {
  it('an edge of a type holds for its subtypes, and being of a type is no hop', () => {
    const knowledge = knowledgeOf(
      anEventType('income_gap'),
      anEventType('income_inconsistent', { is_a: ['income_gap'] }),
      anEventType('salary_inconsistent', { is_a: ['income_inconsistent'] }),
      anEdge('e-1', 'income_gap CAUSES n1'),
      ...[1, 2, 3].map((n) => anEdge(`n-${n}`, `n${n} CAUSES n${n + 1}`)),
      anEdge('e-9', 'n4 CAUSES rejected'),
    )
    const result = ask(knowledge, { starts: [aFinding('salary_inconsistent')] })
    assert.deepEqual(pathsOf(result), ['salary_inconsistent > e-1 > n-1 > n-2 > n-3 > e-9'])
  })
  it('an edge of a subtype does not hold for its type', () => {
    const knowledge = knowledgeOf(
      anEventType('wide'),
      anEventType('narrow', { is_a: ['wide'] }),
      anEdge('e-1', 'narrow CAUSES rejected'),
    )
    assert.deepEqual(ask(knowledge, { starts: [aFinding('wide')] }).chains, [])
  })
})

describe('PREVENTS', () => {
  const chain = [
    anEdge('e-1', 'a CAUSES b', { strength: 0.8 }),
    anEdge('e-2', 'b CAUSES rejected', { strength: 1 }),
  ]
  const guarantee = anEpisodeStart('guarantee', 0)
  const toNothing = { toward: null }

  it('multiplies by 1 - p, from a start that is present only', () => {
    const knowledge = knowledgeOf(...chain, anEdge('p-1', 'guarantee PREVENTS b', { strength: 0.75 }))
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a')] })), [0.8])
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), guarantee] })), [0.2])
  })
  it('does not work from a node that is merely reached', () => {
    const knowledge = knowledgeOf(
      ...chain,
      anEdge('e-3', 'a CAUSES guarantee'),
      anEdge('p-1', 'guarantee PREVENTS b', { strength: 1 }),
    )
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a')] })), [0.8])
  })
  it('only the strongest per node counts, on each node once', () => {
    const knowledge = knowledgeOf(
      ...chain,
      anEdge('p-1', 'guarantee PREVENTS b', { strength: 0.5 }),
      anEdge('p-2', 'guarantee PREVENTS b', { strength: 0.25 }),
      anEdge('p-3', 'guarantee PREVENTS rejected', { strength: 0.5 }),
      anEdge('p-4', 'guarantee PREVENTS a', { strength: 0.5 }),
    )
    const result = ask(knowledge, { starts: [aFinding('a'), guarantee] })
    assert.deepEqual(scoresOf(result), [0.1])
    assert.equal(result.chains[0]?.startPrevention?.reading.edge.id, 'p-4')
    assert.equal(result.chains[0]?.steps[0]?.prevention?.reading.edge.id, 'p-1')
  })
  it('has its own temporal weight', () => {
    const knowledge = knowledgeOf(...chain, anEdge('p-1', 'guarantee PREVENTS b', { strength: 1 }))
    const old = anEpisodeStart('guarantee', 30)
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), old] })), [
      Math.round(0.8 * (1 - Math.exp(-1)) * 1e6) / 1e6,
    ])
  })
  it('has its own gate, recurrence and validity', () => {
    const knowledge = knowledgeOf(
      ...chain,
      anEdge('p-1', 'guarantee PREVENTS b', { strength: 0.9, min_confidence: 0.95 }),
      anEdge('p-2', 'guarantee PREVENTS b', { strength: 0.9, valid_until: '2026-01-01' }),
      anEdge('p-3', 'pledge PREVENTS b', {
        strength: 0.25,
        recurrence: { at_least: 1, within_days: 5, strength: 0.5 },
      }),
    )
    const weak = anEpisodeStart('guarantee', 0, { confidence: 0.9 })
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), weak] })), [0.72])
    const pledge = aFinding('pledge', toNothing)
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), pledge] })), [0.6])
    const again = { starts: [aFinding('a'), pledge], history: [anEpisode('pledge', 1)] }
    assert.deepEqual(scoresOf(ask(knowledge, again)), [0.4])
  })
  it('of strength 1 blocks the node, and a way round it is taken', () => {
    const knowledge = knowledgeOf(
      ...chain,
      anEdge('e-8', 'a CAUSES c', { strength: 0.3 }),
      anEdge('e-9', 'c CAUSES rejected', { strength: 1 }),
      anEdge('p-1', 'guarantee PREVENTS b', { strength: 1 }),
      anEdge('p-2', 'full_cover PREVENTS a', { strength: 1 }),
    )
    assert.deepEqual(pathsOf(ask(knowledge, { starts: [aFinding('a'), guarantee] })), ['a > e-8 > e-9'])
    const covered = ask(knowledge, { starts: [aFinding('a'), anEpisodeStart('full_cover', 0)] })
    assert.deepEqual(covered.chains, [])
    assert.equal(covered.unreached.length, 1)
  })
  it('onto a type prevents its subtypes, from a type is done by its subtypes', () => {
    const knowledge = knowledgeOf(
      ...chain,
      anEventType('trouble'),
      anEventType('b', { is_a: ['trouble'] }),
      anEventType('guarantee'),
      anEventType('bank_guarantee', { is_a: ['guarantee'] }),
      anEdge('p-1', 'guarantee PREVENTS trouble', { strength: 0.5 }),
    )
    const starts = [aFinding('a'), anEpisodeStart('bank_guarantee', 0)]
    assert.deepEqual(scoresOf(ask(knowledge, { starts })), [0.4])
  })
  it('is not done by a start below the policy, nor by one that may not', () => {
    const knowledge = knowledgeOf(...chain, anEdge('p-1', 'guarantee PREVENTS b', { strength: 1 }))
    const weak = anEpisodeStart('guarantee', 0, { confidence: 0.69 })
    const barred = aFinding('guarantee', { toward: null, mayPrevent: false })
    const strong = anEpisodeStart('guarantee', 0, { confidence: 0.7 })
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), weak, barred] })), [0.8])
    assert.deepEqual(scoresOf(ask(knowledge, { starts: [aFinding('a'), strong] })), [])
  })
})

describe('which chain', () => {
  it('has at most five edges', () => {
    const line = [1, 2, 3, 4, 5].map((n) => anEdge(`e-${n}`, `n${n} CAUSES n${n + 1}`, { strength: 1 }))
    const knowledge = knowledgeOf(...line, anEdge('e-6', 'n6 CAUSES rejected', { strength: 1 }))
    const from = (type: string) => ask(knowledge, { starts: [aFinding(type)] }).chains.length
    assert.equal(from('n2'), 1)
    assert.equal(from('n1'), 0)
  })
  it('ties go to fewer hops', () => {
    const knowledge = knowledgeOf(
      anEdge('a-1', 'a CAUSES b', { strength: 1 }),
      anEdge('a-2', 'b CAUSES rejected', { strength: 0.5 }),
      anEdge('z-1', 'a CAUSES rejected', { strength: 0.5 }),
    )
    assert.deepEqual(pathsOf(ask(knowledge, { starts: [aFinding('a')] })), ['a > z-1'])
  })
  it('then to smaller edge ids, compared from the start on by code units', () => {
    const knowledge = knowledgeOf(
      anEdge('e-2', 'a CAUSES b', { strength: 1 }),
      anEdge('e-1', 'b CAUSES rejected'),
      anEdge('e-10', 'a CAUSES c', { strength: 1 }),
      anEdge('z', 'c CAUSES rejected'),
    )
    assert.deepEqual(pathsOf(ask(knowledge, { starts: [aFinding('a')] })), ['a > e-10 > z'])
  })
  it('the smaller ids win, though a weaker parallel edge was met first', () => {
    const knowledge = knowledgeOf(
      anEdge('e-1', 'a CAUSES b', { strength: 0.2 }),
      anEdge('e-2', 'a CAUSES c', { strength: 0.8 }),
      anEdge('e-3', 'a CAUSES b', { strength: 0.8 }),
      anEdge('e-4', 'b CAUSES rejected'),
      anEdge('e-5', 'c CAUSES rejected'),
    )
    assert.deepEqual(pathsOf(ask(knowledge, { starts: [aFinding('a')] })), ['a > e-2 > e-5'])
  })
  it('of parallel edges takes the strongest that can be walked', () => {
    const knowledge = knowledgeOf(
      anEdge('e-1', 'a CAUSES rejected', { strength: 0.4 }),
      anEdge('e-2', 'a CAUSES rejected', { strength: 0.6 }),
      anEdge('e-3', 'a CAUSES rejected', { strength: 0.9, min_confidence: 1 }),
      anEdge('e-4', 'a CAUSES rejected', { strength: 1, valid_from: '2027-01-01' }),
    )
    const starts = [aFinding('a', { confidence: 0.9 })]
    assert.deepEqual(pathsOf(ask(knowledge, { starts })), ['a > e-2'])
  })
  it('circles and edges to themselves are harmless', () => {
    const knowledge = knowledgeOf(
      anEdge('s-1', 'a CAUSES a', { strength: 1 }),
      anEdge('s-2', 'b CAUSES b', { strength: 1 }),
      anEdge('s-3', 'b CAUSES a', { strength: 1 }),
      anEdge('s-4', 'rejected CAUSES b', { strength: 1 }),
      anEdge('z-1', 'a CAUSES b', { strength: 1 }),
      anEdge('z-2', 'b CAUSES rejected', { strength: 1 }),
    )
    assert.deepEqual(pathsOf(ask(knowledge, { starts: [aFinding('a')] })), ['a > z-1 > z-2'])
  })
  it('a finding ends only at its own outcome, an episode at any; both may pass through another', () => {
    const knowledge = knowledgeOf(
      anEdge('e-1', 'a CAUSES review', { strength: 0.9 }),
      anEdge('e-2', 'review CAUSES rejected', { strength: 0.9 }),
    )
    const outcomes = ['rejected', 'review'].map((event) => ({ event, threshold: 0.3 }))
    const starts = [aFinding('a'), anEpisodeStart('a', 0), aFinding('a', { key: 'none', toward: null })]
    const result = ask(knowledge, { outcomes, starts })
    assert.deepEqual(pathsOf(result), ['a > e-1 > e-2', 'a > e-1', 'a > e-1 > e-2'])
    assert.deepEqual(result.unreached, [])
  })
  it('a finding without a walkable chain to its outcome is named', () => {
    const knowledge = knowledgeOf(anEdge('e-1', 'a CAUSES b'), anEdge('e-2', 'c CAUSES rejected'))
    assert.deepEqual(
      ask(knowledge, { starts: [aFinding('a'), aFinding('c')] }).unreached.map(({ type }) => type),
      ['a'],
    )
  })
  it('ACCOMPANIES carries no causality', () => {
    const knowledge = knowledgeOf(anEdge('e-1', 'a ACCOMPANIES rejected', { strength: 1 }))
    assert.deepEqual(ask(knowledge, { starts: [aFinding('a')] }).chains, [])
  })
})

describe('a broken edge', () => {
  const broken: Record<string, Parameters<typeof anEdge>[2]> = {
    'no number': { strength: Number.NaN },
    'too strong': { strength: 1.5 },
    'of no strength': { strength: 0 },
    negative: { strength: -0.5 },
    infinite: { strength: Number.POSITIVE_INFINITY },
    'of no confidence': { confidence: Number.NaN },
    'with a broken gate': { min_confidence: Number.NaN },
    'with a broken recurrence': { recurrence: { at_least: 1, within_days: 10, strength: Number.NaN } },
    'text for a number': { strength: '0.5' as unknown as number },
  }
  for (const [name, fields] of Object.entries(broken)) {
    it(`is never walked and is named: ${name}`, () => {
      const knowledge = knowledgeOf(
        anEdge('e-1', 'a CAUSES rejected', fields),
        anEdge('e-2', 'a CAUSES rejected', { strength: 0.3 }),
        anEdge('p-1', 'a PREVENTS rejected', fields),
        anEdge('u-1', 'unseen CAUSES rejected', fields),
      )
      const result = ask(knowledge, { starts: [aFinding('a')] })
      assert.deepEqual(pathsOf(result), ['a > e-2'])
      assert.deepEqual(scoresOf(result), [0.3])
      assert.deepEqual(result.brokenEdges, ['e-1@1', 'p-1@1'])
    })
  }
})

function revision(id: string, strength: number) {
  return { op: 'revise_edge', id, strength, confidence: 1, source: 'lender/paper-1' } as const
}
