import { compareText } from '../domain/compare-text.ts'
import { edgeVersionId } from '../domain/knowledge.ts'
import type { CausalView } from './causal-view.ts'
import { blocked, factorOf } from './cost.ts'
import { type EdgeBudget, edgeBudget } from './edge-budget.ts'
import { findPreventions, type Prevention, type Preventions, weightCost } from './prevention.ts'
import { compareStarts, type OutcomeEvent, type SearchQuestion, type SearchStart } from './question.ts'
import type { WalkableEdge } from './strength.ts'
import { type Label, labelsOf, type Walked, walkFrom } from './walk.ts'

/** One edge of a chain, and what holds back the node it leads to. */
export interface FoundStep {
  readonly reading: WalkableEdge
  readonly prevention: Prevention | null
}

/** The strongest chain from one start to one outcome event. */
export interface FoundChain {
  readonly start: SearchStart
  readonly outcome: string
  /** Whole billionths of a natural logarithm: exact. */
  readonly cost: number
  /** exp(-cost / 1e9), six decimals: compare this with thresholds. */
  readonly score: number
  /** Cost of the start's temporal weight. */
  readonly weightCost: number
  readonly startPrevention: Prevention | null
  readonly steps: readonly FoundStep[]
}

/** A chain that would have reached a threshold, had gates not been in the way. */
export interface Exclusion {
  readonly start: SearchStart
  readonly outcome: string
  readonly threshold: number
  readonly scoreWithoutGates: number
  /** The gated edges on that chain, in its order. */
  readonly edges: readonly WalkableEdge[]
}

export interface SearchResult {
  /** By start, then outcome event; every one found, whatever its score. */
  readonly chains: readonly FoundChain[]
  readonly excluded: readonly Exclusion[]
  /** Findings with a `toward` to which no walkable chain was found. */
  readonly unreached: readonly SearchStart[]
  /** Edge versions too broken to walk that the search met, such as `e-17@2`, in order. */
  readonly brokenEdges: readonly string[]
  readonly examined: number
  /** Number of edges after which the search was cut short; give it as `edgesExaminedMax` to replay. Null: not cut. */
  readonly cutAt: number | null
}

/**
 * For each start and each outcome event it may reach, the one strongest chain of 1 to 5 CAUSES edges. Pure: the
 * same knowledge and question give the same result, whatever order either was put together in.
 */
export function searchChains(view: CausalView, question: SearchQuestion): SearchResult {
  const budget = edgeBudget(question)
  const broken = new Set<string>()
  const search: Search = {
    view,
    question,
    budget,
    onBroken: (edge) => broken.add(edgeVersionId(edge)),
    preventions: () => undefined,
  }
  const starts = question.starts
    .filter(({ occurredAtMs }) => occurredAtMs === null || occurredAtMs <= question.asOfMs)
    .sort(compareStarts)
  search.preventions = findPreventions(starts, view, question, budget, search.onBroken)

  // Every start is walked with its gates before any is walked without: a cut costs the less important part first.
  const walks = starts.map((start) => ({ start, walked: walk(search, start, false) }))
  const found = walks.map(({ start, walked }) => ({ start, walked, chains: chainsOf(search, start, walked) }))
  const excluded = found
    .filter(({ walked }) => walked.metGate)
    .flatMap(({ start, chains }) => excludedFor(search, start, chains))
  const chains = found.flatMap((one) => one.chains)
  const reached = new Set(chains.map(({ start }) => start))
  return {
    chains,
    excluded,
    unreached: question.starts
      .filter((start) => start.kind === 'finding' && start.toward !== null && !reached.has(start))
      .sort(compareStarts),
    brokenEdges: [...broken].sort(compareText),
    examined: budget.examined,
    cutAt: budget.cutAt,
  }
}

/** Order of strength: cheaper, then fewer hops, then smaller edge ids, then start and outcome. */
export function compareFound(a: FoundChain, b: FoundChain): number {
  return (
    a.cost - b.cost ||
    a.steps.length - b.steps.length ||
    compareIds(a, b) ||
    compareStarts(a.start, b.start) ||
    compareText(a.outcome, b.outcome)
  )
}

interface Search {
  readonly view: CausalView
  readonly question: SearchQuestion
  readonly budget: EdgeBudget
  readonly onBroken: (edge: WalkableEdge['edge']) => void
  preventions: Preventions
}

function walk(search: Search, start: SearchStart, gatesLifted: boolean): Walked {
  if (eventsFor(start, search.question.outcomes).length === 0) return { best: new Map(), metGate: false }
  const held = search.preventions(start.type)?.chainCost ?? 0
  const cost = held === blocked ? blocked : weightCost(start, search.view, search.question.asOfMs) + held
  const { type, confidence } = start
  return walkFrom(
    { type, confidence, cost, gatesLifted },
    search.view,
    search.preventions,
    search.budget,
    search.onBroken,
  )
}

/** The outcome events a start may end at: its `toward` for a finding, any for an episode. */
function eventsFor(start: SearchStart, outcomes: readonly OutcomeEvent[]): readonly string[] {
  const events = [...new Set(outcomes.map(({ event }) => event))].sort(compareText)
  return start.kind === 'episode' ? events : events.filter((event) => event === start.toward)
}

function foundChain(search: Search, start: SearchStart, outcome: string, last: Label): FoundChain {
  return {
    start,
    outcome,
    cost: last.cost,
    score: factorOf(last.cost),
    weightCost: weightCost(start, search.view, search.question.asOfMs),
    startPrevention: search.preventions(start.type) ?? null,
    steps: labelsOf(last).map(({ node, reading }) => ({
      reading,
      prevention: search.preventions(node) ?? null,
    })),
  }
}

function chainsOf(search: Search, start: SearchStart, { best }: Walked): readonly FoundChain[] {
  return eventsFor(start, search.question.outcomes).flatMap((event) => {
    const label = best.get(event)
    return label === undefined ? [] : [foundChain(search, start, event, label)]
  })
}

/** Thresholds that a start's chains miss with its gates and would reach without them. */
function excludedFor(search: Search, start: SearchStart, chains: readonly FoundChain[]): Exclusion[] {
  const scores = new Map(chains.map(({ outcome, score }) => [outcome, score]))
  const events = eventsFor(start, search.question.outcomes)
  const missed = search.question.outcomes
    .filter(({ event, threshold }) => events.includes(event) && (scores.get(event) ?? 0) < threshold)
    .sort((a, b) => compareText(a.event, b.event) || a.threshold - b.threshold)
  if (missed.length === 0) return []
  const { best } = walk(search, start, true)
  return missed.flatMap(({ event, threshold }) => {
    const label = best.get(event)
    if (label === undefined || factorOf(label.cost) < threshold) return []
    const edges = labelsOf(label)
      .map(({ reading }) => reading)
      .filter(({ edge }) => edge.minConfidence > start.confidence)
    return [{ start, outcome: event, threshold, scoreWithoutGates: factorOf(label.cost), edges }]
  })
}

function compareIds(a: FoundChain, b: FoundChain): number {
  for (const [at, step] of a.steps.entries()) {
    const order = compareText(step.reading.edge.id, b.steps[at]?.reading.edge.id ?? '')
    if (order !== 0) return order
  }
  return 0
}
