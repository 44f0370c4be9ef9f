import type { Chain } from '../domain/chain.ts'
import type { Bar, Missing } from '../domain/decision.ts'
import type { DecisionKind, OutcomeEntry, Policy } from '../domain/policy.ts'

/** What the precedence list is walked over. */
export interface Findings {
  readonly policy: Policy
  /** All chains found, of every start and outcome, whatever their score. */
  readonly chains: readonly Chain[]
  readonly missing: readonly Missing[]
  readonly bars: readonly Bar[]
  /** Whether anything of a decline or counteroffer with these chains may be told to the applicant. */
  readonly mayTell: (deciding: readonly Chain[]) => boolean
}

export interface Judgement {
  readonly decision: DecisionKind
  readonly deciding: readonly Chain[]
  /** Position in the list of the entry that held; the list's length when none did. */
  readonly entry: number
  /** True when an approval or counteroffer was turned into something else by a bar. */
  readonly barred: boolean
}

/**
 * Walks the policy's outcomes from the top, or from a later entry; the first that holds decides. An approval or a
 * counteroffer gives way to what bars it; a decline or counteroffer with nothing to tell becomes manual review.
 */
export function walkOutcomes(findings: Findings, from = 0): Judgement {
  const { outcomes } = findings.policy
  for (let entry = from; entry < outcomes.length; entry++) {
    const line = outcomes[entry] as OutcomeEntry
    const deciding = reaching(findings, entry)
    if (deciding.length > 0 || holdsByAbsence(findings, entry))
      return settle(findings, line.decision, deciding, entry)
  }
  return settle(findings, 'approve', [], outcomes.length)
}

function settle(
  findings: Findings,
  decision: DecisionKind,
  deciding: readonly Chain[],
  entry: number,
): Judgement {
  const grants = decision === 'approve' || decision === 'counteroffer'
  if (grants && findings.missing.some((piece) => piece.obtainable)) {
    return { decision: 'insufficient_evidence', deciding: [], entry, barred: true }
  }
  if (grants && (findings.bars.length > 0 || findings.missing.length > 0)) {
    return { decision: barredTo(findings.bars), deciding: [], entry, barred: true }
  }
  const mustTell = decision === 'decline' || decision === 'counteroffer'
  if (mustTell && !findings.mayTell(deciding))
    return { decision: 'manual_review', deciding, entry, barred: false }
  return { decision, deciding, entry, barred: false }
}

function barredTo(bars: readonly Bar[]): DecisionKind {
  return bars.some((bar) => bar.kind === 'confidence_far_too_low') ? 'insufficient_evidence' : 'manual_review'
}

/** Chains that make an entry hold: of rules toward its event; of bare episodes, for the last manual review. */
function reaching(findings: Findings, entry: number): readonly Chain[] {
  const line = findings.policy.outcomes[entry] as OutcomeEntry
  const ofRules = 'event' in line ? findings.chains.filter((chain) => reaches(chain, line)) : []
  if (entry !== lastManualReview(findings.policy)) return ofRules
  const ofEpisodes = findings.chains.filter((chain) => chain.rule === undefined && reachesReview(chain, line))
  return [...ofRules, ...ofEpisodes]
}

function reaches(chain: Chain, line: OutcomeEntry): boolean {
  return (
    'event' in line &&
    chain.rule !== undefined &&
    chain.outcome === line.event &&
    chain.score >= line.threshold
  )
}

/** A chain without a rule counts at its own outcome's threshold or manual review's, whichever it reaches first. */
function reachesReview(chain: Chain, review: OutcomeEntry): boolean {
  const threshold = 'event' in review ? Math.min(chain.threshold, review.threshold) : chain.threshold
  return chain.score >= threshold
}

/** A decline needs a rule and its reason, so evidence without one goes to a person: the last such entry. */
export function lastManualReview(policy: Policy): number {
  return policy.outcomes.findLastIndex((line) => line.decision === 'manual_review')
}

function holdsByAbsence(findings: Findings, entry: number): boolean {
  const { decision } = findings.policy.outcomes[entry] as OutcomeEntry
  if (decision === 'insufficient_evidence') return findings.missing.some((piece) => piece.obtainable)
  return entry === lastManualReview(findings.policy) && findings.missing.some((piece) => !piece.obtainable)
}

/** Decisions listed above `approve`: those that a rule may work toward against the applicant. */
export function stricterEvents(policy: Policy): ReadonlySet<string> {
  return new Set(
    policy.outcomes.flatMap((line) => ('event' in line && line.decision !== 'approve' ? [line.event] : [])),
  )
}

/** The lowest threshold at which an event makes some entry hold; chains are shown beside it. */
export function thresholdsByEvent(policy: Policy): ReadonlyMap<string, number> {
  const thresholds = new Map<string, number>()
  for (const line of policy.outcomes) {
    if ('event' in line) thresholds.set(line.event, Math.min(line.threshold, thresholds.get(line.event) ?? 1))
  }
  return thresholds
}
