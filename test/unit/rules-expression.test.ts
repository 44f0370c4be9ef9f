import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Decimal } from '../../src/domain/decimal.ts'
import { type Computed, toFactState } from '../../src/rules/computed.ts'
import { derive } from '../../src/rules/derive.ts'
import { ExpressionFault, parseExpression } from '../../src/rules/expression.ts'

const unknown: Computed = { state: 'unknown', why: 'not given', missing: ['gone'] }
const facts: Readonly<Record<string, Computed>> = {
  a: { state: 'known', value: new Decimal(6), confidence: 0.9, weakest: 'a' },
  b: { state: 'known', value: new Decimal(4), confidence: 0.8, weakest: 'b' },
  list: {
    state: 'known',
    value: [new Decimal(3), new Decimal(1), new Decimal(2)],
    confidence: 1,
    weakest: 'list',
  },
  empty: { state: 'known', value: [], confidence: 1, weakest: 'empty' },
  yes: { state: 'known', value: true, confidence: 0.95, weakest: 'yes' },
  no: { state: 'known', value: false, confidence: 0.85, weakest: 'no' },
  born: { state: 'known', value: '2000-02-29', confidence: 1, weakest: 'born' },
  night: { state: 'known', value: '2026-06-01T02:00:00.000Z', confidence: 1, weakest: 'night' },
  gone: unknown,
  absent: { state: 'none', confidence: 0.99, weakest: 'absent' },
}

function compute(text: string, type: 'number' | 'integer' | 'boolean' = 'number') {
  const read = (name: string) => facts[name] ?? unknown
  return toFactState(derive(parseExpression(text), type, { read, zone: 'America/New_York' }))
}

function resultOf(text: string): unknown {
  const state = compute(text)
  assert.ok(state.state === 'known', `${text}: ${JSON.stringify(state)}`)
  return state.value
}

function whyOf(text: string): string {
  const state = compute(text)
  assert.ok(state.state === 'error', `${text}: ${JSON.stringify(state)}`)
  return state.why
}

describe('expressions of derived facts', () => {
  it('reckon in decimals, never in binary fractions', () => {
    assert.equal(resultOf('0.1 + 0.2 == 0.3'), true)
    assert.equal(resultOf('9999.99 < 10000.00'), true)
    assert.equal(resultOf('1 / 3'), '0.3333333333333333333333333333333333')
    assert.equal(resultOf('1e3 + 1'), '1001')
  })

  it('bind as on paper', () => {
    assert.equal(resultOf('2 + 3 * 4'), '14')
    assert.equal(resultOf('2 ^ 3 ^ 2'), '512')
    assert.equal(resultOf('10 - 3 - 2'), '5')
    assert.equal(resultOf('-a * 2'), '-12')
    assert.equal(resultOf('2 ^ -1'), '0.5')
    assert.equal(resultOf('(-2) ^ 2'), '4')
    assert.equal(resultOf('not a < b and yes or no'), true)
    assert.equal(resultOf('a = 6'), true)
  })

  it('refuse a minus before a power, chains of comparisons, and what is none of the language', () => {
    const faultOf = (text: string): string => {
      try {
        parseExpression(text)
      } catch (cause) {
        assert.ok(cause instanceof ExpressionFault)
        return `${cause.at} ${cause.message}`
      }
      return 'none'
    }
    assert.match(faultOf('-2 ^ 2'), /^0 write `-\(a \^ b\)`/)
    assert.match(faultOf('2 ^ -2 ^ 2'), /^4 write/)
    assert.match(faultOf('1 < 2 < 3'), /^6 did not expect `<`/)
    assert.match(faultOf('a +'), /ends too early/)
    assert.match(faultOf('process.exit()'), /no function `process.exit`/)
    assert.match(faultOf('eval(a)'), /no function `eval`/)
    assert.match(faultOf('constructor(a)'), /no function `constructor`/)
    assert.match(faultOf("date('2026-02-30')"), /existing day/)
    assert.match(faultOf('min()'), /takes 1 to 50 arguments; got 0/)
    assert.match(faultOf('('.repeat(900)), /nested deeper than 40/)
    assert.match(faultOf('not '.repeat(400)), /nested deeper than 40/)
    assert.match(faultOf('1_000'), /did not expect `_`/)
  })

  it('know min, max, sum, count, abs and rounding half away from zero', () => {
    assert.equal(resultOf('min(a, b, 5)'), '4')
    assert.equal(resultOf('max(list) + sum(list) + count(list)'), '12')
    assert.equal(resultOf('sum(empty) + count(empty)'), '0')
    assert.match(whyOf('min(empty)'), /empty list has no min/)
    assert.equal(resultOf('round(2.5)'), '3')
    assert.equal(resultOf('round(-2.5)'), '-3')
    assert.equal(resultOf('round(1.005, 2)'), '1.01')
    assert.equal(resultOf('floor(-1.5) + ceil(1.2) + abs(-3)'), '3')
  })

  it('count days, and whole months and years completed', () => {
    assert.equal(resultOf("days(date('2026-03-01'), date('2026-03-31'))"), '30')
    assert.equal(resultOf("days(date('2026-03-31'), date('2026-03-01'))"), '-30')
    assert.equal(resultOf("months(date('2026-01-31'), date('2026-02-28'))"), '0')
    assert.equal(resultOf("months(date('2026-01-31'), date('2026-03-01'))"), '1')
    assert.equal(resultOf("years(born, date('2018-02-28'))"), '17')
    assert.equal(resultOf("years(born, date('2018-03-01'))"), '18')
    assert.equal(resultOf("years(date('2018-03-01'), born)"), '-18')
    // 02:00 UTC on 1 June is still 31 May in New York.
    assert.equal(resultOf("days(date('2026-05-31'), night)"), '0')
  })

  it('are unknown with an unknown operand, else none with a none; only ifNone chooses', () => {
    assert.deepEqual(compute('a + gone'), { state: 'unknown', why: 'not given', missing: ['gone'] })
    assert.equal(compute('absent + gone').state, 'unknown')
    assert.deepEqual(compute('a + absent'), { state: 'none', confidence: 0.9 })
    assert.deepEqual(compute('ifNone(absent, a)'), { state: 'known', value: '6', confidence: 0.9 })
    assert.deepEqual(compute('ifNone(a, gone)'), { state: 'known', value: '6', confidence: 0.9 })
    assert.equal(compute('ifNone(gone, a)').state, 'unknown')
    assert.equal(compute('gone == gone').state, 'unknown')
  })

  it('look only at the branch that `if` takes', () => {
    assert.equal(resultOf('if(yes, 1, 1 / 0)'), '1')
    assert.equal(resultOf('if(a > b, a, gone)'), '6')
    assert.equal(compute('if(gone == 1, a, b)').state, 'unknown')
    assert.equal(compute('if(absent == 1, a, b)').state, 'none')
  })

  it('let one operand decide `and` and `or` whatever the other is', () => {
    assert.equal(resultOf('no and gone == 1'), false)
    assert.equal(resultOf('yes or 1 / 0 == 1'), true)
    assert.equal(compute('yes and gone == 1').state, 'unknown')
    assert.equal(compute('yes and absent == 1').state, 'none')
    assert.equal(compute('(absent == 1) and (gone == 1)').state, 'unknown')
  })

  it('are as sure as the least sure input taken', () => {
    const sure = (text: string) => {
      const state = compute(text)
      return 'confidence' in state ? state.confidence : undefined
    }
    assert.equal(sure('a + b'), 0.8)
    assert.equal(sure('1 + 1'), 1)
    assert.equal(sure('if(yes, a, b)'), 0.9)
    assert.equal(sure('yes and no'), 0.85)
  })

  it('end in a sentence where there is no result', () => {
    assert.match(whyOf('a / (b - 4)'), /division by zero/)
    assert.match(whyOf('0 ^ -1'), /zero has no negative power/)
    assert.match(whyOf('(-4) ^ 0.5'), /negative number/)
    assert.match(whyOf('10 ^ 400'), /larger than 1e34/)
    assert.match(whyOf('10 ^ -400'), /smaller than 1e-34/)
    assert.match(whyOf('0.999999 ^ 1e30'), /smaller than 1e-34/)
    assert.match(whyOf('1e20 * 1e20'), /larger than 1e34/)
    assert.deepEqual(compute('a / b', 'integer'), {
      state: 'error',
      why: '1.5 is no whole number; use round, floor or ceil',
    })
  })
})
