import { Decimal as DecimalJs } from 'decimal.js'
import { z } from 'zod'

/**
 * Decimal arithmetic with 34 significant digits (IEEE 754 decimal128's precision), half to even.
 * Amounts and ratios never pass through binary floating point.
 */
export const Decimal = DecimalJs.clone({
  precision: 34,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs

const digitsMax = 34
const magnitudeMax = 34
/** Most amounts are; they are the same read as a double. */
const smallWhole = /^\d{1,7}$/
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,4})?$/

/**
 * Reads a JSON number token (or the same as text) exactly; `undefined` when it is no plain number, has more
 * than 34 significant digits, or lies outside 1e-34 .. 1e34.
 */
export function readDecimal(text: string): Decimal | undefined {
  if (text.length > 80 || !plainNumber.test(text)) return undefined
  if (smallWhole.test(text)) return new Decimal(Number(text))
  const exact = new DecimalJs(text)
  if (exact.isZero()) return new Decimal(0)
  if (exact.precision() > digitsMax || Math.abs(exact.e) > magnitudeMax) return undefined
  return new Decimal(exact)
}

/** The one way a decimal is written: no exponent, no trailing zeros, no minus zero. */
export function writeDecimal(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed()
}

/** A decimal in its one written form, such as `0.45` or `-1200`. */
export const DecimalText = z
  .string()
  .refine((text) => {
    const value = readDecimal(text)
    return value !== undefined && writeDecimal(value) === text
  }, 'expected a decimal number in plain form, such as `0.45`')
  .meta({ description: 'Decimal number as text, plain form, no exponent and no trailing zeros.' })
