import fc from 'fast-check'
import type { AppliedOperation, GraphOperation } from '../../src/domain/change-set.ts'
import type { DecisionInputs } from '../../src/domain/decision.ts'
import type { DecisionTable, UnaryTest } from '../../src/domain/decision-table.ts'
import type { Episode } from '../../src/domain/episode.ts'
import type { FactValue, FactVersion } from '../../src/domain/fact.ts'
import type { PackContent, Policy } from '../../src/domain/policy.ts'
import type { Condition, Consequence, Rule } from '../../src/domain/rule.ts'

/** A whole small world: a policy, causal knowledge, and one application's inputs. */
export interface World {
  readonly content: PackContent
  readonly log: readonly AppliedOperation[]
  readonly inputs: DecisionInputs
}

const text = { en: 'x', zh: 'x' }
const label = { en: 'x', zh: 'x' }
const asOf = '2026-06-01T00:00:00.000Z'

export const minConfidence = 0.7

export const declared = {
  n0: { type: 'integer', ...label },
  n1: { type: 'integer', ...label, may_be_none: true },
  n2: { type: 'money', unit: 'USD', ...label, tolerance: { percent: '10' } },
  b0: { type: 'boolean', ...label },
  b1: { type: 'boolean', ...label, obtainable: false },
  m0: { type: 'integer', ...label, measures: 'm', tolerance: { amount: '3' }, may_be_none: true },
  m1: { type: 'integer', ...label, measures: 'm', tolerance: { amount: '3' } },
  o0: { type: 'object', ...label, fields: { n: { type: 'integer' } } },
  a0: {
    type: 'list',
    of: 'object',
    ...label,
    fields: { n: { type: 'integer' }, b: { type: 'boolean' } },
    may_be_none: true,
  },
} as const satisfies PackContent['facts']['facts']

const derived = {
  sum: { type: 'number', ...label, expression: 'n0 + ifNone(n1, 1)' },
  share: { type: 'ratio', ...label, expression: 'n0 / n1' },
  lates: { type: 'integer', ...label, episodes: { type: 'late', within_days: 90, take: 'count' } },
  points: { type: 'integer', ...label, table: 'tables/points.yaml' },
} as const satisfies PackContent['facts']['derived']

const sources: PackContent['sources'] = {
  caller: 's0',
  applicant: 's9',
  sources: {
    s0: { trust: 1, ...label },
    s1: { trust: 1, ...label },
    s2: { trust: 1, ...label },
    s9: { trust: 1, ...label },
  },
  methods: {},
}

const outcomes: Policy['outcomes'] = [
  { decision: 'stop', event: 'out_stop', threshold: 0.9 },
  { decision: 'hold', event: 'out_hold', threshold: 0.6 },
  { decision: 'decline', event: 'out_decline', threshold: 0.4 },
  { decision: 'insufficient_evidence', event: 'out_evidence', threshold: 0.3 },
  { decision: 'manual_review', event: 'out_review', threshold: 0.3 },
  { decision: 'counteroffer', event: 'out_terms', threshold: 0.5 },
  { decision: 'approve', event: 'out_conditions', threshold: 0.5 },
]
const outcomeEvents = outcomes.flatMap((line) => ('event' in line ? [line.event] : []))
const middle = ['mid_a', 'mid_b', 'late', 'very_late']
const findingTypes = ['find_a', 'find_b', 'find_c', 'find_d']

const numeric = fc.constantFrom('n0', 'n1', 'n2', 'm0', 'm1', 'o0.n', 'sum', 'share', 'lates', 'points')
const small = fc.integer({ min: 0, max: 5 }).map(String)
const element: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    fact: fc.constant('a0[].n'),
    operator: fc.constantFrom('lessThan' as const, 'greaterThan' as const),
    value: fc.oneof(small, fc.record({ fact: fc.constantFrom('n0', 'n1') })),
  }),
  fc.record({ fact: fc.constant('a0[].b'), operator: fc.constant('equal' as const), value: fc.boolean() }),
)
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      fact: numeric,
      operator: fc.constantFrom('lessThan', 'greaterThan', 'equal', 'greaterThanInclusive'),
      value: fc.integer({ min: 0, max: 5 }).map(String),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      fact: fc.constantFrom('b0', 'b1'),
      operator: fc.constant('equal' as const),
      value: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ fact: numeric, operator: fc.constantFrom('isKnown' as const, 'isNone' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      fact: numeric,
      operator: fc.constant('between' as const),
      value: fc.tuple(small, small),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      fact: fc.constantFrom('n0', 'n1', 'b0', 'o0', 'a0'),
      operator: fc.constant('verified_by' as const),
      value: fc.constantFrom(['ocr'], ['api'], ['api', 'ocr']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      fact: fc.constant('a0'),
      operator: fc.constantFrom('some' as const, 'every' as const),
      value: fc.oneof(
        element,
        fc.tuple(element, element).map((all) => ({ all })),
        element.map((not) => ({ not })),
      ),
    }),
  },
)
const condition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('tree').map((not) => ({ not })),
  ),
})).tree

const consequence: fc.Arbitrary<Consequence> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      episode: fc.constantFrom(...findingTypes),
      toward: fc.constantFrom(...outcomeEvents),
    }),
  },
  { weight: 1, arbitrary: fc.record({ episode: fc.constantFrom(...findingTypes) }) },
)

/** A rule with a random condition; its consequences go anywhere. */
export function aRandomRule(id: string): fc.Arbitrary<Rule> {
  return fc
    .record({
      when: condition,
      boosts: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: fc.array(fc.record({ condition, boost: fc.constantFrom(0.2, 0.4, 0.5) }), {
            minLength: 2,
            maxLength: 3,
          }),
        },
      ),
      then: fc.array(consequence, { minLength: 1, maxLength: 2 }),
      tell: fc.constantFrom('reason', 'reason', 'never'),
    })
    .map(({ when, boosts, then, tell }) => ({
      rule_id: id,
      version: '1.0.0',
      description: 'x',
      regulation: 'lender/x',
      when,
      ...(boosts === undefined ? {} : { boosts, threshold: 0.6 }),
      then,
      reason: { code: 'C', tell: tell as 'reason' | 'never', text },
    }))
}

const strength = fc.constantFrom(1, 1, 0.9, 0.8, 0.5, 0.2)
const edge = fc.record({
  from: fc.constantFrom(...findingTypes, ...middle),
  to: fc.constantFrom(...middle, ...outcomeEvents),
  relation: fc.constantFrom('CAUSES' as const, 'CAUSES' as const, 'PREVENTS' as const),
  strength,
  gate: fc.constantFrom(0, 0, 0, 0.85),
})

const knowledge: fc.Arbitrary<readonly AppliedOperation[]> = fc
  .array(edge, { maxLength: 14 })
  .map((edges) => {
    const types: GraphOperation[] = [...findingTypes, ...middle, ...outcomeEvents].map((id) => ({
      op: 'add_event_type',
      id,
      text,
      ...(id === 'very_late' ? { is_a: ['late'] } : {}),
    }))
    // One sure way from each finding to each outcome, so that policies are mostly sound.
    const sure: GraphOperation[] = findingTypes.flatMap((from, row) =>
      outcomeEvents.map(
        (to, column): GraphOperation => ({
          op: 'add_edge',
          id: `s-${row}-${column}`,
          from,
          relation: 'CAUSES',
          to,
          strength: 0.95,
          confidence: 1,
          source: 'lender/x',
        }),
      ),
    )
    const random: GraphOperation[] = edges.map(({ from, to, relation, strength: s, gate }, index) => ({
      op: 'add_edge',
      id: `e-${index}`,
      from,
      relation,
      to,
      strength: s,
      confidence: 0.9,
      min_confidence: gate,
      source: 'lender/x',
    }))
    return [...types, ...sure, ...random].map((operation, index) => ({
      sequence: index + 1,
      migration: 'V0001',
      zone: 'UTC',
      recorded_at: asOf,
      operation,
    }))
  })

const confidence = fc.constantFrom(1, 0.95, 0.9, 0.8, 0.7, 0.69, 0.2)
const source = fc.constantFrom('s0', 's1', 's2')
const day = fc
  .integer({ min: 0, max: 5 })
  .map((days) => new Date(Date.parse(asOf) - days * 86_400_000).toISOString())

const objects = fc.record({ n: small, b: fc.boolean() }, { requiredKeys: [] })
const values: Readonly<Record<string, fc.Arbitrary<FactValue>>> = {
  boolean: fc.boolean(),
  object: fc.record({ n: small }, { requiredKeys: [] }),
  list: fc.array(objects, { maxLength: 3 }),
}

function versionsOf(fact: keyof typeof declared): fc.Arbitrary<readonly FactVersion[]> {
  const { type } = declared[fact]
  const one = fc.record({
    value: fc.oneof(
      { weight: 9, arbitrary: values[type] ?? small },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    confidence,
    source,
    observed_at: day,
    method: fc.constantFrom(null, 'ocr', 'api'),
  })
  const few = fc.oneof(
    { weight: 6, arbitrary: fc.array(one, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(one, { maxLength: 3 }) },
  )
  return few.map((list) =>
    list.map((reading, index) => ({
      application_id: 'app',
      fact,
      version: index + 1,
      type,
      unit: fact === 'n2' ? 'USD' : null,
      corrects: null,
      recorded_at: asOf,
      ...reading,
    })),
  )
}

const bound = fc.integer({ min: 0, max: 5 }).map(String)
const numberCell: fc.Arbitrary<UnaryTest> = fc.oneof(
  fc.constant('-' as const),
  bound.map((value): UnaryTest => ({ in: [{ equal: value }] })),
  bound.map((value): UnaryTest => ({ in: [{ from: value }] })),
  bound.map((value): UnaryTest => ({ in: [{ below: value }] })),
  bound.map((value): UnaryTest => ({ not_in: [{ equal: value }] })),
)
const flagCell: fc.Arbitrary<UnaryTest> = fc.oneof(
  fc.constant('-' as const),
  fc.boolean().map((value): UnaryTest => ({ in: [{ equal: value }] })),
)
const tableInputs = ['n0', 'n1', 'm0', 'share', 'lates', 'b0', 'b1'] as const

/** Tables as the loader would and would not let through: rows may overlap and leave gaps. */
const pointsTable: fc.Arbitrary<DecisionTable> = fc
  .subarray([...tableInputs], { minLength: 1, maxLength: 3 })
  .chain((inputs) =>
    fc.record({
      inputs: fc.constant(inputs.map((fact) => ({ fact }))),
      hit_policy: fc.constantFrom('unique', 'first', 'priority', 'any', 'sum', 'min', 'max', 'count'),
      rows: fc.array(
        fc.record({
          when: fc.tuple(...inputs.map((fact) => (fact.startsWith('b') ? flagCell : numberCell))),
          then: fc.integer({ min: 0, max: 5 }).map(String),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  )
  .map(({ inputs, hit_policy, rows }) => ({
    table: 'points',
    description: 'x',
    inputs,
    output: { type: 'integer' as const },
    hit_policy,
    ...(hit_policy === 'priority' ? { order: ['3', '1', '4', '0', '5', '2'] } : {}),
    rows,
  }))

const episodes: fc.Arbitrary<readonly Episode[]> = fc
  .array(fc.record({ type: fc.constantFrom('late', 'very_late'), occurred_at: day, confidence }), {
    maxLength: 3,
  })
  .map((list) =>
    list.map((episode, index) => ({
      subject_id: 'cust',
      episode_id: `ep-${index}`,
      valid_until: null,
      source: 's0',
      attributes: {},
      recorded_at: asOf,
      ...episode,
    })),
  )

/** Random worlds in which rules, knowledge and facts are small enough to meet each other often. */
export const aWorld: fc.Arbitrary<World> = fc
  .record({
    rules: fc
      .integer({ min: 1, max: 5 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => aRandomRule(`R${index}`)))),
    log: knowledge,
    facts: fc.tuple(...(Object.keys(declared) as (keyof typeof declared)[]).map(versionsOf)),
    episodes,
    table: pointsTable,
    required: fc.subarray(['n0', 'b0'], { minLength: 1 }),
  })
  .map(({ rules, log, facts, episodes: past, table, required }) => ({
    content: {
      format: 1,
      policy: {
        policy: 'random',
        version: '1',
        zone: 'UTC',
        currency: 'USD',
        outcomes,
        required,
        min_confidence: minConfidence,
        weights: { perceived: 0.3, reasoned: 0.3, verified: 0.4 },
      },
      facts: { facts: declared, derived },
      sources,
      reasons: { reasons: { C: { label: text } } },
      tables: { 'tables/points.yaml': table },
      rules: [...rules],
    },
    log,
    inputs: {
      decision_id: 'd',
      application_id: 'app',
      subject_id: 'cust',
      policy: 'random',
      received_at: asOf,
      as_of: asOf,
      known_at: asOf,
      consents: [],
      facts: facts.flat(),
      episodes: [...past],
      edges_examined_max: null,
    },
  }))

/** Facts that can be changed in `aChangeableWorld`; `m1` follows `n2`. */
export const changeable = {
  n0: { ...declared.n0, changeable: { step: '1' } },
  n1: { ...declared.n1, changeable: { step: '2' }, min: '0', max: '40' },
  n2: { ...declared.n2, changeable: { step: '0.25', changes_with: { m1: 'floor(n2 / 2)' } } },
  m0: { ...declared.m0, changeable: { step: '1' } },
} as const satisfies PackContent['facts']['facts']

/** Random worlds in which some facts can be changed; in most, all facts are sure and every reason may be told. */
export const aChangeableWorld: fc.Arbitrary<World> = fc
  .record({ world: aWorld, calm: fc.constantFrom(true, true, false) })
  .map(({ world, calm }) => {
    const facts = { ...world.content.facts, facts: { ...declared, ...changeable } }
    const changed = { ...world, content: { ...world.content, facts } }
    return calm ? calmed(changed) : changed
  })

function calmed(world: World): World {
  const first = world.inputs.facts.filter((version) => version.version === 1 && version.value !== null)
  const rules = world.content.rules.map((rule): Rule => {
    return rule.reason === undefined ? rule : { ...rule, reason: { ...rule.reason, tell: 'reason' } }
  })
  return {
    ...world,
    content: { ...world.content, rules },
    inputs: { ...world.inputs, facts: first.map((version) => ({ ...version, confidence: 1 })) },
  }
}
