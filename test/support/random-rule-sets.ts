import fc from 'fast-check'
import type { FactState, FactValue } from '../../src/domain/fact.ts'
import type { PackContent } from '../../src/domain/policy.ts'
import type { Boost, Condition, Consequence, Rule } from '../../src/domain/rule.ts'
import { compareRules } from '../../src/rules/compile-rules.ts'
import type { Question } from '../../src/rules/evaluation.ts'

/** Days around which versions come into and go out of force. */
const days = ['2026-05-31', '2026-06-01', '2026-06-02', '2027-01-01']

const names = { en: 'A fact', zh: '事实' }

/** Facts of every type that rules compare, a few derived ones, and keys that rules set. */
const facts: PackContent['facts'] = {
  facts: {
    n1: { type: 'money', unit: 'USD', may_be_none: true, ...names },
    n2: { type: 'number', may_be_none: true, ...names },
    n3: { type: 'integer', ...names },
    t1: { type: 'text', may_be_none: true, ...names },
    e1: { type: 'enum', values: { a: [], b: [], c: [], d: [] }, may_be_none: true, ...names },
    b1: { type: 'boolean', may_be_none: true, ...names },
    d1: { type: 'date', may_be_none: true, ...names },
    i1: { type: 'instant', ...names },
    u1: { type: 'duration', ...names },
    l1: { type: 'list', of: 'text', may_be_none: true, ...names },
    o1: { type: 'object', fields: { size: { type: 'integer' }, city: { type: 'text' } }, ...names },
    a1: { type: 'list', of: 'object', fields: { kind: { type: 'text' }, sum: { type: 'money' } }, ...names },
  },
  derived: {
    r1: { type: 'number', ...names, expression: 'n1 / n2' },
    r2: { type: 'integer', ...names, episodes: { type: 'late', take: 'count' } },
  },
  memory: {
    m1: { type: 'enum', values: { x: [], y: [] }, ...names },
    m2: { type: 'boolean', ...names },
  },
}

const numbers: readonly string[] = [
  '-1',
  '0',
  '1',
  '2',
  '2.5',
  '3',
  '0.1',
  '10000',
  '9999.99',
  '123456789.123456789',
]
// Two amounts whose doubles are the same, so that only the decimals tell them apart.
const nearNumbers: readonly string[] = ['0.1234567890123456789', '0.1234567890123456788']
const texts: readonly string[] = ['a', 'b', 'ab', 'P2D', '2026-06-01']
const values: Readonly<Record<string, readonly FactValue[]>> = {
  n1: [...numbers, ...nearNumbers],
  n2: numbers,
  n3: ['-1', '0', '1', '2', '10000'],
  t1: texts,
  e1: ['a', 'b', 'c', 'd'],
  b1: [true, false],
  d1: ['2025-12-31', '2026-06-01', '2026-06-02'],
  i1: ['2026-06-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.001Z'],
  u1: ['P0D', 'P7D', 'P30D'],
  l1: [[], ['a'], ['a', 'b'], ['ab']],
  o1: [{}, { size: '1' }, { size: '10000', city: 'a' }, { city: 'b' }],
  a1: [[], [{ kind: 'a', sum: '1' }], [{ kind: 'b', sum: '10000' }, { kind: 'a' }]],
  r1: numbers,
  r2: ['0', '1', '2'],
  'o1.size': ['0', '1', '10000'],
  'o1.city': texts,
  m1: ['x', 'y'],
  m2: [true, false],
}

const ordered = ['n1', 'n2', 'n3', 'd1', 'i1', 'u1', 'r1', 'r2', 'o1.size']
const single = [...ordered, 't1', 'e1', 'b1', 'o1.city']
const remembered = ['m1', 'm2']

/** What random rules may be about; `plain`: only what json-rules-engine can say, too. */
export interface RuleChoice {
  readonly plain?: boolean
}

function leaf(readsMemory: boolean, { plain = false }: RuleChoice): fc.Arbitrary<Condition> {
  const singles = [...single, ...(readsMemory ? remembered : [])]
  const valueFor = (fact: string) => fc.constantFrom(...(values[fact] ?? []))
  const compared = fc.constantFrom(...singles).chain((fact) =>
    fc.record({
      fact: fc.constant(fact),
      operator: fc.constantFrom(...(['equal', 'notEqual'] as const)),
      value: valueFor(fact),
    }),
  )
  const ranged = fc.constantFrom(...ordered).chain((fact) =>
    fc.record({
      fact: fc.constant(fact),
      operator: fc.constantFrom(
        ...(['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'] as const),
      ),
      value: valueFor(fact),
    }),
  )
  const between = fc.constantFrom(...ordered).chain((fact) =>
    fc.record({
      fact: fc.constant(fact),
      operator: fc.constant('between' as const),
      value: fc.tuple(valueFor(fact), valueFor(fact)),
    }),
  )
  const listed = fc.constantFrom(...singles).chain((fact) =>
    fc.record({
      fact: fc.constant(fact),
      operator: fc.constantFrom(...(['in', 'notIn'] as const)),
      value: fc.array(valueFor(fact), { minLength: 1, maxLength: 3 }),
    }),
  )
  const contained = fc.record({
    fact: fc.constant('l1'),
    operator: fc.constantFrom(...(['contains', 'doesNotContain'] as const)),
    value: fc.constantFrom(...texts),
  })
  const withFact = fc.record({
    fact: fc.constantFrom('n1', 'n2', 'r1'),
    operator: fc.constantFrom(...(['equal', 'notEqual', 'lessThan', 'greaterThanInclusive'] as const)),
    value: fc.constantFrom('n1', 'n2', 'n3', 'r1').map((fact) => ({ fact })),
  })
  const stated = fc.record({
    fact: fc.constantFrom(...singles, 'l1', 'o1'),
    operator: fc.constantFrom(...(['isKnown', 'isUnknown', 'isNone'] as const)),
  })
  const common = [
    { weight: 3, arbitrary: compared },
    { weight: 4, arbitrary: ranged },
    { weight: 1, arbitrary: between },
    { weight: 2, arbitrary: listed },
    { weight: 1, arbitrary: contained },
    { weight: 1, arbitrary: withFact },
    { weight: 1, arbitrary: stated },
  ] as const
  if (plain) return fc.oneof(...common) as fc.Arbitrary<Condition>
  const verified = fc.record({
    fact: fc.constantFrom('n1', 't1', 'b1'),
    operator: fc.constant('verified_by' as const),
    value: fc.subarray(['ocr', 'api', 'bank_api'], { minLength: 1 }),
  })
  const pieces = fc.record({
    fact: fc.constant('t1'),
    operator: fc.constantFrom(...(['contains', 'doesNotContain'] as const)),
    value: fc.constantFrom(...texts),
  })
  const elements = fc.record({
    fact: fc.constant('a1'),
    operator: fc.constantFrom(...(['some', 'every'] as const)),
    value: fc.constantFrom<Condition>(
      { fact: 'a1[].kind', operator: 'equal', value: 'a' },
      {
        all: [
          { fact: 'a1[].sum', operator: 'greaterThan', value: '1' },
          { fact: 'b1', operator: 'isKnown' },
        ],
      },
    ),
  })
  return fc.oneof(
    ...common,
    { weight: 1, arbitrary: verified },
    { weight: 1, arbitrary: pieces },
    { weight: 1, arbitrary: elements },
  ) as fc.Arbitrary<Condition>
}

function conditions(readsMemory: boolean, choice: RuleChoice): fc.Arbitrary<Condition> {
  const leaves = leaf(readsMemory, choice)
  const nested = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaves,
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie('tree').map((not) => ({ not })),
    ),
  })).tree
  const flat = fc.array(leaves, { minLength: 1, maxLength: 3 }).map((all) => ({ all }))
  return fc.oneof({ weight: 2, arbitrary: flat }, { weight: 3, arbitrary: nested })
}

const written: fc.Arbitrary<Consequence> = fc.constantFrom<Consequence>(
  { set_memory: { key: 'm1', value: 'x' } },
  { set_memory: { key: 'm1', value: 'y', confidence: 0.8 } },
  { set_memory: { key: 'm2', value: true } },
  { set_memory: { key: 'm2', value: true, confidence: 0.6 } },
)
const found: fc.Arbitrary<Consequence> = fc.constantFrom<Consequence>(
  { episode: 'something', toward: 'credit_rejection' },
  { episode: 'something', toward: 'credit_rejection', dated_by: 'd1' },
  { episode: 'something', dated_by: 'i1' },
)
const boosts: fc.Arbitrary<Boost[]> = fc.array(
  fc.record({ condition: leaf(false, {}), boost: fc.constantFrom(0.2, 0.4, 0.5, 0.7) }),
  { minLength: 1, maxLength: 3 },
)
const effective = fc.record(
  { from: fc.constantFrom(...days), until: fc.constantFrom(...days) },
  { requiredKeys: [] },
)

/** A rule that writes memory reads none, so that no set of them runs in a circle. */
function rule(choice: RuleChoice): fc.Arbitrary<Omit<Rule, 'rule_id' | 'version'>> {
  const shape = (writes: boolean) =>
    fc.record(
      {
        description: fc.constant('A random rule'),
        regulation: fc.constant('lender/test'),
        when: conditions(!writes, choice),
        then: fc.tuple(writes ? written : found).map((list): Consequence[] => list),
        effective,
        ...(choice.plain === true ? {} : { boosts }),
      },
      { requiredKeys: ['description', 'regulation', 'when', 'then', 'effective'] },
    )
  return fc.oneof({ weight: 2, arbitrary: shape(false) }, { weight: 1, arbitrary: shape(true) })
}

/** A pack of 1 to 8 random rules, some in several versions; its content is as a loaded pack has it. */
export function randomContent(choice: RuleChoice = {}): fc.Arbitrary<PackContent> {
  return contentOf(rule(choice), { from: 1, to: 8, ids: 5 })
}

/** A pack of hundreds of rules, all of them in force sooner or later. */
export function randomLargeContent(): fc.Arbitrary<PackContent> {
  return contentOf(rule({}), { from: 300, to: 500, ids: 1000 })
}

function contentOf(
  anyRule: fc.Arbitrary<Omit<Rule, 'rule_id' | 'version'>>,
  { from, to, ids }: { readonly from: number; readonly to: number; readonly ids: number },
): fc.Arbitrary<PackContent> {
  const list = fc.array(fc.tuple(fc.nat(ids - 1), anyRule), { minLength: from, maxLength: to, size: 'max' })
  return fc
    .record({ rules: list, zone: fc.constantFrom('America/New_York', 'Asia/Shanghai', 'UTC') })
    .map(({ rules, zone }) =>
      contentWith(
        zone,
        rules.map(([id, each], index) =>
          withoutUndefined({ ...each, rule_id: `R-${id}`, version: `1.${index}.0` }),
        ),
      ),
    )
}

/** Content is JSON, which holds no undefined. */
function withoutUndefined(given: Rule): Rule {
  const { effective: stretch, ...rest } = given
  return stretch === undefined ? rest : given
}

function contentWith(zone: string, rules: readonly Rule[]): PackContent {
  return {
    format: 1,
    policy: {
      policy: 'random',
      version: '1',
      zone,
      currency: 'USD',
      outcomes: [{ decision: 'decline', event: 'credit_rejection', threshold: 0.4 }],
      required: ['n1'],
      min_confidence: 0.7,
      weights: { perceived: 0.3, reasoned: 0.3, verified: 0.4 },
    },
    facts,
    sources: { caller: 'caller', applicant: 'applicant', sources: {}, methods: {} },
    reasons: { reasons: {} },
    rules: [...rules].sort(compareRules),
  }
}

const confidence = fc.constantFrom(1, 0.95, 0.9, 0.7, 0.5)
const baseNames = Object.keys(facts.facts)

/** Facts in every state, with and without a stated method; a few are not there at all. */
const anyFacts: fc.Arbitrary<ReadonlyMap<string, FactState>> = fc
  .record(
    Object.fromEntries(
      baseNames.map((name) => [
        name,
        fc.oneof(
          {
            weight: 7,
            arbitrary: fc.record(
              {
                state: fc.constant('known' as const),
                value: fc.constantFrom(...(values[name] ?? [])),
                confidence,
                method: fc.constantFrom('ocr', 'api'),
              },
              { requiredKeys: ['state', 'value', 'confidence'] },
            ),
          },
          { weight: 1, arbitrary: fc.constant<FactState>({ state: 'unknown', why: 'lost', missing: [] }) },
          { weight: 1, arbitrary: fc.record({ state: fc.constant('none' as const), confidence }) },
          { weight: 1, arbitrary: fc.constant<FactState>({ state: 'error', why: 'broken' }) },
        ),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((states) => new Map(Object.entries(states) as [string, FactState][]))

/** Facts that are all there, sure, and exact in a double. */
const plainFacts: fc.Arbitrary<ReadonlyMap<string, FactState>> = fc
  .record(
    Object.fromEntries(
      baseNames.map((name) => [
        name,
        fc.constantFrom(...(values[name] ?? []).filter((value) => !nearNumbers.includes(String(value)))),
      ]),
    ),
  )
  .map(
    (given) =>
      new Map(
        Object.entries(given).map(([name, value]): [string, FactState] => [
          name,
          { state: 'known', value, confidence: 0.95 },
        ]),
      ),
  )

/** Questions to such a pack, received around the days on which its versions change. */
export function randomQuestion({ plain = false }: RuleChoice = {}): fc.Arbitrary<Question> {
  return fc
    .record({
      given: plain ? plainFacts : anyFacts,
      hours: fc.integer({ min: -60, max: 60 }),
      known: fc.boolean(),
    })
    .map(({ given, hours, known }) => {
      const atMs = Date.UTC(2026, 5, 1, 4) + hours * 3_600_000
      return {
        facts: given,
        consents: ['b', 'a'],
        asOfMs: atMs,
        receivedAtMs: atMs,
        history: known || plain ? [] : undefined,
        isSubtype: () => false,
      }
    })
}
