import type { Chain } from '../domain/chain.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { Finding } from '../domain/episode.ts'
import { buildChain, buildLink } from '../graph/build-chain.ts'
import { viewKnowledge } from '../graph/causal-view.ts'
import { findContext } from '../graph/find-context.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs, type SearchQuestion, startsOf } from '../graph/question.ts'
import { type FoundChain, type SearchResult, searchChains } from '../graph/search.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { thresholdsByEvent } from './walk-outcomes.ts'

/** What the causal knowledge says of one evaluation's findings and the subject's episodes. */
export interface ChainsFound {
  readonly chains: readonly Chain[]
  readonly excluded: Answer['excluded']
  readonly context: Answer['context']
  /** Fired findings that no walkable chain leads to the outcome their rule names. */
  readonly unwalkable: readonly UnwalkableFinding[]
  readonly brokenEdges: readonly string[]
  readonly warnings: readonly string[]
  readonly cutAt: number | null
}

export interface UnwalkableFinding {
  readonly rule: string
  readonly type: string
  readonly toward: string
}

/** Bounds the edges examined over all readings of one decision, and remembers where a deadline cut the search. */
export interface Budget {
  /** Edges that may still be examined; null: no limit. */
  left: number | null
  examined: number
  cutAt: number | null
  /** The deadline of a live decision; a replay has none. */
  readonly mayContinue: (() => boolean) | undefined
}

/** Searches from every finding and episode to every outcome event of the policy. */
export function findChains(
  findings: readonly Finding[],
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  budget: Budget,
): ChainsFound {
  const thresholds = thresholdsByEvent(ruleSet.policy)
  const asOfMs = instantMs(inputs.as_of)
  const question: SearchQuestion = {
    starts: startsOf(findings, inputs.episodes, asOfMs),
    outcomes: [...thresholds].map(([event, threshold]) => ({ event, threshold })),
    history: inputs.episodes,
    asOfMs,
    receivedAtMs: instantMs(inputs.received_at),
    minConfidence: ruleSet.policy.min_confidence,
    edgesExaminedMax: budget.left,
    ...(budget.mayContinue === undefined ? {} : { mayContinue: budget.mayContinue }),
  }
  const view = viewKnowledge(knowledge, question)
  const result = searchChains(view, question)
  spend(budget, result)
  const excluded = result.excluded.map((exclusion) => ({
    outcome: exclusion.outcome,
    start: exclusion.start.key,
    edges: exclusion.edges.map((edge) => buildLink(edge)),
    score_without_gates: exclusion.scoreWithoutGates,
  }))
  return {
    chains: result.chains.map((chain) => buildChain(chain, thresholds.get(chain.outcome) ?? 1)),
    excluded,
    context: [
      ...findContext(
        view,
        result.chains.filter((chain) => reaches(chain, thresholds)),
      ),
    ],
    unwalkable: result.unreached.flatMap((start) =>
      start.kind === 'finding' && start.toward !== null
        ? [{ rule: start.rule, type: start.type, toward: start.toward }]
        : [],
    ),
    brokenEdges: result.brokenEdges,
    warnings: result.brokenEdges.map((edge) => `edge ${edge} is broken in the store and was not walked`),
    cutAt: budget.cutAt,
  }
}

function reaches(chain: FoundChain, thresholds: ReadonlyMap<string, number>): boolean {
  return chain.score >= (thresholds.get(chain.outcome) ?? 1)
}

/** Later readings get what this one left; after a cut, nothing, so that a replay stops at the same edge. */
function spend(budget: Budget, result: SearchResult): void {
  if (result.cutAt !== null && budget.cutAt === null) budget.cutAt = budget.examined + result.cutAt
  budget.examined += result.examined
  if (budget.cutAt !== null) budget.left = 0
  else if (budget.left !== null) budget.left -= result.examined
}
