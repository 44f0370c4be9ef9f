import type { Finding } from '../domain/episode.ts'
import type { FactState } from '../domain/fact.ts'
import type { Condition } from '../domain/rule.ts'
import { programOf } from './compile-program.ts'
import type { ConditionTrace, Evaluation, Question, RuleResult } from './evaluation.ts'
import { computedOf } from './given-state.ts'
import { judgeCondition } from './judge-condition.ts'
import type { RuleSet } from './rule-set.ts'
import { Run } from './run.ts'

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
 * fired, not applicable, unknown or error, and one that breaks is an error, never passed. Pure. The set is compiled
 * once; only rules that a false part does not already rule out are looked at, so the work grows with those.
 */
export function evaluate(ruleSet: RuleSet, question: Question): Evaluation {
  return new CompiledEvaluation(new Run(ruleSet, programOf(ruleSet), question))
}

/** Compiles a rule set now, before a decision waits for it; gives the rule set. */
export function prepareRules(ruleSet: RuleSet): RuleSet {
  programOf(ruleSet)
  return ruleSet
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

/** What is as long as the rule set, or seldom read, is worked out when it is read. */
class CompiledEvaluation implements Evaluation {
  readonly notable: readonly RuleResult[]
  readonly #run: Run
  #rules: Evaluation['rules'] | undefined
  #states: Evaluation['states'] | undefined
  #derived: Evaluation['derived'] | undefined
  #memory: Evaluation['memory'] | undefined

  constructor(run: Run) {
    this.#run = run
    this.notable = run.notable()
  }

  get rules() {
    this.#rules ??= this.#run.rules()
    return this.#rules
  }

  get notFired() {
    return this.#run.period.inForce.length - this.notable.length
  }

  get notInForce() {
    return this.#run.period.notInForce
  }

  get findings() {
    const findings: Finding[] = []
    for (const rule of this.notable) findings.push(...rule.findings)
    return findings
  }

  get memory() {
    this.#memory ??= this.#run.workings.memory()
    return this.#memory
  }

  get states() {
    this.#states ??= this.#run.states()
    return this.#states
  }

  get derived() {
    this.#derived ??= this.#run.workings.derived()
    return this.#derived
  }
}
