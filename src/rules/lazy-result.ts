import type { Finding } from '../domain/episode.ts'
import type { Trust } from './computed.ts'
import type { ConditionTrace, RuleOutcome, RuleResult } from './evaluation.ts'
import type { JudgedRule } from './rule-result.ts'
import type { CompiledRule } from './rule-set.ts'

/** What is known of a rule without its trace. */
export interface Found {
  readonly outcome: RuleOutcome
  readonly unknownFacts: readonly string[]
  readonly error: string | null
  readonly findings: readonly Finding[]
}

const nothing: readonly never[] = []

/** What a rule that did not fire, or does not apply, has found. */
export const quiet = { unknownFacts: nothing, error: null, findings: nothing } as const

/** A rule's result whose confidence and trace are worked out by the plain judge, once, when they are read. */
export class LazyResult implements RuleResult {
  readonly id: string
  readonly ruleId: string
  readonly outcome: RuleOutcome
  readonly unknownFacts: readonly string[]
  readonly error: string | null
  readonly findings: readonly Finding[]
  readonly #judge: (compiled: CompiledRule) => JudgedRule
  readonly #compiled: CompiledRule
  readonly #trust: Trust | undefined
  #judged: JudgedRule | undefined

  constructor(
    compiled: CompiledRule,
    found: Found,
    judge: (compiled: CompiledRule) => JudgedRule,
    trust?: Trust,
  ) {
    this.id = compiled.id
    this.ruleId = compiled.rule.rule_id
    this.outcome = found.outcome
    this.unknownFacts = found.unknownFacts
    this.error = found.error
    this.findings = found.findings
    this.#judge = judge
    this.#compiled = compiled
    this.#trust = trust
  }

  get confidence(): number | null {
    return this.#trust === undefined ? this.judged.result.confidence : this.#trust.confidence
  }

  get weakest(): string | null {
    return this.#trust === undefined ? this.judged.result.weakest : this.#trust.weakest
  }

  get trace(): ConditionTrace {
    return this.judged.result.trace
  }

  /** Trust that the memory keys it sets inherit. */
  get trust(): Trust {
    return this.#trust ?? this.judged.trust
  }

  get judged(): JudgedRule {
    this.#judged ??= this.#judge(this.#compiled)
    return this.#judged
  }
}
