import { compareText } from '../domain/compare-text.ts'
import type { FactState } from '../domain/fact.ts'
import { writeInstant } from '../domain/time.ts'
import { type Computed, certain, toFactState, toFactValue } from './computed.ts'
import { countEpisodes } from './count-episodes.ts'
import { derive } from './derive.ts'
import type { MemoryWrite, Question } from './evaluation.ts'
import { computedOf } from './given-state.ts'
import { partOf } from './part-of.ts'
import type { DeclaredFact, RuleSet, Step } from './rule-set.ts'
import { settleMemory, type WriterResult } from './settle-memory.ts'
import { decideTable } from './tables/decide-table.ts'

/** Where the states of one evaluation are kept, by name. */
export interface StateTable {
  get(name: string): Computed | undefined
  set(name: string, state: Computed): unknown
}

/** A step that works out a fact: everything but rules and the memory they set. */
export type FactStep = Exclude<Step, { kind: 'rule' | 'memory' }>

/**
 * What everything readable comes to in one evaluation, worked out step by step; rules are judged on it. A state that
 * is weaker than the policy's `min_confidence` is unknown to whoever reads it.
 */
export class Workings {
  readonly #ruleSet: RuleSet
  readonly #question: Question
  readonly #table: StateTable
  readonly #derived = new Map<string, Computed>()
  readonly #memory: MemoryWrite[] = []

  constructor(ruleSet: RuleSet, question: Question, table: StateTable) {
    this.#ruleSet = ruleSet
    this.#question = question
    this.#table = table
  }

  readonly read = (name: string): Computed => {
    const state = this.#table.get(name)
    if (state === undefined) throw new TypeError(`\`${name}\` is read before it is there`)
    return state
  }

  /** A built-in name's state; `undefined` of any other name. */
  builtIn(name: string): Computed | undefined {
    const { asOfMs, receivedAtMs, consents } = this.#question
    switch (name) {
      case 'as_of':
        return { state: 'known', value: writeInstant(asOfMs), ...certain }
      case 'received_at':
        return { state: 'known', value: writeInstant(receivedAtMs), ...certain }
      case 'consents':
        return { state: 'known', value: [...new Set(consents)].sort(compareText), ...certain }
      default:
        return undefined
    }
  }

  /** Reads a base fact as given, and the fields inside it. */
  readFact(fact: DeclaredFact, given: FactState | undefined): void {
    this.#keep(fact.name, computedOf(fact.name, fact, given))
    for (const part of fact.parts ?? []) {
      const whole = this.read(fact.name)
      const isKnown = whole.state === 'known'
      const path = part.name.slice(fact.name.length + 1)
      this.#keep(part.name, isKnown ? partOf(toFactValue(whole.value), path, part, whole) : whole)
    }
  }

  /** Works out a fact; what fails is in error. */
  workOut(step: FactStep): void {
    const state = this.#deriveOrFail(step)
    this.#derived.set(step.fact, state)
    this.#keep(step.fact, state)
  }

  /** Settles a memory key after what became of its writers. */
  settle(key: string, writers: readonly WriterResult[]): void {
    const declared = this.#ruleSet.declared.get(key)
    if (declared === undefined) throw new TypeError(`there is no memory key \`${key}\``)
    const given = this.#question.replaced?.get(key)
    const { state, fired } = settleMemory(key, declared.declaration, writers)
    const used = given === undefined ? state : computedOf(key, declared, given)
    this.#memory.push({ key, state: toFactState(used), writers: fired })
    this.#keep(key, used)
  }

  /** What rules set, by key. */
  memory(): readonly MemoryWrite[] {
    return [...this.#memory].sort((one, two) => compareText(one.key, two.key))
  }

  /** Derived facts by name as derived: weak ones have their value. */
  derived(): ReadonlyMap<string, FactState> {
    return new Map(
      [...this.#derived]
        .sort(([one], [two]) => compareText(one, two))
        .map(([name, state]) => [name, toFactState(state)]),
    )
  }

  #keep(name: string, state: Computed): void {
    this.#table.set(name, weakIsUnknown(name, state, this.#ruleSet.policy.min_confidence))
  }

  #deriveOrFail(step: FactStep): Computed {
    try {
      return this.#derive(step)
    } catch (cause) {
      return { state: 'error', why: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  #derive(step: FactStep): Computed {
    const declared = this.#ruleSet.declared.get(step.fact)
    const given = this.#question.replaced?.get(step.fact)
    if (given !== undefined) return computedOf(step.fact, declared, given)
    const { zone } = this.#ruleSet.policy
    const type = declared?.declaration.type ?? 'text'
    if (step.kind === 'derive') return derive(step.expression, type, { read: this.read, zone })
    if (step.kind === 'table') return decideTable(step.fact, step.table, this.read)
    const declaration = this.#ruleSet.facts.derived?.[step.fact]
    if (declaration === undefined || !('episodes' in declaration))
      throw new TypeError(`${step.fact} counts nothing`)
    return countEpisodes(step.fact, type, declaration.episodes, { ...this.#question, zone })
  }
}

/** A state under the least confidence is unknown to whoever reads it. */
export function weakIsUnknown(name: string, state: Computed, least: number): Computed {
  if ((state.state !== 'known' && state.state !== 'none') || state.confidence >= least) return state
  const why = `not evaluated: confidence ${state.confidence.toFixed(2)} < ${least.toFixed(2)}`
  return { state: 'unknown', why, missing: [state.weakest ?? name] }
}
