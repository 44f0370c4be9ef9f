import { Decimal, readDecimal, writeDecimal } from '../domain/decimal.ts'
import type { FactType } from '../domain/fact.ts'
import { dateInZone, readInstant } from '../domain/time.ts'
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
import type { Expression, FunctionName } from './expression.ts'

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

function calculate(operator: string, left: Decimal, right: Decimal): Decimal {
  switch (operator) {
    case '+':
      return inRange(left.plus(right))
    case '-':
      return inRange(left.minus(right))
    case '*':
      return inRange(left.times(right))
    case '/':
      if (right.isZero()) throw new Error('division by zero')
      return inRange(left.dividedBy(right))
    case '^':
      if (left.isZero() && right.isNegative() && !right.isZero())
        throw new Error('zero has no negative power')
      if (left.isNegative() && !left.isZero() && !right.isInteger()) {
        throw new Error('a negative number has no power that is not whole')
      }
      return inRange(left.pow(right))
    default:
      throw new TypeError(`no operator ${operator}`)
  }
}

const largest = new Decimal('1e34')
const smallest = new Decimal('1e-34')

// Invariant: what leaves here can be written and read back as a fact's value.
function inRange(value: Decimal): Decimal {
  if (!value.isFinite() || value.abs().greaterThan(largest)) throw new Error('the result is larger than 1e34')
  if (!value.isZero() && value.abs().lessThan(smallest)) throw new Error('the result is smaller than 1e-34')
  return value
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

function callOn(name: FunctionName, values: readonly Operand[], zone: string): Operand {
  const [first, second] = values
  if (first === undefined) throw new TypeError('no argument')
  const elements = Array.isArray(first) ? (first as readonly Operand[]) : values
  switch (name) {
    case 'sum':
      return elements.map(decimal).reduce((sum, each) => inRange(sum.plus(each)), new Decimal(0))
    case 'count':
      return new Decimal(elements.length)
    case 'min':
    case 'max':
      return outermost(name, elements)
    case 'abs':
      return decimal(first).abs()
    case 'floor':
      return decimal(first).floor()
    case 'ceil':
      return decimal(first).ceil()
    case 'round':
      // Half away from zero, as amounts are rounded by hand.
      return decimal(first).toDecimalPlaces(
        second === undefined ? 0 : decimal(second).toNumber(),
        Decimal.ROUND_HALF_UP,
      )
    case 'days':
      return new Decimal(dayNumber(dayOf(second, zone)) - dayNumber(dayOf(first, zone)))
    case 'months':
      return new Decimal(wholeMonths(dayOf(first, zone), dayOf(second, zone)))
    case 'years':
      return new Decimal(Math.trunc(wholeMonths(dayOf(first, zone), dayOf(second, zone)) / 12))
    default:
      throw new TypeError(`no function ${name}`)
  }
}

function outermost(name: 'min' | 'max', elements: readonly Operand[]): Operand {
  const [first] = elements
  if (first === undefined) throw new Error(`an empty list has no ${name}`)
  const sign = name === 'min' ? 1 : -1
  return elements.reduce((best, each) => (compareOperands(each, best) * sign < 0 ? each : best), first)
}

function dayOf(value: Operand | undefined, zone: string): string {
  if (typeof value !== 'string') throw new TypeError('a day expected')
  const atMs = readInstant(value)
  return atMs === undefined ? value : dateInZone(atMs, zone)
}

function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000)
}

/**
 * Months completed from one day to another: one is complete on the day of the month on which it began, and where
 * that month has no such day, on the first of the next. Negative the other way round.
 */
function wholeMonths(from: string, to: string): number {
  if (to < from) return 0 - wholeMonths(to, from)
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0, toDay = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + (toMonth - fromMonth) - (toDay < fromDay ? 1 : 0)
}

function decimal(value: Operand | undefined): Decimal {
  if (value instanceof Decimal) return value
  throw new TypeError('a number expected')
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
