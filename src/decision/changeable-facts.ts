import type { Belief } from '../agents/believe.ts'
import type { Claim } from '../agents/latest-claims.ts'
import { compareText } from '../domain/compare-text.ts'
import { Decimal, readDecimal } from '../domain/decimal.ts'
import type { DecisionInputs } from '../domain/decision.ts'
import type { FactVersion } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import { type Expression, parseExpression } from '../rules/expression.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** A fact that an applicant can change, as it is believed, and what changes with it. */
export interface ChangeableFact {
  readonly fact: string
  /** The believed version; a changed one differs from it only in its value. */
  readonly version: FactVersion
  readonly from: Decimal
  readonly step: Decimal
  /** Whole steps that may be tried upward and downward. */
  readonly stepsMax: { readonly up: number; readonly down: number }
  readonly follows: readonly Follower[]
}

/** A fact that changes with another, by an expression over the other's new value. */
export interface Follower {
  readonly fact: string
  readonly version: FactVersion
  readonly expression: Expression
}

/** Without a declared limit a fact is tried up to ten times its value, or this many steps if that is more. */
const timesMax = 10
const stepsTriedMax = 1000
/** Beyond this a count of steps would no longer be exact. */
const stepsCountMax = 1e12

/**
 * The facts declared `changeable` that are known, their value believed from one source that nothing contests, and
 * with them all that changes along. Ordered by name.
 */
export function changeableFacts(
  belief: Belief,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
): readonly ChangeableFact[] {
  return Object.entries(ruleSet.facts.facts)
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([fact, declaration]) => changeable(fact, declaration, belief, inputs) ?? [])
}

function changeable(
  fact: string,
  declaration: FactDeclaration,
  belief: Belief,
  inputs: DecisionInputs,
): ChangeableFact | undefined {
  if (declaration.changeable === undefined) return undefined
  const version = believedVersion(fact, belief, inputs)
  const from = typeof version?.value === 'string' ? readDecimal(version.value) : undefined
  if (version === undefined || from === undefined) return undefined
  const follows = Object.entries(declaration.changeable.changes_with ?? {}).map(([other, text]) => {
    const followed = believedVersion(other, belief, inputs)
    return followed === undefined
      ? undefined
      : { fact: other, version: followed, expression: parseExpression(text) }
  })
  // Filling in what was not known would be a second change.
  if (follows.includes(undefined)) return undefined
  const step = new Decimal(declaration.changeable.step)
  return {
    fact,
    version,
    from,
    step,
    stepsMax: stepsWithin(declaration, from, step),
    follows: follows.filter((one) => one !== undefined),
  }
}

/** The version that makes a fact known; none when it is not known, contested, or what settled it was another claim. */
function believedVersion(fact: string, belief: Belief, inputs: DecisionInputs): FactVersion | undefined {
  const state = belief.states.get(fact)
  const claim = belief.believed.get(fact)
  if (state?.state !== 'known' || claim === undefined) return undefined
  if (JSON.stringify(claim.value) !== JSON.stringify(state.value)) return undefined
  return inputs.facts.find((version) => isVersionOf(version, claim))
}

function isVersionOf(version: FactVersion, claim: Claim): boolean {
  return version.fact === claim.fact && version.version === claim.version && version.source === claim.source
}

/** What is not negative stays so. */
function stepsWithin(declaration: FactDeclaration, from: Decimal, step: Decimal): ChangeableFact['stepsMax'] {
  const span = Decimal.max(from.abs().times(timesMax - 1), step.times(stepsTriedMax))
  const lowest = from.isNegative() ? from.minus(span) : new Decimal(0)
  const least = declaration.min === undefined ? lowest : Decimal.max(lowest, declaration.min)
  const most = declaration.max === undefined ? from.plus(span) : Decimal.min(from.plus(span), declaration.max)
  return { up: wholeSteps(most.minus(from), step), down: wholeSteps(from.minus(least), step) }
}

function wholeSteps(distance: Decimal, step: Decimal): number {
  return Math.max(0, Decimal.min(distance.dividedBy(step).floor(), stepsCountMax).toNumber())
}
