import type { ConditionLeaf } from '../domain/rule.ts'
import { type Computed, certain, mergeNames, toFactValue, weakestOf } from './computed.ts'
import type { ElementLeaf } from './judge-elements.ts'
import { type JudgeContext, type Judgement, leafOf, noneThere, openLeaf } from './judgement.ts'
import { comparisons, isFactOperand, literal, methodTests, stateTests } from './operators.ts'

type Leaf = Exclude<ConditionLeaf, ElementLeaf>
type Comparison = Exclude<Extract<Leaf, { value: unknown }>, { operator: 'verified_by' }>
type StateLeaf = Exclude<Leaf, { value: unknown }>
type MethodLeaf = Extract<Leaf, { operator: 'verified_by' }>

/** Judges a comparison, a question for a fact's state, or one for how its reading was made. */
export function judgeLeaf(leaf: Leaf, context: JudgeContext): Judgement {
  if (leaf.operator === 'verified_by') return judgeMethod(leaf, context)
  return 'value' in leaf ? judgeComparison(leaf, context) : judgeState(leaf, context)
}

function judgeState({ fact, operator }: StateLeaf, context: JudgeContext): Judgement {
  const state = context.read(fact)
  const leaf = {
    kind: 'state' as const,
    fact,
    operator,
    actual: actualOf(state),
    required: null,
    requiredFact: null,
    margin: null,
  }
  const isOpen = state.state === 'unknown' || state.state === 'error'
  const result = stateTests[operator].judge(state.state)
  if (isOpen && result !== 'true') return openLeaf(state, leaf)
  // Whether something is unknown is never in doubt.
  const trust = isOpen || operator === 'isUnknown' ? certain : state
  const why = isOpen ? state.why : state.state === 'none' && operator !== 'isUnknown' ? noneThere : null
  return leafOf(result, trust, [], { ...leaf, why })
}

/** A weak reading is unknown here already, so a known one has the policy's `min_confidence`. */
function judgeMethod({ fact, operator, value }: MethodLeaf, context: JudgeContext): Judgement {
  const state = context.read(fact)
  const leaf = {
    kind: 'comparison' as const,
    fact,
    operator,
    actual: actualOf(state),
    required: value,
    requiredFact: null,
    margin: null,
  }
  if (state.state === 'unknown' || state.state === 'error') return openLeaf(state, leaf)
  if (state.state === 'none') return leafOf('none', state, [], { ...leaf, why: noneThere })
  const { method } = state
  const why = method === null || method === undefined ? 'read by no stated method' : `read by ${method}`
  return leafOf(methodTests[operator].holds(method, value) ? 'true' : 'false', state, [], { ...leaf, why })
}

function judgeComparison({ fact, operator, value }: Comparison, context: JudgeContext): Judgement {
  const declaration = context.declared.get(fact)?.declaration
  if (declaration === undefined) throw new TypeError(`there is no fact \`${fact}\``)
  const left = context.read(fact)
  const right: Computed = isFactOperand(value)
    ? context.read(value.fact)
    : { state: 'known', value: literal(operator, declaration.type, declaration.of, value), ...certain }
  const leaf = {
    kind: 'comparison' as const,
    fact,
    operator,
    actual: actualOf(left),
    required: actualOf(right),
    requiredFact: isFactOperand(value) ? value.fact : null,
    margin: null,
  }
  const sides = [left, right]
  const error = sides.find((side) => side.state === 'error')
  if (error !== undefined) return openLeaf(error, leaf)
  const unknown = sides.filter((side) => side.state === 'unknown')
  if (unknown.length > 0) {
    const missing = mergeNames(unknown.map((side) => side.missing))
    const why = mergeNames([unknown.map((side) => side.why)]).join('; ')
    return openLeaf({ state: 'unknown', missing, why }, leaf)
  }
  if (left.state !== 'known' || right.state !== 'known') {
    const nones = sides.filter((side) => side.state === 'none')
    return leafOf('none', weakestOf(nones), [], { ...leaf, why: noneThere })
  }
  const { holds, margin } = comparisons[operator]
  return leafOf(holds(left.value, right.value) ? 'true' : 'false', weakestOf([left, right]), [], {
    ...leaf,
    margin: margin(left.value, right.value),
    why: null,
  })
}

function actualOf(state: Computed) {
  return state.state === 'known' ? toFactValue(state.value) : null
}
