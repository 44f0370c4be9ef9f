import fc from 'fast-check'
import type { GraphOperation } from '../../src/domain/change-set.ts'
import type { Episode } from '../../src/domain/episode.ts'
import { dayMs, writeInstant } from '../../src/domain/time.ts'
import type { SearchQuestion, SearchStart } from '../../src/graph/question.ts'
import type {
  PlainEdge,
  PlainGraph,
  PlainQuestion,
  PlainStart,
  PlainType,
  PlainVersion,
} from './brute-force-search.ts'
import { anEdge, anEpisode, anEventType, asOfMs } from './graph-builders.ts'

/** Ends and beginnings lie before, at and after the instant of receipt, so that every case of validity comes up. */
const receivedAtMs = asOfMs - dayMs
const moments = [-300, -20, -10, 0, 10].map((days) => receivedAtMs + days * dayMs)

/** Few distinct numbers, so that ties are common; 0.8 and 0.64 tie over one and two hops but for rounding. */
const strength = fc.constantFrom(1, 1, 0.8, 0.64, 0.5, 0.5, 0.25)
const confidence = fc.constantFrom(1, 0.9, 0.7, 0.6)
/** In no order of theirs do the numbers in them grow, so that only comparing by code units passes. */
const edgeIds = Array.from({ length: 28 }, (_, at) => `${['e-', 'E', 'x.', 'a_'][at % 4]}${at}`)

const recurrence = fc.option(
  fc.record({
    atLeast: fc.integer({ min: 1, max: 3 }),
    withinDays: fc.constantFrom(5, 30, 180),
    strength: fc.constantFrom(1, 0.9, 0.5),
  }),
  { freq: 3, nil: null },
)

const version = fc.record({
  strength: fc.oneof(
    { weight: 40, arbitrary: strength },
    { weight: 1, arbitrary: fc.constantFrom(Number.NaN, 1.5, 0) },
  ),
  confidence,
  gate: fc.constantFrom(0, 0, 0, 0, 0.65, 0.8, 0.95),
  recurrence,
})

/** One to three versions in a row, with and without gaps, none to the right of the last bound drawn. */
const versions = fc
  .tuple(
    fc.array(version, { minLength: 1, maxLength: 3 }),
    fc.subarray(moments),
    fc.tuple(fc.constantFrom(true, true, true, false), fc.boolean(), fc.boolean()),
  )
  .map(([list, bounds, gaps]): PlainVersion[] => {
    const left = [...bounds]
    return list.flatMap((one, at): PlainVersion[] => {
      const fromMs = at === 0 && gaps[0] ? undefined : left.shift()
      if (at > 0 && fromMs === undefined) return []
      const next = left[0]
      const endsEarly = gaps[at === 0 ? 1 : 2] === true && next !== undefined
      if (endsEarly) left.shift()
      const isLast = at === list.length - 1 || left.length === 0
      return [{ ...one, fromMs, untilMs: endsEarly ? next : isLast ? undefined : left[0] }]
    })
  })

function typesOf(count: number): fc.Arbitrary<PlainType[]> {
  const one = (at: number) =>
    fc.record({
      id: fc.constant(`t${at}`),
      isA: fc
        .subarray(
          Array.from({ length: at }, (_, parent) => `t${parent}`),
          { maxLength: Math.min(at, 2) },
        )
        .chain((parents) => fc.boolean().map((kind) => (kind ? parents : []))),
      tauDays: fc.constantFrom(30, 30, 5),
      bounds: fc.oneof(
        { weight: 12, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.subarray(moments, { minLength: 1, maxLength: 2 }) },
      ),
      open: fc.boolean(),
    })
  return fc.tuple(...Array.from({ length: count }, (_, at) => one(at))).map((types) =>
    types.map(({ id, isA, tauDays, bounds: [first, second], open }) => {
      const [fromMs, untilMs] = open ? [undefined, first] : [first, second]
      return { id, isA, tauDays, fromMs, untilMs }
    }),
  )
}

function edgesOf(types: readonly PlainType[]): fc.Arbitrary<PlainEdge[]> {
  const type = fc.constantFrom(...types.map(({ id }) => id))
  // Every other edge leads to the next type, so that long chains come up too.
  const step = fc.nat({ max: types.length - 1 }).map((at) => [`t${at}`, `t${(at + 1) % types.length}`])
  const ends = fc.oneof(fc.tuple(type, type), step)
  const relation = fc.constantFrom(...Array<string>(8).fill('CAUSES'), 'PREVENTS', 'ACCOMPANIES')
  return fc
    .tuple(
      fc.shuffledSubarray(edgeIds, { minLength: 4 }),
      fc.array(fc.record({ ends, relation, versions }), {
        minLength: edgeIds.length,
        maxLength: edgeIds.length,
      }),
    )
    .map(([ids, edges]) =>
      ids.flatMap((id, at) => {
        const edge = edges[at]
        if (edge === undefined) return []
        const [from = '', to = ''] = edge.ends
        return [{ id, from, relation: edge.relation as PlainEdge['relation'], to, versions: edge.versions }]
      }),
    )
}

const age = fc.constantFrom(-1, 0, 0, 1, 12, 30, 50, 180)

function questionOf(types: readonly PlainType[]): fc.Arbitrary<PlainQuestion> {
  const type = fc.constantFrom(...types.map(({ id }) => id), 'nowhere')
  const outcome = fc.oneof(type, fc.constantFrom(...types.slice(-2).map(({ id }) => id)))
  const start = fc.record({
    type: fc.oneof(type, fc.constant('t0')),
    finding: fc.boolean(),
    confidence,
    days: fc.option(age, { nil: null }),
    toward: fc.option(fc.nat({ max: 3 }), { freq: 6, nil: null }),
    mayPrevent: fc.constantFrom(true, true, false),
  })
  const episode = fc.record({
    type,
    days: age,
    endsInDays: fc.option(fc.constantFrom(-1, 0, 1), { freq: 4, nil: null }),
  })
  return fc
    .record({
      starts: fc.array(start, { minLength: 1, maxLength: 4 }),
      outcomes: fc.array(fc.record({ event: outcome, threshold: fc.constantFrom(0.1, 0.3, 0.5, 1) }), {
        minLength: 1,
        maxLength: 3,
      }),
      history: fc.array(episode, { maxLength: 5 }),
      minConfidence: fc.constantFrom(0.7, 0.65),
    })
    .map(({ starts, outcomes, history, minConfidence }) => ({
      starts: starts.map(
        ({ days, toward, ...one }, at): PlainStart => ({
          ...one,
          key: `s${at}`,
          toward: one.finding && toward !== null ? (outcomes[toward % outcomes.length]?.event ?? null) : null,
          mayPrevent: one.finding ? one.mayPrevent : true,
          occurredAtMs: days === null && one.finding ? null : asOfMs - (days ?? 0) * dayMs,
        }),
      ),
      outcomes,
      history: history.map(({ type: of, days, endsInDays }, at) => ({
        id: `h${at}`,
        type: of,
        occurredAtMs: asOfMs - days * dayMs,
        validUntilMs: endsInDays === null ? null : asOfMs + endsInDays * dayMs,
      })),
      asOfMs,
      receivedAtMs,
      minConfidence,
    }))
}

export interface RandomCase {
  readonly graph: PlainGraph
  readonly question: PlainQuestion
}

/** A small graph with everything that can be in one, and a question to it. */
export const randomCase: fc.Arbitrary<RandomCase> = fc
  .integer({ min: 2, max: 7 })
  .chain((count) =>
    typesOf(count).chain((types) =>
      fc.record({ graph: edgesOf(types).map((edges) => ({ types, edges })), question: questionOf(types) }),
    ),
  )

/** The operations that write a plain graph: types, then each edge with its versions in order. */
export function operationsOf(graph: PlainGraph): GraphOperation[][] {
  return [
    ...graph.types.map(({ id, isA, tauDays, fromMs, untilMs }) => [
      anEventType(id, { is_a: [...isA], tau_days: tauDays, ...validity(fromMs, untilMs) }),
    ]),
    ...graph.edges.map((edge) => edge.versions.map((one, at) => versionOperation(edge, one, at))),
  ]
}

function versionOperation(edge: PlainEdge, one: PlainVersion, at: number): GraphOperation {
  const fields = {
    strength: one.strength,
    confidence: one.confidence,
    min_confidence: one.gate,
    ...(one.recurrence === null
      ? {}
      : {
          recurrence: {
            at_least: one.recurrence.atLeast,
            within_days: one.recurrence.withinDays,
            strength: one.recurrence.strength,
          },
        }),
  }
  const { valid_from = '', ...until } = validity(one.fromMs, one.untilMs)
  if (at > 0)
    return { op: 'revise_edge', id: edge.id, source: 'lender/paper-1', ...fields, valid_from, ...until }
  return anEdge(edge.id, `${edge.from} ${edge.relation} ${edge.to}`, {
    ...fields,
    ...validity(one.fromMs, one.untilMs),
  })
}

function validity(fromMs: number | undefined, untilMs: number | undefined) {
  return {
    ...(fromMs === undefined ? {} : { valid_from: writeInstant(fromMs) }),
    ...(untilMs === undefined ? {} : { valid_until: writeInstant(untilMs) }),
  }
}

/** The plain question as the search is asked it. */
export function searchQuestionOf(question: PlainQuestion): SearchQuestion {
  return {
    ...question,
    starts: question.starts.map(startOf),
    history: question.history.map(
      ({ id, type, occurredAtMs, validUntilMs }): Episode =>
        anEpisode(type, 0, {
          episode_id: id,
          occurred_at: writeInstant(occurredAtMs),
          valid_until: validUntilMs === null ? null : writeInstant(validUntilMs),
        }),
    ),
    edgesExaminedMax: null,
  }
}

function startOf(start: PlainStart): SearchStart {
  const { key, type, confidence: sure, occurredAtMs, mayPrevent } = start
  if (!start.finding) {
    return {
      kind: 'episode',
      key,
      episodeId: key,
      type,
      confidence: sure,
      occurredAtMs: occurredAtMs ?? asOfMs,
      mayPrevent,
    }
  }
  const { toward } = start
  return {
    kind: 'finding',
    key,
    type,
    rule: 'R-1@1.0.0',
    weakest: null,
    confidence: sure,
    occurredAtMs,
    toward,
    mayPrevent,
  }
}
