import { compareText } from '../domain/compare-text.ts'
import type { EdgeVersion } from '../domain/knowledge.ts'
import type { CausalView } from './causal-view.ts'
import type { EdgeBudget } from './edge-budget.ts'
import type { Preventions } from './prevention.ts'
import type { WalkableEdge } from './strength.ts'

/** The longest chain, in CAUSES edges. */
export const hopsMax = 5

/** The best way found to a node in a number of hops. */
export interface Label {
  readonly node: string
  readonly cost: number
  readonly reading: WalkableEdge
  /** Undefined at the first edge of a chain. */
  readonly before: Label | undefined
}

export interface Walk {
  readonly type: string
  readonly confidence: number
  /** Cost that every chain from here carries: temporal weight and prevention of the start itself. */
  readonly cost: number
  /** True: walk edges whose gate the start does not pass. */
  readonly gatesLifted: boolean
}

export interface Walked {
  /** The strongest way to each node reached; ties went to fewer hops, then smaller edge ids. */
  readonly best: ReadonlyMap<string, Label>
  /** An edge was left out because of its gate. */
  readonly metGate: boolean
}

/**
 * Strongest ways of 1 to 5 edges from one start. One label per node and hop count is enough: costs never fall, so
 * a way that is no cheaper than a shorter one to the same node can't win, and circles end by themselves.
 */
export function walkFrom(
  walk: Walk,
  view: CausalView,
  preventions: Preventions,
  budget: EdgeBudget,
  onBroken: (edge: EdgeVersion) => void,
): Walked {
  const best = new Map<string, Label>()
  let metGate = false

  /** Looks at each edge of one node; false when the search was cut. */
  function expand(node: string, before: Label | undefined, next: Map<string, Label>): boolean {
    for (const reading of view.edgesFrom('CAUSES', node)) {
      if (!budget.take()) return false
      if (reading.state === 'broken') {
        onBroken(reading.edge)
        continue
      }
      const { to, minConfidence } = reading.edge
      // A path does not come back to where it began.
      if (to === walk.type) continue
      if (minConfidence > walk.confidence) {
        metGate = true
        if (!walk.gatesLifted) continue
      }
      const held = preventions(to)?.chainCost ?? 0
      const label = { node: to, cost: (before?.cost ?? walk.cost) + reading.cost + held, reading, before }
      if (label.cost < (best.get(to)?.cost ?? Number.POSITIVE_INFINITY)) {
        const rival = next.get(to)
        if (rival === undefined || compareLabels(label, rival) < 0) next.set(to, label)
      }
    }
    return true
  }

  let frontier: readonly (Label | undefined)[] = Number.isFinite(walk.cost) ? [undefined] : []
  for (let hops = 1; hops <= hopsMax; hops += 1) {
    const next = new Map<string, Label>()
    const whole = frontier.every((label) => expand(label?.node ?? walk.type, label, next))
    for (const [node, label] of next) best.set(node, label)
    if (!whole) break
    frontier = [...next.values()]
  }
  return { best, metGate }
}

/** The labels of a chain from its first edge on. */
export function labelsOf(last: Label): readonly Label[] {
  return last.before === undefined ? [last] : [...labelsOf(last.before), last]
}

/** Cheaper first, then the smaller sequence of edge ids; both have the same number of hops. */
function compareLabels(a: Label, b: Label): number {
  return a.cost - b.cost || compareEdges(a, b)
}

function compareEdges(a: Label, b: Label): number {
  if (a.before !== b.before && a.before !== undefined && b.before !== undefined) {
    const earlier = compareEdges(a.before, b.before)
    if (earlier !== 0) return earlier
  }
  return compareText(a.reading.edge.id, b.reading.edge.id)
}
