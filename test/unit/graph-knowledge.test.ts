import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChangeSet, GraphOperation } from '../../src/domain/change-set.ts'
import { openEndMs } from '../../src/domain/time.ts'
import { sinceEverMs } from '../../src/graph/apply-operation.ts'
import { checkChangeSet } from '../../src/graph/check-change-set.ts'
import { eventTypesAt } from '../../src/graph/event-types-at.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import { aLog, anEdge, anEventType, knowledgeOf } from '../support/graph-builders.ts'

const paper = { source: 'lender/paper-1', confidence: 1 } as const

describe('folding the change log', () => {
  it('days begin in the zone of their change set, wherever this runs', () => {
    const operation = anEventType('a', { valid_from: '2026-03-08', valid_until: '2026-03-09' })
    const [version] = foldKnowledge(aLog([operation], 'America/New_York')).eventTypes.get('a') ?? []
    assert.deepEqual(version?.valid, {
      fromMs: Date.parse('2026-03-08T05:00:00Z'),
      untilMs: Date.parse('2026-03-09T04:00:00Z'),
    })
  })
  it('without dates something is valid since ever and for good', () => {
    const [version] = foldKnowledge(aLog([anEventType('a')])).eventTypes.get('a') ?? []
    assert.deepEqual(version?.valid, { fromMs: sinceEverMs, untilMs: openEndMs })
  })
  it('a revision closes the version before it and opens the next; an expiry closes the last', () => {
    const knowledge = knowledgeOf(
      anEdge('e-1', 'a CAUSES b', { strength: 0.5 }),
      { op: 'revise_edge', id: 'e-1', strength: 0.7, ...paper, valid_from: '2025-01-01' },
      { op: 'expire_edge', id: 'e-1', valid_until: '2026-01-01' },
    )
    const versions = knowledge.edges.get('e-1')?.versions ?? []
    const [begins, ends] = [Date.parse('2025-01-01T00:00:00Z'), Date.parse('2026-01-01T00:00:00Z')]
    assert.deepEqual(
      versions.map(({ version, strength, valid }) => [version, strength, valid.fromMs, valid.untilMs]),
      [
        [1, 0.5, sinceEverMs, begins],
        [2, 0.7, begins, ends],
      ],
    )
  })
  it('a revision does not lengthen a version that had ended', () => {
    const knowledge = knowledgeOf(anEdge('e-1', 'a CAUSES b', { valid_until: '2024-01-01' }), {
      op: 'revise_edge',
      id: 'e-1',
      strength: 0.7,
      ...paper,
      valid_from: '2025-01-01',
    })
    assert.equal(knowledge.edges.get('e-1')?.versions[0]?.valid.untilMs, Date.parse('2024-01-01T00:00:00Z'))
  })
  it('a superseded regulation ends and names its successor', () => {
    const rule = { op: 'add_regulation', issuer: 'CFPB' } as const
    const knowledge = knowledgeOf(
      { ...rule, id: 'old-rule', title: 'Old' },
      { ...rule, id: 'new-rule', title: 'New', valid_from: '2026-01-01' },
      { op: 'supersede_regulation', id: 'old-rule', superseded_by: 'new-rule', valid_until: '2026-01-01' },
    )
    const [old] = knowledge.regulations.get('old-rule') ?? []
    assert.equal(old?.supersededBy, 'new-rule')
    assert.equal(old?.valid.untilMs, Date.parse('2026-01-01T00:00:00Z'))
  })
  it('a shorter log is the knowledge of an earlier position, and an empty one knows nothing', () => {
    const log = aLog([anEventType('a'), anEventType('b'), anEdge('e-1', 'a CAUSES b')])
    assert.deepEqual(foldKnowledge(log).position, { migration: 'V0001', sequence: 3 })
    assert.equal(foldKnowledge(log.slice(0, 2)).edges.size, 0)
    assert.deepEqual(foldKnowledge([]).position, { migration: null, sequence: 0 })
  })
  it('edges are found by either end, ordered by id', () => {
    const knowledge = knowledgeOf(
      anEdge('e-2', 'a CAUSES b'),
      anEdge('e-10', 'a CAUSES c'),
      anEdge('e-3', 'a PREVENTS b'),
    )
    const ids = (edges: readonly { readonly id: string }[] | undefined) => edges?.map(({ id }) => id)
    assert.deepEqual(ids(knowledge.edgesFrom.CAUSES.get('a')), ['e-10', 'e-2'])
    assert.deepEqual(ids(knowledge.edgesTo.CAUSES.get('b')), ['e-2'])
    assert.deepEqual(ids(knowledge.edgesTo.PREVENTS.get('b')), ['e-3'])
  })
  it('an event type is what its version at the instant says it is', () => {
    const knowledge = knowledgeOf(
      anEventType('wide'),
      anEventType('wider', { valid_from: '2026-01-01' }),
      anEventType('narrow', { is_a: ['wide'] }),
      { op: 'retire_event_type', id: 'narrow', valid_until: '2026-01-01' },
      anEventType('narrow', { is_a: ['wide', 'wider'], tau_days: 90, valid_from: '2026-01-01' }),
    )
    const before = eventTypesAt(knowledge.eventTypes, Date.parse('2025-06-01T00:00:00Z'))
    const after = eventTypesAt(knowledge.eventTypes, Date.parse('2026-06-01T00:00:00Z'))
    assert.deepEqual(before.ancestors('narrow'), ['narrow', 'wide'])
    assert.deepEqual(after.ancestors('narrow'), ['narrow', 'wide', 'wider'])
    assert.deepEqual([before.tauDays('narrow'), after.tauDays('narrow')], [30, 90])
    assert.deepEqual([before.standing('wider'), after.standing('wider')], ['not yet', 'in force'])
    assert.equal(after.standing('nowhere'), 'unknown')
  })
})

describe('checking a change set', () => {
  const knowledge = knowledgeOf(
    anEventType('a', { valid_from: '2024-01-01' }),
    anEventType('gone'),
    { op: 'retire_event_type', id: 'gone', valid_until: '2025-01-01' },
    anEdge('e-1', 'a CAUSES b', { valid_from: '2024-01-01', valid_until: '2027-01-01' }),
    { op: 'add_regulation', id: 'old-rule', title: 'Old', issuer: 'CFPB' },
    { op: 'add_regulation', id: 'gone-rule', title: 'Gone', issuer: 'CFPB' },
    { op: 'supersede_regulation', id: 'gone-rule', superseded_by: 'old-rule', valid_until: '2025-01-01' },
  )
  const revise = { op: 'revise_edge', id: 'e-1', strength: 0.7, ...paper, valid_from: '2025-01-01' } as const
  const refused: [string, GraphOperation, string, RegExp][] = [
    ['an event type that exists', anEventType('a'), 'id', /exists already/],
    ['a parent that is unknown', anEventType('c', { is_a: ['nowhere'] }), 'is_a', /no event type `nowhere`/],
    ['a parent named twice', anEventType('c', { is_a: ['a', 'a'] }), 'is_a', /twice/],
    ['a type that is its own kind', anEventType('c', { is_a: ['c'] }), 'is_a', /kind of itself/],
    [
      'an end before the beginning',
      anEventType('c', { valid_from: '2026-01-02', valid_until: '2026-01-01' }),
      'valid_until',
      /before it begins/,
    ],
    [
      'an empty validity',
      anEventType('c', { valid_from: '2026-01-01', valid_until: '2026-01-01' }),
      'valid_until',
      /before it begins/,
    ],
    [
      'retiring what is unknown',
      { op: 'retire_event_type', id: 'nowhere', valid_until: '2026-01-01' },
      'id',
      /no event type `nowhere`/,
    ],
    [
      'retiring twice',
      { op: 'retire_event_type', id: 'gone', valid_until: '2026-01-01' },
      'valid_until',
      /ends at `2025-01-01T00:00:00.000Z` already/,
    ],
    [
      'retiring before the beginning',
      { op: 'retire_event_type', id: 'a', valid_until: '2023-01-01' },
      'valid_until',
      /can't end before/,
    ],
    ['an edge that exists', anEdge('e-1', 'a CAUSES b'), 'id', /revise_edge/],
    ['an edge from an unknown type', anEdge('e-2', 'nowhere CAUSES b'), 'from', /no event type `nowhere`/],
    ['an edge to an unknown type', anEdge('e-2', 'a CAUSES nowhere'), 'to', /no event type `nowhere`/],
    ['preventing itself', anEdge('e-2', 'a PREVENTS a'), 'to', /prevent itself/],
    [
      'an edge from a retired type',
      anEdge('e-2', 'gone CAUSES b', { valid_from: '2025-01-01' }),
      'valid_from',
      /`gone` is retired/,
    ],
    ['revising what is unknown', { ...revise, id: 'e-9' }, 'id', /no edge `e-9`/],
    [
      'revising before the start',
      { ...revise, valid_from: '2024-01-01' },
      'valid_from',
      /version 1 of `e-1` begins/,
    ],
    [
      'a revision that ends before it begins',
      { ...revise, valid_until: '2024-06-01' },
      'valid_until',
      /before it begins/,
    ],
    [
      'expiring what is unknown',
      { op: 'expire_edge', id: 'e-9', valid_until: '2026-01-01' },
      'id',
      /no edge `e-9`/,
    ],
    [
      'expiring before the beginning',
      { op: 'expire_edge', id: 'e-1', valid_until: '2024-01-01' },
      'valid_until',
      /can't end before/,
    ],
    [
      'expiring later than it ends',
      { op: 'expire_edge', id: 'e-1', valid_until: '2028-01-01' },
      'valid_until',
      /already/,
    ],
    [
      'a regulation that exists',
      { op: 'add_regulation', id: 'old-rule', title: 'Old', issuer: 'CFPB' },
      'id',
      /exists already/,
    ],
    [
      'superseding what is unknown',
      { op: 'supersede_regulation', id: 'x', valid_until: '2026-01-01' },
      'id',
      /no regulation `x`/,
    ],
    [
      'superseding by what is unknown',
      { op: 'supersede_regulation', id: 'old-rule', superseded_by: 'x', valid_until: '2026-01-01' },
      'superseded_by',
      /no regulation `x`/,
    ],
    [
      'superseding by itself',
      { op: 'supersede_regulation', id: 'old-rule', superseded_by: 'old-rule', valid_until: '2026-01-01' },
      'superseded_by',
      /itself/,
    ],
    [
      'superseding twice',
      { op: 'supersede_regulation', id: 'gone-rule', valid_until: '2025-01-01' },
      'id',
      /already/,
    ],
  ]
  for (const [name, operation, field, why] of refused) {
    it(`refuses ${name}`, () => {
      const [fault, ...others] = checkChangeSet(aChangeSet(operation), knowledge)
      assert.equal(fault?.at, `/operations/0/${field}`)
      assert.match(fault?.why ?? '', why)
      assert.deepEqual(others, [])
    })
  }
  it('refuses circles of is_a, wherever they close', () => {
    const circle = [
      anEventType('x', { is_a: ['y'] }),
      anEventType('y', { is_a: ['z'] }),
      anEventType('z', { is_a: ['x'] }),
    ]
    assert.equal(checkChangeSet(aChangeSet(...circle), knowledge).length, 3)
  })
  it('takes what fits, one operation resting on those around it', () => {
    const changes = aChangeSet(
      anEdge('e-2', 'new CAUSES b'),
      anEventType('new', { is_a: ['parent'] }),
      anEventType('parent'),
      { ...revise, id: 'e-2' },
      { op: 'expire_edge', id: 'e-2', valid_until: '2026-01-01' },
      revise,
      anEventType('gone', { valid_from: '2025-01-01' }),
      { op: 'add_regulation', id: 'new-rule', title: 'New', issuer: 'CFPB' },
      { op: 'supersede_regulation', id: 'old-rule', superseded_by: 'new-rule', valid_until: '2026-01-01' },
    )
    assert.deepEqual(checkChangeSet(changes, knowledge), [])
  })
  it('names everything wrong at once, and leaves the knowledge as it is', () => {
    const changes = aChangeSet(
      anEdge('e-2', 'x CAUSES y'),
      anEdge('e-3', 'a CAUSES b'),
      anEdge('e-3', 'a CAUSES b'),
    )
    const at = checkChangeSet(changes, knowledge).map((fault) => fault.at)
    assert.deepEqual(at, ['/operations/0/from', '/operations/0/to', '/operations/2/id'])
    assert.equal(knowledge.edges.has('e-3'), false)
  })
})

function aChangeSet(...operations: GraphOperation[]): ChangeSet {
  return { migration: 'V0002', title: 'A change', author: 'an_author', operations }
}
