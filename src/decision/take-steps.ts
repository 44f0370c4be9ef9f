import type { Belief } from '../agents/believe.ts'
import { type Decimal, writeDecimal } from '../domain/decimal.ts'
import type { DecisionInputs } from '../domain/decision.ts'
import type { FactState, FactVersion } from '../domain/fact.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { type Computed, toFactValue, toOperand } from '../rules/computed.ts'
import { derive } from '../rules/derive.ts'
import { factsRead } from '../rules/expression.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { typeValue } from '../rules/typed-value.ts'
import type { ChangeableFact, Follower } from './changeable-facts.ts'
import { evaluateStates } from './evaluate-states.ts'
import { replaceFacts } from './replace-facts.ts'

/** What a change is made on. */
export interface ChangeContext {
  readonly inputs: DecisionInputs
  readonly belief: Belief
  readonly ruleSet: RuleSet
  readonly knowledge: Knowledge
}

/** Inputs with one fact changed by whole steps, and the versions that were put in. */
export interface Changed {
  readonly inputs: DecisionInputs
  readonly to: Decimal
  readonly followers: readonly FactVersion[]
}

/**
 * The application with one fact changed by whole steps (negative: downward) and all that changes with it, each by
 * its expression over the new value. `undefined` where a value would not be one that its declaration allows.
 */
export function takeSteps(fact: ChangeableFact, steps: number, context: ChangeContext): Changed | undefined {
  const to = fact.from.plus(fact.step.times(steps))
  const changed = withValue(fact.version, writeDecimal(to), context)
  if (changed === undefined) return undefined
  const read = reader(fact, changed, context)
  const followers: FactVersion[] = []
  for (const follower of fact.follows) {
    const version = follow(follower, read, context)
    if (version === undefined) return undefined
    followers.push(version)
  }
  const names = [fact.fact, ...fact.follows.map((follower) => follower.fact)]
  return { inputs: replaceFacts(context.inputs, names, [changed, ...followers]), to, followers }
}

function follow(
  follower: Follower,
  read: (name: string) => Computed,
  context: ChangeContext,
): FactVersion | undefined {
  const { zone } = context.ruleSet.policy
  const result = derive(follower.expression, follower.version.type, { read, zone })
  return result.state === 'known'
    ? withValue(follower.version, toFactValue(result.value), context)
    : undefined
}

/** The version with another value, all else as observed; `undefined` when the declaration does not allow it. */
function withValue(
  version: FactVersion,
  value: NonNullable<FactVersion['value']>,
  { ruleSet }: ChangeContext,
): FactVersion | undefined {
  const declaration = ruleSet.facts.facts[version.fact]
  if (declaration === undefined) return undefined
  const typed = typeValue(declaration, value, ruleSet.policy.zone)
  return 'value' in typed && typed.value !== null ? { ...version, value: typed.value } : undefined
}

/** Facts as believed, with the changed one at its new value; what is worked out is worked out from that. */
function reader(
  fact: ChangeableFact,
  changed: FactVersion,
  context: ChangeContext,
): (name: string) => Computed {
  const { belief, inputs, ruleSet, knowledge } = context
  const before = belief.states.get(fact.fact)
  const states = new Map(belief.states)
  if (before?.state === 'known' && changed.value !== null)
    states.set(fact.fact, { ...before, value: changed.value })
  const names = fact.follows.flatMap((follower) => factsRead(follower.expression))
  const plain = names.every((name) => Object.hasOwn(ruleSet.facts.facts, name))
  const all = plain ? states : evaluateStates(states, inputs, ruleSet, knowledge).states
  return (name) => computed(name, all.get(name), ruleSet)
}

function computed(name: string, state: FactState | undefined, ruleSet: RuleSet): Computed {
  const declaration = ruleSet.declared.get(name)?.declaration
  if (state === undefined || declaration === undefined)
    return { state: 'unknown', why: 'not given', missing: [name] }
  if (state.state === 'known') {
    const value = toOperand(declaration.type, state.value, declaration.of)
    return { state: 'known', value, confidence: state.confidence, weakest: name }
  }
  return state.state === 'none' ? { ...state, weakest: name } : state
}
