import { Decimal } from '../domain/decimal.ts'
import type { Answer } from '../domain/decision.ts'
import type { DecisionKind } from '../domain/policy.ts'
import { answerFor } from './answer-for.ts'
import type { ChangeableFact } from './changeable-facts.ts'
import { findBoundary } from './find-boundary.ts'
import { isBetter } from './precedence.ts'
import { isSoundChange, tellsTheUntold } from './sound-change.ts'
import { type ChangeContext, type Changed, takeSteps } from './take-steps.ts'

/** A change of one fact that gives a better decision. */
export interface FoundChange {
  readonly fact: ChangeableFact
  /** Negative: downward. */
  readonly steps: number
  readonly changed: Changed
  readonly decision: DecisionKind
}

export interface SearchResult {
  readonly best: FoundChange | undefined
  /** False: decisions or time ran out before everything was looked at. */
  readonly complete: boolean
  /** A better decision was met that may not be told of. */
  readonly silenced: boolean
}

export interface SearchContext extends ChangeContext {
  /** The answer to the application as it is. */
  readonly base: Answer
}

/**
 * Looks at each fact upward and downward for the smallest change, by its share of the fact's value, that gives a
 * better decision, with at most `evaluationsMax` decisions made and while `mayContinue`. Yields before each decision, so that the caller can let others go first.
 */
export function* searchChanges(
  facts: readonly ChangeableFact[],
  context: SearchContext,
  evaluationsMax: number,
  mayContinue: () => boolean,
): Generator<void, SearchResult, void> {
  const share = Math.floor(evaluationsMax / facts.length)
  const search = new Search(context, mayContinue)
  for (const fact of facts) yield* search.look(fact, share)
  return { best: search.best, complete: search.complete, silenced: search.silenced }
}

/** One step taken and what came of it; null: the step can't be taken. */
type Tried = { readonly changed: Changed; readonly answer: Answer } | null

class Search {
  readonly #context: SearchContext
  readonly #mayContinue: () => boolean
  #left = 0
  #best: { readonly found: FoundChange; readonly relative: Decimal } | undefined
  complete = true
  silenced = false

  constructor(context: SearchContext, mayContinue: () => boolean) {
    this.#context = context
    this.#mayContinue = mayContinue
  }

  get best(): FoundChange | undefined {
    return this.#best?.found
  }

  /** What one fact leaves of its share goes to the next. */
  *look(fact: ChangeableFact, share: number): Generator<void, void, void> {
    this.#left += share
    // What changes with the fact may not fit what was reported; that alone must not give a better decision.
    const unchanged = fact.follows.length === 0 ? null : this.#try(fact, 0)
    if (unchanged === undefined) this.complete = false
    else if (!this.#isBetter(unchanged)) {
      yield* this.#lookToward(fact, 1, fact.stepsMax.up)
      yield* this.#lookToward(fact, -1, fact.stepsMax.down)
    }
  }

  *#lookToward(fact: ChangeableFact, sign: 1 | -1, stepsMax: number): Generator<void, void, void> {
    const tried = new Map<number, Tried>()
    const attempt = (steps: number): Tried | undefined => {
      const result = tried.get(steps) ?? this.#try(fact, steps * sign)
      if (result !== undefined) tried.set(steps, result)
      return result
    }
    const search = findBoundary(Math.min(stepsMax, this.#stepsWorthwhile(fact)))
    let asked = search.next()
    while (asked.done !== true) {
      yield
      const result = attempt(asked.value)
      asked = search.next(result === undefined ? undefined : this.#isSound(result))
    }
    const boundary = asked.value
    if (boundary === 'spent') this.complete = false
    if (typeof boundary !== 'number') return
    const found = tried.get(boundary)
    const before = boundary === 1 ? null : attempt(boundary - 1)
    if (before === undefined) this.complete = false
    if (found === undefined || found === null || before === undefined) return
    // One step less must give no better decision on any account, nor show where a rule never told of begins.
    if (this.#isBetter(before) || this.#isSilent(before)) return
    this.#keep({ fact, steps: boundary * sign, changed: found.changed, decision: found.answer.decision })
  }

  /** Steps within the smallest change found so far; more would not be kept. */
  #stepsWorthwhile(fact: ChangeableFact): number {
    const relative = this.#best?.relative
    if (relative === undefined || !relative.isFinite()) return Number.MAX_SAFE_INTEGER
    return relative.times(fact.from.abs()).dividedBy(fact.step).floor().toNumber()
  }

  #keep(found: FoundChange): void {
    const { from } = found.fact
    const distance = found.changed.to.minus(from).abs()
    const relative = from.isZero() ? new Decimal(Number.POSITIVE_INFINITY) : distance.dividedBy(from.abs())
    if (this.#best === undefined || relative.lessThan(this.#best.relative)) this.#best = { found, relative }
  }

  /** `undefined`: no evaluation is left, or no time. */
  #try(fact: ChangeableFact, steps: number): Tried | undefined {
    if (this.#left <= 0 || !this.#mayContinue()) return undefined
    const changed = takeSteps(fact, steps, this.#context)
    if (changed === undefined) return null
    this.#left -= 1
    const { ruleSet, knowledge } = this.#context
    return { changed, answer: answerFor(changed.inputs, ruleSet, knowledge).answer }
  }

  #isBetter(tried: Tried): boolean {
    const { base, ruleSet } = this.#context
    return tried !== null && isBetter(tried.answer.decision, base.decision, ruleSet.policy)
  }

  #isSound(tried: Tried): boolean {
    const { base } = this.#context
    if (tried === null || !this.#isBetter(tried) || !isSoundChange(tried.answer, base)) return false
    return !this.#isSilent(tried)
  }

  #isSilent(tried: Tried): boolean {
    const { ruleSet, knowledge } = this.#context
    if (tried === null || !tellsTheUntold(tried.answer, tried.changed.inputs, ruleSet, knowledge))
      return false
    this.silenced = true
    return true
  }
}
