import { Engine, type NestedCondition, type RuleProperties, type TopLevelCondition } from 'json-rules-engine'
import { readDecimal } from '../domain/decimal.ts'
import { decimalTypes, type FactState, type FactType, type FactValue } from '../domain/fact.ts'
import type { Condition, ConditionLeaf } from '../domain/rule.ts'
import { toOperand } from './computed.ts'
import type { Evaluation } from './evaluation.ts'
import { orderNumber } from './frame.ts'
import { isFactOperand } from './operators.ts'
import { factsOfRule } from './order-steps.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'

/** What json-rules-engine says of the rules that it can judge as they are meant. */
export interface EngineAnswer {
  /** Rule versions put to it, ordered by rule id. */
  readonly asked: readonly string[]
  readonly fired: ReadonlySet<string>
}

/**
 * Asks json-rules-engine (a new engine for each run, since runs of one must not overlap) about the rules of an
 * evaluation. Left out are rules that read a fact that is not known or not exact in a double, and those with words
 * it does not have: boosts, `some`, `every`, `verified_by`, pieces of texts.
 */
export async function askEngine(ruleSet: RuleSet, evaluation: Evaluation): Promise<EngineAnswer> {
  const facts = new Map<string, unknown>([[always, true]])
  const rules: RuleProperties[] = []
  for (const { id } of evaluation.rules) {
    const compiled = ruleSet.rules.get(id)
    if (compiled === undefined || !isAnswerable(compiled, ruleSet, evaluation.states, facts)) continue
    const conditions = topLevel(compiled.rule.when, ruleSet)
    if (conditions !== undefined) rules.push({ conditions, event: { type: id } })
  }
  const { events } = await new Engine(rules).run(Object.fromEntries(facts))
  return { asked: rules.map((rule) => rule.event.type), fired: new Set(events.map((event) => event.type)) }
}

/** A fact of the engine's own that is always true. */
const always = '$always'

/** Whether all that the rule reads is there; puts it into `facts`. */
function isAnswerable(
  { rule }: CompiledRule,
  ruleSet: RuleSet,
  states: ReadonlyMap<string, FactState>,
  facts: Map<string, unknown>,
): boolean {
  if (rule.boosts !== undefined) return false
  for (const name of factsOfRule(rule)) {
    if (facts.has(name)) continue
    const declaration = ruleSet.declared.get(name)?.declaration
    const state = states.get(name)
    if (declaration === undefined || state?.state !== 'known') return false
    const value = plainValue(declaration.type, declaration.of, state.value)
    if (value === undefined) return false
    facts.set(name, value)
  }
  return true
}

function topLevel(condition: Condition, ruleSet: RuleSet): TopLevelCondition | undefined {
  const said = say(condition, ruleSet)
  if (said === undefined) return undefined
  return 'all' in said || 'any' in said || 'not' in said ? (said as TopLevelCondition) : { all: [said] }
}

/** The condition in the engine's words; `undefined` where it has none. */
function say(condition: Condition, ruleSet: RuleSet): NestedCondition | undefined {
  if ('all' in condition) {
    const all = sayEach(condition.all, ruleSet)
    return all === undefined ? undefined : { all }
  }
  if ('any' in condition) {
    const any = sayEach(condition.any, ruleSet)
    return any === undefined ? undefined : { any }
  }
  if ('not' in condition) {
    const not = say(condition.not, ruleSet)
    return not === undefined ? undefined : { not }
  }
  return sayLeaf(condition, ruleSet)
}

function sayEach(conditions: readonly Condition[], ruleSet: RuleSet): NestedCondition[] | undefined {
  const said = conditions.map((condition) => say(condition, ruleSet))
  return said.includes(undefined) ? undefined : (said as NestedCondition[])
}

function sayLeaf(leaf: ConditionLeaf, ruleSet: RuleSet): NestedCondition | undefined {
  const { fact, operator } = leaf
  const declaration = ruleSet.declared.get(fact)?.declaration
  if (declaration === undefined) return undefined
  const { type, of } = declaration
  switch (leaf.operator) {
    case 'isKnown':
    case 'isNone':
    case 'isUnknown':
      // Only known facts are put to it.
      return { fact: always, operator: 'equal', value: leaf.operator === 'isKnown' }
    case 'some':
    case 'every':
    case 'verified_by':
      return undefined
    case 'between': {
      const [low, high] = literalValues(leaf.value, type)
      if (low === undefined || high === undefined) return undefined
      const all = [
        { fact, operator: 'greaterThanInclusive', value: low },
        { fact, operator: 'lessThanInclusive', value: high },
      ]
      return { all }
    }
    case 'in':
    case 'notIn': {
      const values = literalValues(leaf.value, type)
      return values.includes(undefined) ? undefined : { fact, operator, value: values }
    }
    default: {
      if (isFactOperand(leaf.value)) return { fact, operator, value: { fact: leaf.value.fact } }
      if (type === 'text' && (operator === 'contains' || operator === 'doesNotContain')) return undefined
      const value = plainValue(type === 'list' ? (of ?? 'text') : type, undefined, leaf.value)
      return value === undefined ? undefined : { fact, operator, value }
    }
  }
}

function literalValues(value: unknown, type: FactType): readonly unknown[] {
  return Array.isArray(value)
    ? value.map((each: FactValue) => plainValue(type, undefined, each))
    : [undefined]
}

/** A value as plain JavaScript compares it rightly; `undefined` where it would not. */
function plainValue(type: FactType, of: FactType | undefined, value: FactValue): unknown {
  if (decimalTypes.has(type)) {
    const decimal = typeof value === 'string' ? readDecimal(value) : undefined
    return decimal !== undefined && decimal.precision() <= exactDigits ? decimal.toNumber() : undefined
  }
  if (type === 'list') {
    if (!Array.isArray(value)) return undefined
    const elements = value.map((element: FactValue) => plainValue(of ?? 'text', undefined, element))
    return elements.includes(undefined) ? undefined : elements
  }
  if (type === 'date' || type === 'instant' || type === 'duration') {
    const number = orderNumber(type, toOperand(type, value))
    return Number.isNaN(number) ? undefined : number
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

/** Decimals of so many digits that differ have doubles that differ. */
const exactDigits = 15
