import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildChain } from '../../src/graph/build-chain.ts'
import { viewKnowledge } from '../../src/graph/causal-view.ts'
import { findContext } from '../../src/graph/find-context.ts'
import type { Knowledge } from '../../src/graph/knowledge.ts'
import type { SearchQuestion } from '../../src/graph/question.ts'
import { searchChains } from '../../src/graph/search.ts'
import {
  aFinding,
  anEdge,
  anEpisode,
  anEpisodeStart,
  anEventType,
  aQuestion,
  ask,
  daysAgo,
  knowledgeOf,
} from '../support/graph-builders.ts'

describe('a chain as shown', () => {
  const knowledge = knowledgeOf(
    anEdge('e-1', 'overdue CAUSES strain', {
      strength: 0.85,
      confidence: 0.95,
      recurrence: { at_least: 1, within_days: 180, strength: 0.97 },
    }),
    anEdge('e-2', 'strain CAUSES rejected', { strength: 0.9, confidence: 0.95, valid_until: '2026-01-01' }),
    anEdge('p-1', 'guarantee PREVENTS strain', { strength: 0.4 }),
    anEdge('p-2', 'guarantee PREVENTS overdue', { strength: 0.2 }),
  )
  const starts = [
    anEpisodeStart('overdue', 12, { confidence: 0.99 }),
    aFinding('guarantee', { key: 'guaranteed', toward: null }),
  ]
  const [found] = ask(knowledge, { starts, history: [anEpisode('overdue', 12)] }).chains
  const chain = found === undefined ? undefined : buildChain(found, 0.4)

  it('names each factor', () => {
    assert.deepEqual(chain, {
      outcome: 'rejected',
      score: 0.03121,
      threshold: 0.4,
      confidence: 0.95,
      weakest_link: 'e-1@1',
      start: {
        episode: 'overdue',
        episode_id: 'episode overdue 12',
        temporal_weight: 0.67032,
        occurred_at: daysAgo(12),
        prevented_by: { start: 'guaranteed', edge: 'p-2@1', strength: 0.2 },
      },
      links: [
        {
          from: 'overdue',
          relation: 'CAUSES',
          to: 'strain',
          strength: 0.97,
          factors: {
            base: 0.85,
            recurrence: { count: 1, at_least: 1, within_days: 180, strength: 0.97 },
            validity: 'in force',
            prevented_by: { start: 'guaranteed', edge: 'p-1@1', strength: 0.4 },
          },
          source: 'lender/paper-1',
          edge: 'e-1@1',
          confidence: 0.95,
        },
        {
          from: 'strain',
          relation: 'CAUSES',
          to: 'rejected',
          strength: 0.1,
          factors: { base: 0.9, validity: 'deprecated' },
          source: 'lender/paper-1',
          edge: 'e-2@1',
          confidence: 0.95,
        },
      ],
    })
  })
  it('a finding carries its rule; the start is the weakest link on a tie', () => {
    const [sure] = ask(knowledgeOf(anEdge('e-1', 'a CAUSES rejected', { confidence: 0.9 })), {
      starts: [aFinding('a', { confidence: 0.9, weakest: 'monthly_debts' })],
    }).chains
    const shown = sure === undefined ? undefined : buildChain(sure, 0.4)
    assert.equal(shown?.rule, 'R-1@1.0.0')
    assert.equal(shown?.weakest_link, 'monthly_debts')
    assert.deepEqual(shown?.start, { finding: 'a', temporal_weight: 1 })
  })
})

describe('the context', () => {
  const knowledge = knowledgeOf(
    anEventType('thing'),
    anEventType('a', { is_a: ['thing'] }),
    anEdge('e-1', 'a CAUSES rejected'),
    anEdge('c-3', 'a ACCOMPANIES x', { strength: 0.7 }),
    anEdge('c-2', 'x ACCOMPANIES rejected'),
    anEdge('c-1', 'thing ACCOMPANIES y'),
    anEdge('c-0', 'x ACCOMPANIES y'),
    anEdge('c-9', 'a ACCOMPANIES y', { valid_until: '2026-01-01' }),
    anEdge('c-8', 'a ACCOMPANIES y', { strength: Number.NaN }),
  )
  it('holds the ACCOMPANIES edges in force at the nodes of the chains, each once', () => {
    const links = contextOf(knowledge, aQuestion({ starts: [aFinding('a')] }))
    assert.deepEqual(
      links.map(({ edge }) => edge),
      ['c-1@1', 'c-2@1', 'c-3@1'],
    )
    assert.equal(links[2]?.strength, 0.7)
  })
})

describe('a search with a deadline', () => {
  const many = Array.from({ length: 600 }, (_, at) => anEdge(`e-${at}`, `a CAUSES n${at}`))
  const knowledge = knowledgeOf(...many, anEdge('z', 'a CAUSES rejected'))
  const question = aQuestion({ starts: [aFinding('a')] })

  it('asks every 256 edges whether to go on, and stops there', () => {
    const answers = [true, true, false]
    const live = ask(knowledge, { ...question, mayContinue: () => answers.shift() === true })
    assert.equal(live.cutAt, 512)
    assert.equal(live.examined, 512)
    const replayed = ask(knowledge, { ...question, edgesExaminedMax: live.cutAt })
    assert.deepEqual(replayed, live)
    assert.deepEqual(live.chains, [])
  })
  it('that has passed already looks at nothing', () => {
    assert.equal(ask(knowledge, { ...question, mayContinue: () => false }).cutAt, 0)
  })
  it('is not cut when it ends in time', () => {
    const live = ask(knowledge, { ...question, mayContinue: () => true })
    assert.equal(live.cutAt, null)
    assert.equal(live.chains.length, 1)
    assert.deepEqual(ask(knowledge, { ...question, edgesExaminedMax: live.examined }), live)
  })
})

function contextOf(knowledge: Knowledge, question: SearchQuestion) {
  const view = viewKnowledge(knowledge, question)
  return findContext(view, searchChains(view, question).chains)
}
