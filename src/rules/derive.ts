import { Decimal, readDecimal, writeDecimal } from '../domain/decimal.ts'
import type { FactType } from '../domain/fact.ts'
import { calculate, decimal } from './calculate.ts'
import { callOn } from './call-function.ts'
import {
  areEqual,
  type Computed,
  certain,
  compareOperands,
  mergeNames,
  type Operand,
  strongestOf,
  type Trust,
  weakestOf,
} from './computed.ts'
import type { Expression, FunctionName } from './expression-tree.ts'

export interface DeriveContext {
  /** State of a fact that the expression reads. */
  readonly read: (name: string) => Computed
  /** Zone in which an instant's day is taken. */
  readonly zone: string
}

/**
 * Value of a derived fact. An unknown operand makes it unknown, else a none makes it none; only `ifNone` chooses.
 * `and` / `or` are decided by one false / true operand whatever the other is. Its confidence is the smallest of
 * the inputs that it took. What cannot be reckoned is an error with a sentence; it never throws.
 */
export function derive(expression: Expression, type: FactType, context: DeriveContext): Computed {
  const result = evaluate(expression, context)
  if (
    type === 'integer' &&
    result.state === 'known' &&
    result.value instanceof Decimal &&
    !result.value.isInteger()
  ) {
    return failed(`${writeDecimal(result.value)} is no whole number; use round, floor or ceil`)
  }
  return result
}

function evaluate(expression: Expression, context: DeriveContext): Computed {
  switch (expression.kind) {
    case 'number': {
      const value = readDecimal(expression.text)
      return value === undefined ? failed(`\`${expression.text}\` is no decimal`) : known(value, certain)
    }
    case 'text':
    case 'boolean':
    case 'date':
      return known(expression.value, certain)
    case 'fact':
      return context.read(expression.name)
    case 'minus':
      return apply([expression.operand], context, ([value]) => decimal(value).negated())
    case 'not':
      return apply([expression.operand], context, ([value]) => value !== true)
    case 'binary':
      return evaluateBinary(expression, context)
    case 'call':
      return evaluateCall(expression.name, expression.args, context)
  }
}

function evaluateBinary(part: Expression & { kind: 'binary' }, context: DeriveContext): Computed {
  const { operator } = part
  if (operator === 'and') return decideEither([part.left, part.right], false, context)
  if (operator === 'or') return decideEither([part.left, part.right], true, context)
  return apply([part.left, part.right], context, ([left, right]) => {
    if (left === undefined || right === undefined) throw new TypeError('two operands expected')
    switch (operator) {
      case '==':
        return areEqual(left, right)
      case '!=':
        return !areEqual(left, right)
      case '<':
        return compareOperands(left, right) < 0
      case '<=':
        return compareOperands(left, right) <= 0
      case '>':
        return compareOperands(left, right) > 0
      case '>=':
        return compareOperands(left, right) >= 0
      default:
        return calculate(operator, decimal(left), decimal(right))
    }
  })
}

/** `and` (decisive: false) and `or` (decisive: true) after Kleene. */
function decideEither(parts: readonly Expression[], decisive: boolean, context: DeriveContext): Computed {
  const results = parts.map((part) => evaluate(part, context))
  const deciding: Trust[] = []
  for (const result of results) {
    if (result.state === 'known' && result.value === decisive) deciding.push(result)
  }
  if (deciding.length > 0) return known(decisive, strongestOf(deciding))
  return missingOf(results) ?? known(!decisive, weakestOf(results as readonly Trust[]))
}

/** Error, else unknown, else none, of the operands; `undefined` when all are known. */
function missingOf(results: readonly Computed[]): Computed | undefined {
  const error = results.find((result) => result.state === 'error')
  if (error !== undefined) return error
  const unknown = results.filter((result) => result.state === 'unknown')
  const [first] = unknown
  if (first !== undefined) {
    const missing = mergeNames(unknown.map((result) => result.missing))
    const why = [...new Set(unknown.map((result) => result.why))].sort().join('; ')
    return { state: 'unknown', why, missing }
  }
  if (!results.some((result) => result.state === 'none')) return undefined
  return { state: 'none', ...trustOf(results as readonly Trust[]) }
}

function apply(
  parts: readonly Expression[],
  context: DeriveContext,
  compute: (values: readonly Operand[]) => Operand,
): Computed {
  const results = parts.map((part) => evaluate(part, context))
  const missing = missingOf(results)
  if (missing !== undefined) return missing
  const values: Operand[] = []
  for (const result of results) if (result.state === 'known') values.push(result.value)
  try {
    return known(compute(values), weakestOf(results as readonly Trust[]))
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message : String(cause))
  }
}

function evaluateCall(name: FunctionName, args: readonly Expression[], context: DeriveContext): Computed {
  const [first, second, third] = args
  if (first === undefined) return failed('no argument')
  if (name === 'if' && second !== undefined && third !== undefined)
    return choose(first, second, third, context)
  if (name === 'ifNone' && second !== undefined) return insteadOfNone(first, second, context)
  return apply(args, context, (values) => callOn(name, values, context.zone))
}

/** Only the branch taken is looked at. */
function choose(condition: Expression, yes: Expression, no: Expression, context: DeriveContext): Computed {
  const test = evaluate(condition, context)
  if (test.state !== 'known') return test
  return trustNoMoreThan(test, evaluate(test.value === true ? yes : no, context))
}

/** The first, or where there is none, the second. Unknown is not none: then nobody knows which. */
function insteadOfNone(first: Expression, second: Expression, context: DeriveContext): Computed {
  const value = evaluate(first, context)
  return value.state === 'none' ? trustNoMoreThan(value, evaluate(second, context)) : value
}

function trustNoMoreThan(trust: Trust, result: Computed): Computed {
  if (result.state !== 'known' && result.state !== 'none') return result
  return { ...result, ...trustOf([trust, result]) }
}

function known(value: Operand, trust: Trust): Computed {
  return { state: 'known', value, ...trustOf([trust]) }
}

function trustOf(list: readonly Trust[]): Trust {
  const { confidence, weakest } = weakestOf(list)
  return { confidence, weakest }
}

function failed(why: string): Computed {
  return { state: 'error', why }
}
