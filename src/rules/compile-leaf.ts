import type { FactType } from '../domain/fact.ts'
import type { ConditionLeaf, Operand as RuleOperand } from '../domain/rule.ts'
import type { CompiledCondition, Open, Result, Scene } from './compiled-condition.ts'
import { type Computed, certain, type Operand, type Trust, weakestOf } from './computed.ts'
import { orderNumber } from './frame.ts'
import { judgeCondition } from './judge-condition.ts'
import {
  areComparable,
  type ComparisonLeaf,
  isComparison,
  isSound,
  type LeafContext,
  readyLiteral,
  slotOf,
} from './leaf-soundness.ts'
import { comparisons, isFactOperand, stateTests } from './operators.ts'

type StateLeaf = Extract<ConditionLeaf, { operator: keyof typeof stateTests }>

/**
 * Makes a leaf ready. `undefined` where it might break on some values, as checked rules never do: such a rule is left
 * to the plain judge, so that a failure is never hidden by a part that decides without it.
 */
export function compileLeaf(
  leaf: ConditionLeaf,
  negated: boolean,
  context: LeafContext,
): CompiledCondition | undefined {
  if (isComparison(leaf)) return compileComparison(leaf, context)
  if (isStateTest(leaf)) return compileStateTest(leaf, context)
  return isSound(leaf, context, undefined) ? leaveToJudge(leaf, negated, context) : undefined
}

function isStateTest(leaf: ConditionLeaf): leaf is StateLeaf {
  return Object.hasOwn(stateTests, leaf.operator)
}

function compileComparison(leaf: ComparisonLeaf, context: LeafContext): CompiledCondition | undefined {
  const slot = slotOf(leaf.fact, context)
  const type = context.declared.get(leaf.fact)?.declaration.type
  if (slot === undefined || type === undefined) return undefined
  if (isFactOperand(leaf.value)) return compareFacts(leaf, leaf.value, slot, context)
  const right = readyLiteral(leaf, context)
  if (right === undefined) return undefined
  const { holds } = comparisons[leaf.operator]
  const exact = ({ frame }: Scene): Result => {
    const left = frame.at(slot)
    if (left.state !== 'known') return left.state
    return holds(left.value, right) ? 'true' : 'false'
  }
  return {
    test: quickTest(leaf, type, slot, right, exact) ?? exact,
    trust: ({ frame }) => trustIn(frame.at(slot)),
    explain: ({ frame }, open) => explainLeaf(leaf.fact, [frame.at(slot)], open),
  }
}

/** By doubles where they decide, by identity for texts and booleans; `undefined` where neither does. */
function quickTest(
  { operator }: ComparisonLeaf,
  type: FactType,
  slot: number,
  right: Operand,
  exact: (scene: Scene) => Result,
): ((scene: Scene) => Result) | undefined {
  const bound = orderNumber(type, right)
  const byNumber = (below: Result, above: Result) => (scene: Scene) => {
    const number = scene.frame.numbers[slot] as number
    return number < bound ? below : number > bound ? above : exact(scene)
  }
  switch (operator) {
    case 'lessThan':
    case 'lessThanInclusive':
      return byNumber('true', 'false')
    case 'greaterThan':
    case 'greaterThanInclusive':
      return byNumber('false', 'true')
    case 'equal':
      return typeof right === 'string' || typeof right === 'boolean' ? undefined : byNumber('false', 'false')
    case 'notEqual':
      return typeof right === 'string' || typeof right === 'boolean' ? undefined : byNumber('true', 'true')
    case 'between':
      return withinNumbers(right, type, slot, exact)
    default:
      return undefined
  }
}

function withinNumbers(
  range: Operand,
  type: FactType,
  slot: number,
  exact: (scene: Scene) => Result,
): ((scene: Scene) => Result) | undefined {
  const [low = Number.NaN, high = Number.NaN] = (range as readonly Operand[]).map((end) =>
    orderNumber(type, end),
  )
  return (scene) => {
    const number = scene.frame.numbers[slot] as number
    if (number < low || number > high) return 'false'
    return number > low && number < high ? 'true' : exact(scene)
  }
}

function compareFacts(
  leaf: ComparisonLeaf,
  operand: Extract<RuleOperand, { fact: string }>,
  slot: number,
  context: LeafContext,
): CompiledCondition | undefined {
  const { holds } = comparisons[leaf.operator]
  const other = slotOf(operand.fact, context)
  if (other === undefined || !areComparable(leaf, operand, context)) return undefined
  return {
    test: ({ frame }) => {
      const left = frame.at(slot)
      const right = frame.at(other)
      if (left.state === 'known' && right.state === 'known')
        return holds(left.value, right.value) ? 'true' : 'false'
      if (left.state === 'error' || right.state === 'error') return 'error'
      return left.state === 'unknown' || right.state === 'unknown' ? 'unknown' : 'none'
    },
    trust: ({ frame }, result) => {
      const sides = [frame.at(slot), frame.at(other)]
      const deciding = result === 'none' ? sides.filter((side) => side.state === 'none') : sides
      return weakestOf(deciding.map(trustIn))
    },
    explain: ({ frame }, open) => explainLeaf(leaf.fact, [frame.at(slot), frame.at(other)], open),
  }
}

function compileStateTest(leaf: StateLeaf, context: LeafContext): CompiledCondition | undefined {
  const slot = slotOf(leaf.fact, context)
  if (slot === undefined) return undefined
  const { judge } = stateTests[leaf.operator]
  const isCertain = leaf.operator === 'isUnknown'
  return {
    test: ({ frame }) => judge(frame.at(slot).state),
    trust: ({ frame }) => (isCertain ? certain : trustIn(frame.at(slot))),
    explain: ({ frame }, open) => {
      if (!isCertain) explainLeaf(leaf.fact, [frame.at(slot)], open)
    },
  }
}

/** A leaf judged plainly each time it is looked at. */
function leaveToJudge(leaf: ConditionLeaf, negated: boolean, { declared }: LeafContext): CompiledCondition {
  const judge = ({ read }: Scene) => judgeCondition(leaf, { declared, read }, negated)
  return {
    test: (scene) => judge(scene).result,
    trust: (scene) => judge(scene).trust,
    explain: (scene, open) => {
      const { missing, errors } = judge(scene)
      for (const name of missing) open.missing.add(name)
      for (const error of errors) open.errors.add(error)
    },
  }
}

/** How far a state is to be trusted that made a result other than unknown and error. */
function trustIn(state: Computed): Trust {
  return state.state === 'known' || state.state === 'none' ? state : certain
}

function explainLeaf(fact: string, sides: readonly Computed[], open: Open): void {
  const error = sides.find((side) => side.state === 'error')
  if (error?.state === 'error') open.errors.add(`${fact}: ${error.why}`)
  if (error !== undefined) return
  for (const side of sides) {
    if (side.state === 'unknown') for (const name of side.missing) open.missing.add(name)
  }
}
