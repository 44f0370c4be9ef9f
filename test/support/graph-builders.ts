import type { AppliedOperation, GraphOperation } from '../../src/domain/change-set.ts'
import type { Episode } from '../../src/domain/episode.ts'
import type { Relation } from '../../src/domain/knowledge.ts'
import { dayMs, writeInstant } from '../../src/domain/time.ts'
import { viewKnowledge } from '../../src/graph/causal-view.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import type { Knowledge } from '../../src/graph/knowledge.ts'
import type { SearchQuestion, SearchStart } from '../../src/graph/question.ts'
import { type SearchResult, searchChains } from '../../src/graph/search.ts'

/** The instant that tests decide at. */
export const asOfMs = Date.parse('2026-06-01T12:00:00Z')

/** The instant so many days before. */
export function daysAgo(days: number): string {
  return writeInstant(asOfMs - Math.round(days * dayMs))
}

export function anEventType(
  id: string,
  fields: Partial<Extract<GraphOperation, { op: 'add_event_type' }>> = {},
): GraphOperation {
  return { op: 'add_event_type', id, text: { en: id, zh: id }, ...fields }
}

/** `'a CAUSES b'` with an id; strength 0.5, confidence 1 unless said. */
export function anEdge(
  id: string,
  says: string,
  fields: Partial<Extract<GraphOperation, { op: 'add_edge' }>> = {},
): GraphOperation {
  const [from = '', relation = '', to = ''] = says.split(' ')
  return {
    op: 'add_edge',
    id,
    from,
    relation: relation as Relation,
    to,
    strength: 0.5,
    confidence: 1,
    source: 'lender/paper-1',
    ...fields,
  }
}

/** Numbers operations as a change log of one migration. */
export function aLog(operations: readonly GraphOperation[], zone = 'UTC'): AppliedOperation[] {
  return operations.map((operation, at) => ({
    sequence: at + 1,
    migration: 'V0001',
    zone,
    recorded_at: '2026-01-01T00:00:00.000Z',
    operation,
  }))
}

/** Knowledge of the operations given; event types that only edges name are added. */
export function knowledgeOf(...operations: GraphOperation[]): Knowledge {
  const named = operations.flatMap((operation) =>
    operation.op === 'add_edge' ? [operation.from, operation.to] : [],
  )
  const added = new Set(operations.flatMap((one) => (one.op === 'add_event_type' ? [one.id] : [])))
  const types = [...new Set(named)].filter((type) => !added.has(type)).map((type) => anEventType(type))
  return foldKnowledge(aLog([...types, ...operations]))
}

export function aFinding(
  type: string,
  fields: Partial<Extract<SearchStart, { kind: 'finding' }>> = {},
): SearchStart {
  return {
    kind: 'finding',
    key: `finding ${type}`,
    type,
    rule: 'R-1@1.0.0',
    confidence: 1,
    toward: 'rejected',
    weakest: 'some_fact',
    occurredAtMs: null,
    mayPrevent: true,
    ...fields,
  }
}

export function anEpisodeStart(
  type: string,
  days = 0,
  fields: Partial<Extract<SearchStart, { kind: 'episode' }>> = {},
): SearchStart {
  return {
    kind: 'episode',
    key: `episode ${type} ${days}`,
    episodeId: `episode ${type} ${days}`,
    type,
    confidence: 1,
    occurredAtMs: asOfMs - Math.round(days * dayMs),
    mayPrevent: true,
    ...fields,
  }
}

export function anEpisode(type: string, days: number, fields: Partial<Episode> = {}): Episode {
  return {
    subject_id: 'cust-42',
    episode_id: `${type} ${days}`,
    type,
    occurred_at: daysAgo(days),
    valid_until: null,
    confidence: 1,
    source: 'credit_bureau',
    attributes: {},
    recorded_at: '2026-06-01T12:00:00.000Z',
    ...fields,
  }
}

export function aQuestion(fields: Partial<SearchQuestion> = {}): SearchQuestion {
  return {
    starts: [],
    outcomes: [{ event: 'rejected', threshold: 0.3 }],
    history: [],
    asOfMs,
    receivedAtMs: asOfMs,
    minConfidence: 0.7,
    edgesExaminedMax: null,
    ...fields,
  }
}

/** Asks the question of the knowledge. */
export function ask(knowledge: Knowledge, fields: Partial<SearchQuestion> = {}): SearchResult {
  const question = aQuestion(fields)
  return searchChains(viewKnowledge(knowledge, question), question)
}

/** `start > e-1 > e-2` of each chain, for comparison at a glance. */
export function pathsOf(result: SearchResult): string[] {
  return result.chains.map(({ start, steps }) =>
    [start.type, ...steps.map(({ reading }) => reading.edge.id)].join(' > '),
  )
}

/** Scores of the chains, in the result's order. */
export function scoresOf(result: SearchResult): number[] {
  return result.chains.map(({ score }) => score)
}
