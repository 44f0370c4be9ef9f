import { compareText } from '../domain/compare-text.ts'
import type { FactState, FactValue } from '../domain/fact.ts'
import type { EmbeddedTest, Rule } from '../domain/rule.ts'
import { dayMs, readInstant, startOfDateMs, writeInstant } from '../domain/time.ts'
import { evaluate } from './evaluate.ts'
import type { ConditionTrace, RuleResult } from './evaluation.ts'
import { narrowerOf } from './narrow-rule-set.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import { runTableTests } from './tables/run-table-tests.ts'

/** An embedded test whose rule or table did something else than it expects. */
export interface TestFailure {
  /** Rule version, or path of the table. */
  readonly rule: string
  readonly test: string
  readonly expected: string
  readonly got: string
}

/**
 * Runs the `tests:` of every table, and of every rule version: the facts given have confidence 1, all others are unknown, no history,
 * and the application is received while the version is in force. Derived facts and memory keys that are given
 * replace what would be worked out. Gives the tests that failed.
 */
export function runEmbeddedTests(ruleSet: RuleSet): TestFailure[] {
  const failures: TestFailure[] = []
  const narrow = narrowerOf(ruleSet)
  for (const compiled of ruleSet.rules.values()) {
    const { tests = [] } = compiled.rule
    if (tests.length === 0) continue
    // Another version of the same rule may be the one in force on any given day, so only this one is looked at.
    const alone = narrow(compiled)
    for (const test of tests) {
      const failure = runTest(compiled, test, alone)
      if (failure !== undefined) failures.push(failure)
    }
  }
  for (const { table, ...failure } of runTableTests(ruleSet.content.tables ?? {}, ruleSet.declared)) {
    failures.push({ rule: table, ...failure })
  }
  return failures
}

function runTest(compiled: CompiledRule, test: EmbeddedTest, ruleSet: RuleSet): TestFailure | undefined {
  const result = resultOf(compiled, test, ruleSet)
  const { fires, outcome, episodes } = test.expect
  const stated = result.findings.map((finding) => finding.type).sort(compareText)
  const wrong =
    (fires !== undefined && fires !== (result.outcome === 'fired')) ||
    (outcome !== undefined && outcome !== result.outcome) ||
    (episodes !== undefined && [...episodes].sort(compareText).join() !== stated.join())
  if (!wrong) return undefined
  const expected = [
    ...(fires === undefined ? [] : [fires ? 'fired' : 'not to fire']),
    ...(outcome === undefined ? [] : [outcome]),
    ...(episodes === undefined ? [] : [`episodes ${list(episodes)}`]),
  ].join(', ')
  const got = `${result.outcome}, episodes ${list(stated)}; ${result.error ?? describeTrace(result.trace)}`
  return { rule: compiled.id, test: test.name, expected, got }
}

function list(names: readonly string[]): string {
  return `[${names.join(', ')}]`
}

function resultOf(compiled: CompiledRule, test: EmbeddedTest, ruleSet: RuleSet): RuleResult {
  const { zone } = ruleSet.policy
  const facts = new Map<string, FactState>()
  const replaced = new Map<string, FactState>()
  for (const [name, value] of Object.entries(test.given)) {
    const method = test.methods?.[name]
    const state: FactState =
      value === null
        ? { state: 'none', confidence: 1 }
        : { state: 'known', value, confidence: 1, ...(method === undefined ? {} : { method }) }
    ;(ruleSet.declared.get(name)?.origin === 'fact' ? facts : replaced).set(name, state)
  }
  const given = (name: string) => instant(test.given[name])
  const receivedAtMs = given('received_at') ?? insideMs(compiled.rule, zone)
  const question = {
    facts,
    replaced,
    consents: Array.isArray(test.given.consents) ? test.given.consents.map(String) : [],
    receivedAtMs,
    asOfMs: given('as_of') ?? receivedAtMs,
    history: undefined,
    isSubtype: () => false,
  }
  const result = evaluate(ruleSet, question).rules.find((rule) => rule.id === compiled.id)
  if (result !== undefined) return result
  const trace: ConditionTrace = { kind: 'all', result: 'not_evaluated', confidence: null, parts: [] }
  const error = `not in force at ${writeInstant(receivedAtMs)}`
  const names = { id: compiled.id, ruleId: compiled.rule.rule_id }
  return {
    ...names,
    outcome: 'error',
    confidence: null,
    weakest: null,
    unknownFacts: [],
    error,
    trace,
    findings: [],
  }
}

function instant(value: FactValue | null | undefined): number | undefined {
  return typeof value === 'string' ? readInstant(value) : undefined
}

const anyDay = '2026-01-01'

/** Noon or so of a day on which the rule is in force. */
function insideMs(rule: Rule, zone: string): number {
  const { from, until } = rule.effective ?? {}
  if (from !== undefined) return startOfDateMs(from, zone)
  return until === undefined ? startOfDateMs(anyDay, zone) : startOfDateMs(until, zone) - dayMs
}

/** One line that says what each part of a condition came to. */
export function describeTrace(trace: ConditionTrace): string {
  if ('parts' in trace) return `${trace.kind} ${trace.result} (${trace.parts.map(describeTrace).join('; ')})`
  const show = (value: FactValue | null) => (typeof value === 'string' ? value : JSON.stringify(value))
  const required = trace.kind === 'state' ? '' : ` ${trace.requiredFact ?? show(trace.required)}`
  const actual = trace.actual === null ? (trace.why ?? 'none') : show(trace.actual)
  return `${trace.fact} ${trace.operator}${required} is ${trace.result}: ${actual}`
}
