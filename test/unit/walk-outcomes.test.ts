import assert from 'node:assert/strict'
import { it } from 'node:test'
import { overallConfidence } from '../../src/decision/overall-confidence.ts'
import { type Findings, walkOutcomes } from '../../src/decision/walk-outcomes.ts'
import type { Chain } from '../../src/domain/chain.ts'
import type { Bar, Missing } from '../../src/domain/decision.ts'
import type { Policy } from '../../src/domain/policy.ts'

const outcomes: Policy['outcomes'] = [
  { decision: 'stop', event: 'prohibited', threshold: 0.9 },
  { decision: 'decline', event: 'rejection', threshold: 0.4 },
  { decision: 'insufficient_evidence', event: 'evidence_required', threshold: 0.3 },
  { decision: 'manual_review', event: 'review', threshold: 0.3 },
  { decision: 'counteroffer', event: 'terms', threshold: 0.5 },
  { decision: 'approve', event: 'conditions', threshold: 0.5 },
]
const bar: Bar = { kind: 'rule_unknown', what: 'R', text: { en: 'x', zh: 'x' } }

function aChain(outcome: string, score: number, more: Partial<Chain> = {}): Chain {
  const threshold =
    outcomes.flatMap((line) => ('event' in line && line.event === outcome ? [line.threshold] : []))[0] ?? 1
  const chain = { outcome, score, threshold, rule: 'R@1.0.0', ...more }
  return chain as Chain
}

function aMissing(more: Partial<Missing> = {}): Missing {
  return { fact: 'f', why: 'x', needed_by: [], obtainable: true, supplied_by: { en: 'x', zh: 'x' }, ...more }
}

function walk(more: Partial<Findings>) {
  const findings = {
    policy: { outcomes } as unknown as Policy,
    chains: [],
    missing: [],
    bars: [],
    mayTell: () => true,
    ...more,
  }
  return walkOutcomes(findings).decision
}

it('the first entry that holds decides', () => {
  assert.equal(
    walk({ chains: [aChain('review', 1), aChain('rejection', 0.4), aChain('prohibited', 0.899999)] }),
    'decline',
  )
})

it('nothing held and nothing bars: approve', () => {
  assert.equal(walk({ chains: [aChain('rejection', 0.399999)] }), 'approve')
})

it('a chain without a rule never declines; it goes to a person, at the lower of the two thresholds', () => {
  const { rule, ...bare } = aChain('rejection', 0.35)
  assert.equal(rule, 'R@1.0.0')
  assert.equal(walk({ chains: [bare] }), 'manual_review')
  assert.equal(walk({ chains: [{ ...bare, score: 0.299999 }] }), 'approve')
})

it('a missing fact asks for evidence; one that nobody can supply goes to a person', () => {
  assert.equal(walk({ missing: [aMissing()] }), 'insufficient_evidence')
  assert.equal(walk({ missing: [aMissing({ obtainable: false })] }), 'manual_review')
  assert.equal(walk({ missing: [aMissing()], chains: [aChain('rejection', 0.5)] }), 'decline')
})

it('no approval and no counteroffer past a bar', () => {
  assert.equal(walk({ bars: [bar] }), 'manual_review')
  assert.equal(walk({ bars: [bar], chains: [aChain('terms', 0.6)] }), 'manual_review')
  assert.equal(walk({ bars: [bar], chains: [aChain('conditions', 0.6)] }), 'manual_review')
  assert.equal(walk({ bars: [{ ...bar, kind: 'confidence_far_too_low' }] }), 'insufficient_evidence')
  assert.equal(walk({ bars: [bar], chains: [aChain('rejection', 0.5)] }), 'decline')
})

it('a decline or counteroffer with nothing that may be told becomes manual review', () => {
  assert.equal(walk({ chains: [aChain('rejection', 0.5)], mayTell: () => false }), 'manual_review')
  assert.equal(walk({ chains: [aChain('terms', 0.5)], mayTell: () => false }), 'manual_review')
  assert.equal(walk({ chains: [aChain('prohibited', 1)], mayTell: () => false }), 'stop')
})

it('overall confidence is the weighted mean of the stages that took part', () => {
  const weights = { perceived: 0.3, reasoned: 0.3, verified: 0.4 }
  assert.equal(overallConfidence({ perceived: 0.67, reasoned: 0.99, verified: 0.95 }, weights), 0.878)
  assert.equal(overallConfidence({ perceived: 0.95, reasoned: 0.97, verified: undefined }, weights), 0.96)
})
