import type { Chain, ChainStart, Link, LinkFactors } from '../domain/chain.ts'
import { toSixDecimals } from '../domain/confidence.ts'
import { edgeVersionId } from '../domain/knowledge.ts'
import { writeInstant } from '../domain/time.ts'
import { factorOf } from './cost.ts'
import type { Prevention } from './prevention.ts'
import type { SearchStart } from './question.ts'
import type { FoundChain } from './search.ts'
import type { WalkableEdge } from './strength.ts'

/** A found chain as an answer shows it: every factor, the smallest confidence and what has it. */
export function buildChain(found: FoundChain, threshold: number): Chain {
  const weakest = weakestOf(found)
  return {
    outcome: found.outcome,
    score: found.score,
    threshold,
    confidence: toSixDecimals(weakest.confidence),
    weakest_link: weakest.name,
    ...(found.start.kind === 'finding' ? { rule: found.start.rule } : {}),
    start: buildStart(found),
    links: found.steps.map(({ reading, prevention }) => buildLink(reading, prevention)),
  }
}

/**
 * An edge as a link. `from` is the edge's own, which may be a type that the node before is a kind of; `strength`
 * is without what prevents, which stands in the factors.
 */
export function buildLink(reading: WalkableEdge, prevention: Prevention | null = null): Link {
  const { edge, strength, validity } = reading
  return {
    from: edge.from,
    relation: edge.relation,
    to: edge.to,
    strength: toSixDecimals(strength),
    factors: {
      base: toSixDecimals(edge.strength),
      ...recurrenceShown(reading),
      validity,
      ...preventionShown(prevention),
    },
    source: edge.source,
    edge: edgeVersionId(edge),
    confidence: toSixDecimals(edge.confidence),
  }
}

function buildStart({ start, weightCost, startPrevention }: FoundChain): ChainStart {
  const temporal_weight = factorOf(weightCost)
  const prevented = preventionShown(startPrevention)
  if (start.kind === 'episode') {
    return {
      episode: start.type,
      episode_id: start.episodeId,
      temporal_weight,
      occurred_at: writeInstant(start.occurredAtMs),
      ...prevented,
    }
  }
  const dated = start.occurredAtMs === null ? {} : { occurred_at: writeInstant(start.occurredAtMs) }
  return { finding: start.type, temporal_weight, ...dated, ...prevented }
}

/** The smallest confidence of a chain; ties go to the start, then to the first edge. */
function weakestOf({ start, steps }: FoundChain): { readonly name: string; readonly confidence: number } {
  let weakest = { name: nameOf(start), confidence: start.confidence }
  for (const { reading } of steps) {
    if (reading.edge.confidence < weakest.confidence) {
      weakest = { name: edgeVersionId(reading.edge), confidence: reading.edge.confidence }
    }
  }
  return weakest
}

function nameOf(start: SearchStart): string {
  return start.kind === 'episode' ? start.episodeId : (start.weakest ?? start.type)
}

function recurrenceShown({ edge, recurred }: WalkableEdge): Pick<LinkFactors, 'recurrence'> {
  if (recurred === null || edge.recurrence === null) return {}
  return { recurrence: { count: recurred, ...edge.recurrence } }
}

function preventionShown(prevention: Prevention | null): Pick<LinkFactors, 'prevented_by'> {
  if (prevention === null) return {}
  const { start, reading, strength } = prevention
  return {
    prevented_by: { start: start.key, edge: edgeVersionId(reading.edge), strength: toSixDecimals(strength) },
  }
}
