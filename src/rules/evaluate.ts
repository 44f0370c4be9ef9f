import { compareText } from '../domain/compare-text.ts'
import { toSixDecimals } from '../domain/confidence.ts'
import type { Finding } from '../domain/episode.ts'
import type { FactState } from '../domain/fact.ts'
import type { Condition } from '../domain/rule.ts'
import { readDate, readInstant, startOfDateMs, writeInstant } from '../domain/time.ts'
import { type Computed, certain, toFactState, weaker } from './computed.ts'
import { countEpisodes } from './count-episodes.ts'
import { derive } from './derive.ts'
import type { ConditionTrace, Evaluation, MemoryWrite, Question } from './evaluation.ts'
import { computedOf } from './given-state.ts'
import { type Judgement, judgeCondition } from './judge-condition.ts'
import { broken, closed, type JudgedRule, notFired, open } from './rule-result.ts'
import type { CompiledRule, RuleSet, Step } from './rule-set.ts'
import { rulesInForce } from './rules-in-force.ts'
import { settleMemory } from './settle-memory.ts'

export { compileRules } from './compile-rules.ts'
export type {
  ConditionTrace,
  Evaluation,
  MemoryWrite,
  Question,
  RuleOutcome,
  RuleResult,
} from './evaluation.ts'

/**
 * Evaluates the rule versions in force at `received_at`. Total and three-valued: every rule ends as fired, not
 * fired, not applicable, unknown or error, and one that breaks is an error, never passed. Pure.
 */
export function evaluate(ruleSet: RuleSet, question: Question): Evaluation {
  return new Run(ruleSet, question).result()
}

/** Judges one condition (`covers`, `required`) on the states of an evaluation. */
export function testCondition(
  ruleSet: RuleSet,
  condition: Condition,
  states: ReadonlyMap<string, FactState>,
): ConditionTrace {
  const read = (name: string) => computedOf(name, ruleSet.declared.get(name), states.get(name))
  return judgeCondition(condition, { declared: ruleSet.declared, read }).trace
}

class Run {
  readonly #ruleSet: RuleSet
  readonly #question: Question
  readonly #states = new Map<string, Computed>()
  readonly #derived = new Map<string, FactState>()
  readonly #results = new Map<string, JudgedRule>()
  readonly #memory: MemoryWrite[] = []
  readonly #inForce: readonly CompiledRule[]
  readonly #notInForce: readonly string[]

  constructor(ruleSet: RuleSet, question: Question) {
    this.#ruleSet = ruleSet
    this.#question = question
    const { inForce, notInForce } = rulesInForce(ruleSet, question.receivedAtMs)
    this.#inForce = inForce
    this.#notInForce = notInForce
  }

  result(): Evaluation {
    this.#readBaseFacts()
    const inForce = new Set(this.#inForce)
    for (const step of this.#ruleSet.steps) {
      if (step.kind !== 'rule') this.#work(step)
      else if (inForce.has(step.rule)) this.#results.set(step.rule.id, this.#judgeRule(step.rule))
    }
    const rules = this.#inForce.flatMap((rule) => this.#results.get(rule.id)?.result ?? [])
    return {
      rules,
      notInForce: this.#notInForce,
      findings: rules.flatMap((rule) => rule.findings),
      memory: this.#memory.sort((one, two) => compareText(one.key, two.key)),
      states: new Map([...this.#states].sort(byKey).map(([name, state]) => [name, toFactState(state)])),
      derived: new Map([...this.#derived].sort(byKey)),
    }
  }

  #readBaseFacts(): void {
    const { asOfMs, receivedAtMs, consents, facts } = this.#question
    for (const fact of this.#ruleSet.declared.values()) {
      if (fact.origin !== 'fact') continue
      const state = computedOf(fact.name, fact, facts.get(fact.name))
      this.#states.set(fact.name, this.#weakIsUnknown(fact.name, state))
    }
    const set = (name: string, value: string | readonly string[]) =>
      this.#states.set(name, { state: 'known', value, ...certain })
    set('as_of', writeInstant(asOfMs))
    set('received_at', writeInstant(receivedAtMs))
    set('consents', [...new Set(consents)].sort(compareText))
  }

  #work(step: Exclude<Step, { kind: 'rule' }>): void {
    if (step.kind === 'memory') {
      this.#settle(step.key, step.writers)
      return
    }
    const state = this.#deriveOrFail(step)
    this.#derived.set(step.fact, toFactState(state))
    this.#states.set(step.fact, this.#weakIsUnknown(step.fact, state))
  }

  #deriveOrFail(step: Extract<Step, { kind: 'derive' | 'count' }>): Computed {
    try {
      return this.#deriveFact(step)
    } catch (cause) {
      return { state: 'error', why: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  #deriveFact(step: Extract<Step, { kind: 'derive' | 'count' }>): Computed {
    const declared = this.#ruleSet.declared.get(step.fact)
    const given = this.#question.replaced?.get(step.fact)
    if (given !== undefined) return computedOf(step.fact, declared, given)
    const { zone } = this.#ruleSet.policy
    const type = declared?.declaration.type ?? 'text'
    if (step.kind === 'derive')
      return derive(step.expression, type, { read: (name) => this.#read(name), zone })
    const declaration = this.#ruleSet.facts.derived?.[step.fact]
    if (declaration === undefined || !('episodes' in declaration))
      throw new TypeError(`${step.fact} counts nothing`)
    return countEpisodes(step.fact, type, declaration.episodes, { ...this.#question, zone })
  }

  #settle(key: string, writers: readonly CompiledRule[]): void {
    const declared = this.#ruleSet.declared.get(key)
    const given = this.#question.replaced?.get(key)
    const results = writers.flatMap((writer) => {
      const judged = this.#results.get(writer.id)
      return judged === undefined ? [] : [{ writer, ...judged }]
    })
    if (declared === undefined) throw new TypeError(`there is no memory key \`${key}\``)
    const { state, fired } = settleMemory(key, declared.declaration, results)
    const used = given === undefined ? state : computedOf(key, declared, given)
    this.#memory.push({ key, state: toFactState(used), writers: fired })
    this.#states.set(key, this.#weakIsUnknown(key, used))
  }

  #read(name: string): Computed {
    const state = this.#states.get(name)
    if (state === undefined) throw new TypeError(`\`${name}\` is read before it is there`)
    return state
  }

  #weakIsUnknown(name: string, state: Computed): Computed {
    const { min_confidence: least } = this.#ruleSet.policy
    if ((state.state !== 'known' && state.state !== 'none') || state.confidence >= least) return state
    const why = `not evaluated: confidence ${state.confidence.toFixed(2)} < ${least.toFixed(2)}`
    return { state: 'unknown', why, missing: [state.weakest ?? name] }
  }

  #judgeRule(compiled: CompiledRule): JudgedRule {
    try {
      const context = { declared: this.#ruleSet.declared, read: (name: string) => this.#read(name) }
      const judged = judgeCondition(compiled.rule.when, context)
      return judged.result === 'true' ? this.#fire(compiled, judged) : notFired(compiled, judged)
    } catch (cause) {
      return broken(compiled, cause instanceof Error ? cause.message : String(cause))
    }
  }

  #fire(compiled: CompiledRule, judged: Judgement): JudgedRule {
    const findings: Finding[] = []
    for (const consequence of compiled.rule.then) {
      if (!('episode' in consequence)) continue
      const date = consequence.dated_by === undefined ? undefined : this.#read(consequence.dated_by)
      // Invariant: a lost date makes a rule unknown; undated, its finding would weigh more than before.
      if (date?.state === 'unknown') return open(compiled, judged, 'unknown', date.missing, null)
      if (date?.state === 'error')
        return open(compiled, judged, 'error', [], `${consequence.dated_by}: ${date.why}`)
      const trust = date === undefined ? judged.trust : weaker(judged.trust, date)
      findings.push({
        type: consequence.episode,
        toward: consequence.toward ?? null,
        rule: compiled.id,
        confidence: toSixDecimals(trust.confidence),
        weakest: trust.weakest,
        occurred_at: date?.state === 'known' ? this.#instantOf(String(date.value)) : null,
        may_prevent: compiled.mayPrevent && date?.state !== 'none',
      })
    }
    return closed(compiled, judged, 'fired', findings)
  }

  #instantOf(text: string): string {
    const day = readDate(text)
    const atMs = day === undefined ? readInstant(text) : startOfDateMs(day, this.#ruleSet.policy.zone)
    if (atMs === undefined) throw new TypeError(`\`${text}\` dates nothing`)
    return writeInstant(atMs)
  }
}

function byKey([one]: readonly [string, unknown], [two]: readonly [string, unknown]): number {
  return compareText(one, two)
}
