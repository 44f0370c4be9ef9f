import type { FactState } from '../domain/fact.ts'
import type { Period, Program, RankedRule, RuleGroup } from './compile-program.ts'
import type { Scene } from './compiled-condition.ts'
import { certain, mergeNames, type Trust, toFactState } from './computed.ts'
import type { Question, RuleResult } from './evaluation.ts'
import { Frame } from './frame.ts'
import { findingsOf, judgeRule } from './judge-rule.ts'
import { type Found, LazyResult, quiet } from './lazy-result.ts'
import { eachRule } from './rule-bits.ts'
import type { JudgedRule } from './rule-result.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import type { WriterResult } from './settle-memory.ts'
import { Workings } from './workings.ts'

/** One evaluation by the program: what became of the rules that had to be looked at; all others did not fire. */
export class Run {
  readonly #ruleSet: RuleSet
  readonly #program: Program
  readonly #period: Period
  readonly #frame: Frame
  readonly #workings: Workings
  readonly #scene: Scene
  /** By rank: results other than not fired. */
  readonly #notable = new Map<number, LazyResult>()
  #lastRank = -1
  #inOrder = true

  constructor(ruleSet: RuleSet, program: Program, question: Question) {
    this.#ruleSet = ruleSet
    this.#program = program
    this.#period = program.period(question.receivedAtMs)
    this.#frame = new Frame(program.layout, (name) => this.#workings.builtIn(name))
    this.#workings = new Workings(ruleSet, question, this.#frame)
    this.#scene = { frame: this.#frame, read: this.#workings.read }
    this.#readBaseFacts(question.facts)
    for (const step of this.#period.steps) {
      if (step.kind === 'work') this.#workings.workOut(step.step)
      else if (step.kind === 'rules') this.#look(step.group)
      else this.#workings.settle(step.key, this.#writerResults(step.writers))
    }
  }

  get period(): Period {
    return this.#period
  }

  get workings(): Workings {
    return this.#workings
  }

  /** Ordered by rule id. */
  notable(): readonly RuleResult[] {
    // Rules of one group and key stand in order.
    if (this.#inOrder) return [...this.#notable.values()]
    return [...this.#notable].sort(([one], [two]) => one - two).map(([, result]) => result)
  }

  /** Of every rule version in force, ordered by rule id. */
  rules(): readonly RuleResult[] {
    return this.#period.inForce.map((rule) => this.#resultOf(rule))
  }

  states(): ReadonlyMap<string, FactState> {
    const states = new Map<string, FactState>()
    for (const name of this.#program.layout.names) {
      const state = this.#frame.get(name)
      if (state !== undefined) states.set(name, toFactState(state))
    }
    return states
  }

  #readBaseFacts(facts: ReadonlyMap<string, FactState>): void {
    const { base, withParts } = this.#program.layout
    for (const [name, state] of facts) {
      const fact = base.get(name)
      if (fact !== undefined) this.#workings.readFact(fact, state)
    }
    for (const fact of withParts) if (!facts.has(fact.name)) this.#workings.readFact(fact, undefined)
  }

  #look({ rules, index }: RuleGroup): void {
    eachRule(index.candidates(this.#frame), (place) => {
      const rule = rules[place] as RankedRule
      const result = this.#judge(rule)
      if (result === undefined) return
      if (rule.rank < this.#lastRank) this.#inOrder = false
      this.#lastRank = rule.rank
      this.#notable.set(rule.rank, result)
    })
  }

  /** `undefined`: not fired. */
  #judge(rule: RankedRule): LazyResult | undefined {
    const { compiled, gate, whole } = rule
    if (whole === undefined) {
      if (gate !== undefined && gate.test(this.#scene) === 'false') return undefined
      const judged = this.#judgePlainly(compiled)
      const { outcome } = judged.result
      return outcome === 'not_fired' ? undefined : new LazyResult(compiled, judged.result, () => judged)
    }
    switch (whole.test(this.#scene)) {
      case 'false':
        return undefined
      case 'true':
        return this.#fire(compiled, whole.trust(this.#scene, 'true'))
      case 'none':
        return this.#lazy(compiled, { outcome: 'not_applicable', ...quiet })
      case 'unknown':
        return this.#open(rule, 'unknown')
      case 'error':
        return this.#open(rule, 'error')
    }
  }

  #open({ compiled, whole }: RankedRule, outcome: 'unknown' | 'error'): LazyResult {
    const open = { missing: new Set<string>(), errors: new Set<string>() }
    whole?.explain(this.#scene, open)
    const error = outcome === 'error' ? mergeNames([[...open.errors]]).join('; ') : null
    return this.#lazy(compiled, {
      outcome,
      unknownFacts: mergeNames([[...open.missing]]),
      error,
      findings: [],
    })
  }

  #fire(compiled: CompiledRule, trust: Trust): LazyResult {
    try {
      const found = findingsOf(compiled, trust, this.#ruleSet.policy.zone, this.#workings.read)
      if ('findings' in found)
        return this.#lazy(compiled, { outcome: 'fired', ...quiet, findings: found.findings }, trust)
    } catch {
      // The plain judge says what broke.
    }
    const { result } = this.#judgePlainly(compiled)
    return this.#lazy(compiled, result)
  }

  #lazy(compiled: CompiledRule, found: Found, trust?: Trust): LazyResult {
    return new LazyResult(compiled, found, this.#judgePlainly, trust)
  }

  readonly #judgePlainly = (compiled: CompiledRule): JudgedRule =>
    judgeRule(compiled, this.#ruleSet, this.#workings.read)

  #resultOf({ rank, compiled }: RankedRule): LazyResult {
    return this.#notable.get(rank) ?? this.#lazy(compiled, { outcome: 'not_fired', ...quiet })
  }

  /** Those that did not fire count only where none fired and none is open: then for how sure that is. */
  #writerResults(writers: readonly RankedRule[]): readonly WriterResult[] {
    const looked = writers.filter(({ rank }) => this.#notable.has(rank))
    const decided = looked.some(({ rank }) => this.#notable.get(rank)?.outcome !== 'not_applicable')
    return (decided ? looked : writers).map((writer) => {
      const result = this.#resultOf(writer)
      const trust = decided && result.outcome !== 'fired' ? certain : result.trust
      return { writer: writer.compiled, result, trust }
    })
  }
}
