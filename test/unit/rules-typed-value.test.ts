import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JsonNumber, type RawValue } from '../../src/domain/request.ts'
import { typeValue, type ValueType } from '../../src/rules/typed-value.ts'

const n = (text: string) => new JsonNumber(text)
const zone = 'America/New_York'

function value(declaration: ValueType, raw: RawValue): unknown {
  const typed = typeValue(declaration, raw, zone)
  assert.ok('value' in typed, JSON.stringify(typed))
  return typed.value
}

function why(declaration: ValueType, raw: RawValue): string {
  const typed = typeValue(declaration, raw, zone)
  assert.ok('why' in typed, JSON.stringify(typed))
  return typed.why
}

describe('typing a raw value', () => {
  it('writes every decimal in its one form, exactly', () => {
    assert.equal(value({ type: 'money' }, n('1200.50')), '1200.5')
    assert.equal(value({ type: 'ratio' }, n('4.5e-1')), '0.45')
    assert.equal(
      value({ type: 'number' }, '0.1000000000000000000000000000000001'),
      '0.1000000000000000000000000000000001',
    )
    assert.equal(value({ type: 'integer' }, n('9007199254740993')), '9007199254740993')
    assert.equal(value({ type: 'integer' }, n('1e3')), '1000')
    assert.equal(value({ type: 'number' }, n('-0')), '0')
  })

  it('names what is wrong with a number', () => {
    assert.match(why({ type: 'integer' }, n('1.5')), /whole number; got `1.5`/)
    assert.match(why({ type: 'money' }, 'NaN'), /`NaN` is no such number/)
    assert.match(why({ type: 'money' }, 'Infinity'), /`Infinity` is no such number/)
    assert.match(why({ type: 'money' }, n('1e400')), /at most 34 digits between 1e-34 and 1e34; got `1e400`/)
    assert.match(why({ type: 'money' }, '1,200'), /`1,200` is no such number/)
    assert.match(why({ type: 'money' }, '0x10'), /no such number/)
    assert.match(why({ type: 'money' }, true), /expected an amount/)
    assert.match(why({ type: 'ratio', min: '0', max: '1' }, n('1.2')), /from `0` to `1`; got `1.2`/)
    assert.match(why({ type: 'money', min: '0' }, n('-1')), /`0` or more; got `-1`/)
  })

  it('takes an enumeration by value, then synonym, then without case and blanks', () => {
    const product: ValueType = {
      type: 'enum',
      values: { personal_loan: ['personal', '个人贷款'], mortgage: [] },
    }
    assert.equal(value(product, 'personal_loan'), 'personal_loan')
    assert.equal(value(product, '个人贷款'), 'personal_loan')
    assert.equal(value(product, '  Mortgage '), 'mortgage')
    assert.match(why(product, 'car'), /expected one of `mortgage`, `personal_loan`; got `car`/)
    assert.deepEqual(typeValue({ ...product, unlisted: 'unknown' }, 'car', zone), { unlisted: true })
    assert.match(why(product, 'constructor'), /expected one of/)
  })

  it('takes only days that exist, times with an offset, whole days', () => {
    assert.equal(value({ type: 'date' }, '2024-02-29'), '2024-02-29')
    assert.match(why({ type: 'date' }, '2026-02-29'), /existing day/)
    assert.match(why({ type: 'date' }, '2026-2-1'), /existing day/)
    assert.equal(value({ type: 'instant' }, '2026-06-01T10:03:00-04:00'), '2026-06-01T14:03:00.000Z')
    assert.equal(value({ type: 'instant' }, '2026-06-01'), '2026-06-01T04:00:00.000Z')
    assert.match(why({ type: 'instant' }, '2026-06-01T10:03:00'), /time with an offset/)
    assert.equal(value({ type: 'duration' }, 'P045D'), 'P45D')
    assert.equal(value({ type: 'duration' }, 'P0D'), 'P0D')
    assert.match(why({ type: 'duration' }, 'P1M'), /whole days/)
  })

  it('takes text whole: composed, not too long, without NUL', () => {
    assert.equal(value({ type: 'text' }, 'e\u0301'), '\u00e9')
    assert.match(why({ type: 'text' }, 'a\u0000b'), /NUL/)
    assert.match(why({ type: 'text' }, 'x'.repeat(10_001)), /at most 10000 characters/)
    assert.match(why({ type: 'text' }, '\ud800'), /surrogate/)
    assert.match(why({ type: 'text' }, n('5')), /expected a text; got the number `5`/)
    assert.match(why({ type: 'boolean' }, 'true'), /expected true or false/)
  })

  it('types each element of a list, and takes only plain fields of an object', () => {
    assert.deepEqual(value({ type: 'list', of: 'money' }, [n('1.10'), '2']), ['1.1', '2'])
    assert.match(why({ type: 'list', of: 'money' }, [n('1'), true]), /element 2: expected an amount/)
    assert.match(why({ type: 'list', of: 'text' }, ['a', null]), /element 2: .*got null/)
    assert.deepEqual(value({ type: 'object' }, { a: n('1.50'), b: { c: [true] } }), {
      a: '1.5',
      b: { c: [true] },
    })
    const polluted = JSON.parse('{"__proto__": {"admin": true}}') as RawValue
    assert.match(why({ type: 'object' }, polluted), /`__proto__` is reserved/)
    assert.match(why({ type: 'object' }, { a: null }), /leave the field out/)
    let deep: RawValue = 'x'
    for (let level = 0; level < 5000; level += 1) deep = [deep]
    assert.match(why({ type: 'object' }, { deep }), /nested deeper than 16/)
  })

  it('keeps null as none', () => {
    assert.equal(value({ type: 'date' }, null), null)
  })
})
