import assert from 'node:assert/strict'
import { it } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { randomCases } from '../support/cases.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'Z', '1', '"', '\\', '\n', '\u0000', '\u2028', 'ö', '贷', '😀', '_'),
})
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, -0, 1e21, 5e-324),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.nat(20).map(String)), tie('any'), { maxKeys: 5 }),
  ),
})).any

it('canonical JSON is what the package of the RFC’s author writes, and reads back as the value', () => {
  fc.assert(
    fc.property(value, (any) => {
      const written = canonicalJson(any)
      assert.equal(written, canonicalize(any))
      assert.equal(canonicalJson(JSON.parse(written)), written)
    }),
    randomCases('canonical JSON', 50_000),
  )
})
