import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { canonicalJson, checkJson, commitment, commitmentOfText, sha256 } from '../../src/audit/canonical.ts'
import { Failure } from '../../src/errors.ts'

it('canonical JSON follows RFC 8785: fields by code unit, shortest numbers, plain escapes', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 5e-324],
    string: '€$\u000f\nA\'B"\\"/',
    literals: [null, true, false],
  }
  assert.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,5e-324],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\"/"}',
  )
  const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  assert.deepEqual(Object.values(JSON.parse(canonicalJson(Object.entries(keys)))).length, 7)
  assert.equal(
    canonicalJson(keys),
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  )
})

it('what JSON cannot hold is refused, wherever it hides', () => {
  const circle: unknown[] = []
  circle.push(circle)
  const unsayable: unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10n,
    Symbol('s'),
    () => 1,
    new Date(0),
    new Map(),
    new Array(1),
    circle,
  ]
  for (const value of unsayable) {
    assert.throws(() => canonicalJson(value), TypeError)
    assert.throws(() => canonicalJson({ a: [{ b: value }] }), TypeError)
    assert.throws(() => checkJson({ a: [{ b: value }] }), TypeError)
  }
})

it('half a surrogate pair is a fault of the request, with its place', () => {
  for (const value of [{ a: ['x', '\ud800'] }, { a: ['x', 'y\udc00z'] }]) {
    for (const refuse of [canonicalJson, checkJson]) {
      assert.throws(
        () => refuse(value),
        (error) =>
          error instanceof Failure && error.code === 'REQUEST_INVALID' && error.faults[0]?.at === '/a/1',
      )
    }
  }
  assert.throws(() => canonicalJson({ '\udc00': 1 }), Failure)
  assert.throws(() => checkJson({ '\udc00': 1 }), Failure)
})

it('one value that stands in two places is no circle', () => {
  const shared = { a: 1 }
  assert.equal(canonicalJson([shared, shared]), '[{"a":1},{"a":1}]')
})

it('a key named __proto__ is a key like any other', () => {
  assert.equal(canonicalJson(JSON.parse('{"__proto__":{"a":1},"b":2}')), '{"__proto__":{"a":1},"b":2}')
})

it('sha256 of a text is that of its UTF-8 bytes', () => {
  const empty = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  assert.equal(sha256(''), empty)
  assert.equal(sha256('贷款'), sha256(Buffer.from('贷款', 'utf8')))
})

it('a commitment is SHA-256 over 32 salt bytes and the canonical JSON', () => {
  const salt = '0f'.repeat(32)
  const bytes = Buffer.concat([Buffer.alloc(32, 0x0f), Buffer.from('{"a":"贷","b":1}')])
  const expected = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  assert.equal(commitment(salt, { b: 1, a: '贷' }), expected)
  assert.equal(commitmentOfText(salt, '{"a":"贷","b":1}'), expected)
  for (const wrong of ['', 'ab', '0F'.repeat(32), '0f'.repeat(33), 'zz'.repeat(32)]) {
    assert.throws(() => commitment(wrong, 1), TypeError)
  }
})
