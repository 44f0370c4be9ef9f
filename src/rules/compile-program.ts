import { conditionsOf } from '../domain/rule.ts'
import { arrangeRules } from './arrange-rules.ts'
import { compileCondition } from './compile-condition.ts'
import type { CompiledCondition } from './compiled-condition.ts'
import { type Layout, layOut } from './frame.ts'
import { type InForcePeriods, inForcePeriods } from './in-force-periods.ts'
import type { LeafContext } from './leaf-soundness.ts'
import { type NecessaryTest, necessaryTests } from './necessary-tests.ts'
import { indexRules, type RuleIndex } from './rule-index.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import { rulesInForce } from './rules-in-force.ts'
import type { FactStep } from './workings.ts'

/** A rule version with its conditions made ready. */
export interface ReadyRule {
  readonly compiled: CompiledRule
  /** False: the rule is not fired, whatever else it tests. */
  readonly gate: CompiledCondition | undefined
  /** All that the rule tests; `undefined`: the plain judge has to look. */
  readonly whole: CompiledCondition | undefined
  readonly necessary: readonly NecessaryTest[]
}

/** A rule version in force, with its place in the order of rule ids. */
export interface RankedRule extends ReadyRule {
  readonly rank: number
}

/** Rules that one index is made over, looked at as soon as everything they read is there. */
export interface RuleGroup {
  readonly rules: readonly RankedRule[]
  readonly index: RuleIndex
}

/** What an evaluation does, in order: facts, then writers of memory, then the key they set; at last all other rules. */
export type ProgramStep =
  | { readonly kind: 'work'; readonly step: FactStep }
  | { readonly kind: 'rules'; readonly group: RuleGroup }
  | { readonly kind: 'settle'; readonly key: string; readonly writers: readonly RankedRule[] }

/** What is done for applications received in one stretch of days. */
export interface Period {
  /** Ordered by rule id; a rule's place is its rank. */
  readonly inForce: readonly RankedRule[]
  readonly notInForce: readonly string[]
  readonly steps: readonly ProgramStep[]
}

/** Periods kept ready; a replay of old decisions goes through others, one after the other. */
const periodsMax = 8

/** A rule set made ready to evaluate: places for names, conditions compiled, an index for each stretch of days. */
export class Program {
  readonly layout: Layout
  readonly #ruleSet: RuleSet
  readonly #ready: ReadonlyMap<string, ReadyRule>
  readonly #stretches: InForcePeriods
  readonly #periods = new Map<number, Period>()

  constructor(ruleSet: RuleSet) {
    this.#ruleSet = ruleSet
    this.layout = layOut(ruleSet.declared)
    const context = { declared: ruleSet.declared, layout: this.layout }
    this.#ready = new Map([...ruleSet.rules].map(([id, rule]) => [id, makeReady(rule, context)]))
    this.#stretches = inForcePeriods(ruleSet)
  }

  period(receivedAtMs: number): Period {
    const number = this.#stretches.periodAt(receivedAtMs)
    const held = this.#periods.get(number)
    if (held !== undefined) return held
    const oldest = this.#periods.keys().next()
    if (this.#periods.size >= periodsMax && oldest.done !== true) this.#periods.delete(oldest.value)
    const period = this.#periodAt(receivedAtMs)
    this.#periods.set(number, period)
    return period
  }

  #periodAt(receivedAtMs: number): Period {
    const { inForce, notInForce } = rulesInForce(this.#ruleSet, receivedAtMs)
    const ranked = inForce.flatMap((rule, rank) => {
      const ready = this.#ready.get(rule.id)
      return ready === undefined ? [] : [{ ...ready, rank }]
    })
    return { inForce: ranked, notInForce, steps: stepsOf(this.#ruleSet, ranked, this.layout) }
  }
}

const programs = new WeakMap<RuleSet, Program>()

/** The program of a rule set, made once. */
export function programOf(ruleSet: RuleSet): Program {
  const held = programs.get(ruleSet)
  if (held !== undefined) return held
  const program = new Program(ruleSet)
  programs.set(ruleSet, program)
  return program
}

function makeReady(compiled: CompiledRule, context: LeafContext): ReadyRule {
  const { rule } = compiled
  const parts = conditionsOf(rule).map((condition) => compileCondition(condition, context))
  const [gate] = parts
  // Invariant: a rule that might break anywhere is looked at as a whole, so that its failing always shows.
  if (gate === undefined || parts.includes(undefined))
    return { compiled, gate: undefined, whole: undefined, necessary: [] }
  const necessary = necessaryTests(rule.when, context)
  return { compiled, gate, whole: rule.boosts === undefined ? gate : undefined, necessary }
}

function stepsOf(ruleSet: RuleSet, inForce: readonly RankedRule[], layout: Layout): readonly ProgramStep[] {
  const steps: ProgramStep[] = []
  const waiting = new Map(inForce.map((rule) => [rule.compiled.id, rule]))
  const look = (rules: readonly RankedRule[]): void => {
    for (const rule of rules) waiting.delete(rule.compiled.id)
    for (const part of arrangeRules(rules)) {
      const index = indexRules(
        part.map((rule) => rule.necessary),
        layout,
      )
      steps.push({ kind: 'rules', group: { rules: part, index } })
    }
  }
  const byId = new Map(waiting)
  for (const step of ruleSet.steps) {
    if (step.kind === 'rule') continue
    if (step.kind !== 'memory') {
      steps.push({ kind: 'work', step })
      continue
    }
    const writers = step.writers.flatMap((writer) => byId.get(writer.id) ?? [])
    look(writers.filter((writer) => waiting.has(writer.compiled.id)))
    steps.push({ kind: 'settle', key: step.key, writers })
  }
  look([...waiting.values()])
  return steps
}
