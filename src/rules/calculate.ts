import { Decimal } from '../domain/decimal.ts'
import type { Operand } from './computed.ts'

/** One step of decimal arithmetic; throws a sentence where there is no result. */
export function calculate(operator: string, left: Decimal, right: Decimal): Decimal {
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
      return powerOf(left, right)
    default:
      throw new TypeError(`no operator ${operator}`)
  }
}

function powerOf(base: Decimal, exponent: Decimal): Decimal {
  const result = base.pow(exponent)
  // Far below what decimals hold, the library gives zero.
  if (result.isZero() && !base.isZero()) throw new Error(tooSmall)
  return inRange(result)
}

const tooSmall = 'the result is smaller than 1e-34'
const largest = new Decimal('1e34')
const smallest = new Decimal('1e-34')

// Invariant: what leaves here can be written and read back as a fact's value.
function inRange(value: Decimal): Decimal {
  if (!value.isFinite() || value.abs().greaterThan(largest)) throw new Error('the result is larger than 1e34')
  if (!value.isZero() && value.abs().lessThan(smallest)) throw new Error(tooSmall)
  return value
}

/** The decimal that an operand must be. */
export function decimal(value: Operand | undefined): Decimal {
  if (value instanceof Decimal) return value
  throw new TypeError('a number expected')
}
