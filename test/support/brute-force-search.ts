import { dayMs, openEndMs } from '../../src/domain/time.ts'
import { decayCost, factorOf, preventedCost, preventionStrength, strengthCost } from '../../src/graph/cost.ts'

/** A graph as plain data, in whole milliseconds; `fromMs` undefined: since ever, `untilMs` undefined: open. */
export interface PlainGraph {
  readonly types: readonly PlainType[]
  readonly edges: readonly PlainEdge[]
}

export interface PlainType {
  readonly id: string
  readonly isA: readonly string[]
  readonly tauDays: number
  readonly fromMs: number | undefined
  readonly untilMs: number | undefined
}

export interface PlainEdge {
  readonly id: string
  readonly from: string
  readonly relation: 'CAUSES' | 'PREVENTS' | 'ACCOMPANIES'
  readonly to: string
  /** Oldest first; they do not overlap. */
  readonly versions: readonly PlainVersion[]
}

export interface PlainVersion {
  readonly strength: number
  readonly confidence: number
  readonly gate: number
  readonly recurrence: {
    readonly atLeast: number
    readonly withinDays: number
    readonly strength: number
  } | null
  readonly fromMs: number | undefined
  readonly untilMs: number | undefined
}

export interface PlainStart {
  readonly key: string
  readonly type: string
  readonly finding: boolean
  readonly confidence: number
  readonly occurredAtMs: number | null
  /** Outcome a finding may end at. */
  readonly toward: string | null
  readonly mayPrevent: boolean
}

export interface PlainQuestion {
  readonly starts: readonly PlainStart[]
  readonly outcomes: readonly { readonly event: string; readonly threshold: number }[]
  readonly history: readonly {
    readonly id: string
    readonly type: string
    readonly occurredAtMs: number
    readonly validUntilMs: number | null
  }[]
  readonly asOfMs: number
  readonly receivedAtMs: number
  readonly minConfidence: number
}

export interface PlainChain {
  readonly start: string
  readonly outcome: string
  readonly cost: number
  readonly edges: readonly string[]
}

export interface PlainResult {
  readonly chains: readonly PlainChain[]
  readonly excluded: readonly {
    readonly start: string
    readonly outcome: string
    readonly threshold: number
    readonly score: number
    readonly gated: readonly string[]
  }[]
}

interface Walkable {
  readonly id: string
  readonly version: number
  readonly to: string
  readonly strength: number
  readonly gate: number
}

/**
 * The search as its definition says it: tries every path of 1 to 5 edges that visits no node twice, and keeps the
 * best. Written apart from the search; it shares only the arithmetic of costs.
 */
export function bruteForceSearch(graph: PlainGraph, question: PlainQuestion): PlainResult {
  const present = question.starts.filter(
    (start) => start.occurredAtMs === null || start.occurredAtMs <= question.asOfMs,
  )
  const chains: PlainChain[] = []
  const excluded: PlainResult['excluded'][number][] = []
  for (const start of present) {
    for (const event of new Set(question.outcomes.map((outcome) => outcome.event))) {
      if (start.finding && start.toward !== event) continue
      const best = bestPath(start, event, false)
      if (best !== undefined) {
        chains.push({ start: start.key, outcome: event, cost: best.cost, edges: best.edges.map(named) })
      }
      for (const { threshold } of question.outcomes.filter((outcome) => outcome.event === event)) {
        if (best !== undefined && factorOf(best.cost) >= threshold) continue
        const free = bestPath(start, event, true)
        if (free === undefined || factorOf(free.cost) < threshold) continue
        const gated = free.edges.filter((edge) => edge.gate > start.confidence).map(named)
        excluded.push({ start: start.key, outcome: event, threshold, score: factorOf(free.cost), gated })
      }
    }
  }
  return { chains, excluded }

  interface Path {
    readonly cost: number
    readonly edges: readonly Walkable[]
  }

  function bestPath(start: PlainStart, event: string, gatesLifted: boolean): Path | undefined {
    let best: Path | undefined
    function extend(node: string, visited: readonly string[], path: Path): void {
      if (path.edges.length > 0 && node === event && (best === undefined || isBetter(path, best))) best = path
      if (path.edges.length === 5) return
      for (const edge of edgesOf('CAUSES', node)) {
        if (visited.includes(edge.to)) continue
        if (edge.gate > start.confidence && !gatesLifted) continue
        const held = heldBack(edge.to)
        if (held === Number.POSITIVE_INFINITY) continue
        const cost = path.cost + strengthCost(edge.strength) + held
        extend(edge.to, [...visited, edge.to], { cost, edges: [...path.edges, edge] })
      }
    }
    const held = heldBack(start.type)
    if (held === Number.POSITIVE_INFINITY) return undefined
    extend(start.type, [start.type], { cost: weightOf(start) + held, edges: [] })
    return best
  }

  function isBetter(one: Path, other: Path): boolean {
    if (one.cost !== other.cost) return one.cost < other.cost
    if (one.edges.length !== other.edges.length) return one.edges.length < other.edges.length
    for (let at = 0; at < one.edges.length; at += 1) {
      const [a, b] = [one.edges[at]?.id ?? '', other.edges[at]?.id ?? '']
      if (a !== b) return a < b
    }
    return false
  }

  /** Cost of what prevents a node: the strongest of everything present. */
  function heldBack(node: string): number {
    let strongest = 0
    for (const start of present) {
      if (!start.mayPrevent || start.confidence < question.minConfidence) continue
      for (const edge of edgesOf('PREVENTS', start.type)) {
        if (edge.gate > start.confidence || !kindsOf(node).includes(edge.to)) continue
        strongest = Math.max(strongest, preventionStrength(edge.strength, weightOf(start)))
      }
    }
    return preventedCost(strongest)
  }

  function weightOf(start: PlainStart): number {
    if (start.occurredAtMs === null) return 0
    const type = graph.types.find(({ id }) => id === start.type)
    // A type that does not exist yet says nothing, not even its tau.
    const tau = type === undefined || (type.fromMs ?? -Infinity) > question.receivedAtMs ? 30 : type.tauDays
    return decayCost(question.asOfMs - start.occurredAtMs, tau)
  }

  function edgesOf(relation: string, node: string): Walkable[] {
    return graph.edges
      .filter((edge) => edge.relation === relation && kindsOf(node).includes(edge.from))
      .flatMap(walkable)
  }

  function walkable(edge: PlainEdge): Walkable[] {
    const begun = edge.versions.filter(({ fromMs }) => (fromMs ?? -Infinity) <= question.receivedAtMs)
    const version = begun[begun.length - 1]
    const ends = graph.types.filter(({ id }) => id === edge.from || id === edge.to)
    if (version === undefined) return []
    if (ends.some(({ fromMs }) => (fromMs ?? -Infinity) > question.receivedAtMs)) return []
    let { strength } = version
    if (!(strength > 0 && strength <= 1)) return []
    const { recurrence } = version
    if (recurrence !== null && countOf(edge.from, recurrence.withinDays) >= recurrence.atLeast) {
      strength = recurrence.strength
    }
    const over = [version, ...ends].some(({ untilMs }) => (untilMs ?? openEndMs) <= question.receivedAtMs)
    if (over) strength = Math.min(strength, 0.1)
    return [
      { id: edge.id, version: edge.versions.indexOf(version) + 1, to: edge.to, strength, gate: version.gate },
    ]
  }

  function countOf(type: string, withinDays: number): number {
    return question.history.filter(
      (episode) =>
        kindsOf(episode.type).includes(type) &&
        episode.occurredAtMs <= question.asOfMs &&
        episode.occurredAtMs >= question.asOfMs - withinDays * dayMs &&
        (episode.validUntilMs === null || episode.validUntilMs > question.asOfMs),
    ).length
  }

  /** A type and all that it is a kind of, as known when the application was received. */
  function kindsOf(type: string): string[] {
    const declared = graph.types.find(({ id }) => id === type)
    const begun = declared !== undefined && (declared.fromMs ?? -Infinity) <= question.receivedAtMs
    return [type, ...(begun ? declared.isA.flatMap(kindsOf) : [])]
  }
}

function named(edge: Walkable): string {
  return `${edge.id}@${edge.version}`
}
