import { compareText } from '../domain/compare-text.ts'
import type { CausalView } from './causal-view.ts'
import { decayCost, preventedCost, preventionStrength } from './cost.ts'
import type { EdgeBudget } from './edge-budget.ts'
import type { SearchQuestion, SearchStart } from './question.ts'
import type { WalkableEdge } from './strength.ts'

/** What holds a node back most: a start that is present, over a PREVENTS edge. */
export interface Prevention {
  readonly start: SearchStart
  readonly reading: WalkableEdge
  /** The prevention's own strength p, its temporal weight included. */
  readonly strength: number
  /** Cost of the factor 1 - p that a chain through the node pays; infinite when it blocks. */
  readonly chainCost: number
}

/** The strongest prevention of a node, if there is one. */
export type Preventions = (node: string) => Prevention | undefined

/** Cost of a start's temporal weight; 0 for a finding that nothing dates. */
export function weightCost(start: SearchStart, view: CausalView, asOfMs: number): number {
  if (start.occurredAtMs === null) return 0
  return decayCost(asOfMs - start.occurredAtMs, view.types.tauDays(start.type))
}

/**
 * Everything that the starts present prevent. A prevention of a type holds for its subtypes. Broken edges met are
 * handed to `onBroken`.
 */
export function findPreventions(
  starts: readonly SearchStart[],
  view: CausalView,
  question: SearchQuestion,
  budget: EdgeBudget,
  onBroken: (edge: WalkableEdge['edge']) => void,
): Preventions {
  const byTarget = new Map<string, Prevention>()
  const byNode = new Map<string, Prevention | undefined>()
  for (const start of starts) {
    if (!start.mayPrevent || start.confidence < question.minConfidence) continue
    const weight = weightCost(start, view, question.asOfMs)
    for (const reading of view.edgesFrom('PREVENTS', start.type)) {
      if (!budget.take()) return () => undefined
      if (reading.state === 'broken') onBroken(reading.edge)
      else if (reading.edge.minConfidence <= start.confidence) {
        const strength = preventionStrength(reading.strength, weight)
        const prevention = { start, reading, strength, chainCost: preventedCost(strength) }
        const target = reading.edge.to
        byTarget.set(target, stronger(byTarget.get(target), prevention))
      }
    }
  }
  return (node) => {
    if (byTarget.size === 0) return undefined
    if (!byNode.has(node)) {
      let strongest: Prevention | undefined
      for (const type of view.types.ancestors(node)) {
        const prevention = byTarget.get(type)
        if (prevention !== undefined) strongest = stronger(strongest, prevention)
      }
      byNode.set(node, strongest)
    }
    return byNode.get(node)
  }
}

/** The stronger of two; ties go to the smaller edge id, then to the start that comes first. */
function stronger(kept: Prevention | undefined, other: Prevention): Prevention {
  if (kept === undefined) return other
  const order = kept.strength - other.strength || compareText(other.reading.edge.id, kept.reading.edge.id)
  return order < 0 ? other : kept
}
