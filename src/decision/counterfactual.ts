import { believe } from '../agents/believe.ts'
import { Decimal, writeDecimal } from '../domain/decimal.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { Counterfactual, NoCounterfactual } from '../domain/hypothetical.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { answerFor } from './answer-for.ts'
import { type ChangeableFact, changeableFacts } from './changeable-facts.ts'
import { describeCounterfactual, whyNone } from './describe-counterfactual.ts'
import { type Boundary, findBoundary } from './find-boundary.ts'
import { isBetter } from './precedence.ts'
import { isSoundChange, tellsTheUntold } from './sound-change.ts'
import { type ChangeContext, type Changed, takeSteps } from './take-steps.ts'

/** Decisions made at most in one search, over all facts and both directions. */
export const evaluationsMax = 400

export type CounterfactualResult =
  | { readonly decision: Answer['decision']; readonly counterfactual: Counterfactual; readonly whyNone: null }
  | { readonly decision: Answer['decision']; readonly counterfactual: null; readonly whyNone: NoCounterfactual }

/**
 * The smallest change of one fact declared `changeable` that gives a better decision. It is exact at the boundary:
 * the change named gives it, one step less does not. Smallest is the smallest share of the value; ties go by name.
 * Nothing is offered where the decision is approve, stop or hold, or where a rule fired that may never be told.
 * `mayContinue` ends the search early. Pure: what it is given stays as it is.
 */
export function counterfactual(
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  mayContinue: () => boolean = () => true,
): CounterfactualResult {
  const { facts, policy } = ruleSet
  const base = answerFor(inputs, ruleSet, knowledge).answer
  const { decision } = base
  const none = (code: NoCounterfactual['code']) => ({
    decision,
    counterfactual: null,
    whyNone: whyNone(code),
  })
  if (decision === 'approve') return none('approved')
  if (decision === 'stop' || decision === 'hold' || tellsTheUntold(base, ruleSet)) return none('not_offered')
  const belief = believe(inputs.facts, facts.facts, policy, instantMs(inputs.as_of))
  const candidates = changeableFacts(belief, inputs, ruleSet)
  if (candidates.length === 0) return none('nothing_changeable')
  const search = new Search(base, { inputs, belief, ruleSet, knowledge }, candidates.length, mayContinue)
  for (const fact of candidates) search.look(fact)
  const { best } = search
  if (best === undefined) return none(search.ended ? 'search_ended' : 'none_found')
  return { decision, counterfactual: describeCounterfactual(best, ruleSet), whyNone: null }
}

/** A change found. */
export interface Found {
  readonly fact: ChangeableFact
  /** Negative: downward. */
  readonly steps: number
  readonly changed: Changed
  readonly decision: Answer['decision']
}

interface Tried {
  readonly changed: Changed
  readonly answer: Answer
}

/** Looks at one fact after the other, and remembers the smallest change found. */
class Search {
  readonly #base: Answer
  readonly #context: ChangeContext
  readonly #mayContinue: () => boolean
  readonly #share: number
  #left = 0
  #best: { readonly found: Found; readonly relative: Decimal } | undefined
  /** Whether some of the search was left out for want of evaluations or time. */
  ended = false

  constructor(base: Answer, context: ChangeContext, facts: number, mayContinue: () => boolean) {
    this.#base = base
    this.#context = context
    this.#mayContinue = mayContinue
    this.#share = Math.floor((evaluationsMax - 1) / facts)
  }

  get best(): Found | undefined {
    return this.#best?.found
  }

  look(fact: ChangeableFact): void {
    this.#left += this.#share
    // What changes with the fact may not fit what was reported; that alone is not to give a better decision.
    const unchanged = fact.follows.length === 0 ? undefined : this.#try(fact, 0)
    if (unchanged === 'spent') this.ended = true
    else if (unchanged === undefined || !this.#isBetter(unchanged)) {
      this.#lookToward(fact, 1, fact.stepsMax.up)
      this.#lookToward(fact, -1, fact.stepsMax.down)
    }
  }

  #lookToward(fact: ChangeableFact, sign: 1 | -1, stepsMax: number): void {
    const tried = new Map<number, Tried | undefined>()
    const attempt = (steps: number): Tried | undefined | 'spent' => {
      if (tried.has(steps)) return tried.get(steps)
      const result = this.#try(fact, steps * sign)
      if (result !== 'spent') tried.set(steps, result)
      return result
    }
    const holds = (steps: number): boolean | undefined => {
      const result = attempt(steps)
      return result === 'spent' ? undefined : result !== undefined && this.#isSound(result)
    }
    const boundary: Boundary = findBoundary(holds, Math.min(stepsMax, this.#stepsWorthwhile(fact)))
    if (boundary === 'spent') this.ended = true
    if (typeof boundary !== 'number') return
    const found = attempt(boundary)
    const before = boundary === 1 ? undefined : attempt(boundary - 1)
    if (found === undefined || found === 'spent' || before === 'spent') return
    // One step less must give no better decision on any account, nor show where a rule that is never told begins.
    if (before !== undefined && (this.#isBetter(before) || tellsTheUntold(before.answer, this.#context.ruleSet)))
      return
    this.#keep({ fact, steps: boundary * sign, changed: found.changed, decision: found.answer.decision })
  }

  /** Steps within the smallest change found so far. */
  #stepsWorthwhile(fact: ChangeableFact): number {
    const relative = this.#best?.relative
    if (relative === undefined || !relative.isFinite()) return Number.MAX_SAFE_INTEGER
    return relative.times(fact.from.abs()).dividedBy(fact.step).floor().toNumber()
  }

  #keep(found: Found): void {
    const { from } = found.fact
    const distance = found.changed.to.minus(from).abs()
    const relative = from.isZero() ? new Decimal(Number.POSITIVE_INFINITY) : distance.dividedBy(from.abs())
    if (this.#best === undefined || relative.lessThan(this.#best.relative)) this.#best = { found, relative }
  }

  #try(fact: ChangeableFact, steps: number): Tried | undefined | 'spent' {
    if (this.#left <= 0 || !this.#mayContinue()) return 'spent'
    const changed = takeSteps(fact, steps, this.#context)
    if (changed === undefined) return undefined
    this.#left -= 1
    const { ruleSet, knowledge } = this.#context
    return { changed, answer: answerFor(changed.inputs, ruleSet, knowledge).answer }
  }

  #isBetter({ answer }: Tried): boolean {
    return isBetter(answer.decision, this.#base.decision, this.#context.ruleSet.policy)
  }

  #isSound(tried: Tried): boolean {
    return this.#isBetter(tried) && isSoundChange(tried.answer, this.#base, this.#context.ruleSet)
  }
}

/** Plain text of a change's new value. */
export function newValueOf(found: Found): string {
  return writeDecimal(found.changed.to)
}
