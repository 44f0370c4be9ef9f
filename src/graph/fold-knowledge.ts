import type { AppliedOperation } from '../domain/change-set.ts'
import { compareText } from '../domain/compare-text.ts'
import type { Relation } from '../domain/knowledge.ts'
import { applyOperation, type GraphState } from './apply-operation.ts'
import type { CausalEdge, EdgeIndex, Knowledge } from './knowledge.ts'

/**
 * The knowledge that a change log adds up to. The log is one that was checked when it was written; folding a
 * shorter one gives the knowledge of an earlier position.
 */
export function foldKnowledge(log: readonly AppliedOperation[]): Knowledge {
  const state: GraphState = { eventTypes: new Map(), edges: new Map(), regulations: new Map() }
  const inOrder = [...log].sort((a, b) => a.sequence - b.sequence)
  for (const { operation, zone } of inOrder) applyOperation(state, operation, zone)
  const last = inOrder.at(-1)
  const edges = [...state.edges.values()].sort((a, b) => compareText(a.id, b.id))
  return {
    position: { migration: last?.migration ?? null, sequence: last?.sequence ?? 0 },
    eventTypes: state.eventTypes,
    edges: state.edges,
    edgesFrom: indexEdges(edges, 'from'),
    edgesTo: indexEdges(edges, 'to'),
    regulations: state.regulations,
  }
}

/** A copy that operations can be tried on; the knowledge stays as it is. */
export function stateOf(knowledge: Knowledge): GraphState {
  return {
    eventTypes: new Map(knowledge.eventTypes),
    edges: new Map(knowledge.edges),
    regulations: new Map(knowledge.regulations),
  }
}

function indexEdges(edges: readonly CausalEdge[], end: 'from' | 'to'): Record<Relation, EdgeIndex> {
  const index: Record<Relation, Map<string, CausalEdge[]>> = {
    CAUSES: new Map(),
    PREVENTS: new Map(),
    ACCOMPANIES: new Map(),
  }
  for (const edge of edges) {
    const list = index[edge.relation].get(edge[end])
    if (list === undefined) index[edge.relation].set(edge[end], [edge])
    else list.push(edge)
  }
  return index
}
