import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nestingMax, readJson } from '../../src/decision/read-json.ts'
import { JsonNumber } from '../../src/domain/request.ts'
import { Failure } from '../../src/errors.ts'
import { randomCases } from '../support/cases.ts'

function whyNot(text: string): string {
  try {
    readJson(text)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, 'BODY_NOT_JSON')
    return error.message
  }
  return 'read'
}

describe('reading JSON', () => {
  it('keeps every number as it was written', () => {
    const read = readJson('{"a": 0.10, "b": [9007199254740993, 1e400, -0]}')
    assert.deepEqual(read, {
      a: new JsonNumber('0.10'),
      b: [new JsonNumber('9007199254740993'), new JsonNumber('1e400'), new JsonNumber('-0')],
    })
  })

  it('refuses a key that stands twice, with the same value or however it is escaped', () => {
    assert.equal(whyNot('{"a": 1, "a": 1}'), 'line 1, column 10: the key `a` stands twice in one object')
    assert.match(whyNot('{"a": 1,\n "\\u0061": 2}'), /^line 2, column 2: the key `a` stands twice/)
    assert.match(whyNot('[{"b": {"a": 1}, "a": [{"a": 2}], "b": 1}]'), /`b` stands twice/)
    assert.equal(whyNot('[{"a": "a", "b": {"a": 1}}, {"a": [1, "a", "a"]}]'), 'read')
  })

  it('says where text stops being JSON', () => {
    assert.match(whyNot('{"a": 1,\n  "b": tru}'), /^line 2, column 8: /)
    assert.match(whyNot('{"a": 1} {'), /^line 1, column 10: /)
    assert.match(whyNot(''), /^line 1, column 1: /)
    for (const text of [
      '{"a": NaN}',
      '{a: 1}',
      "{'a': 1}",
      '[1,]',
      '{"a": .5}',
      '01',
      '"\t"',
      '// x\n1',
      '+1',
    ]) {
      assert.notEqual(whyNot(text), 'read', text)
    }
  })

  it('refuses nesting beyond the limit without recursing into it', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    assert.equal(whyNot(nested(nestingMax)), 'read')
    assert.match(whyNot(nested(nestingMax + 1)), /nested deeper than 64 levels/)
    assert.match(whyNot('{"a":'.repeat(200_000)), /nested deeper than 64 levels/)
    assert.equal(whyNot(`"${'['.repeat(1000)}"`), 'read')
  })

  it('refuses `__proto__` and half surrogate pairs, so nothing is dropped or changed in silence', () => {
    assert.match(whyNot('{"__proto__": {"admin": true}}'), /the key `__proto__` is not taken/)
    assert.match(whyNot('{"a": {"__pr\\u006fto__": 1}}'), /the key `__proto__` is not taken/)
    assert.match(whyNot('{"a": "\\ud800"}'), /half of a surrogate pair/)
    assert.match(whyNot('{"\\udc00": 1}'), /half of a surrogate pair/)
    assert.equal(whyNot('{"a": "\\ud83d\\ude00 __proto__", "constructor": 1}'), 'read')
  })

  it('reads all that the language reads, with the same meaning', () => {
    const { numRuns, seed } = randomCases('reading JSON', 20_000)
    const toPlain = (value: unknown): unknown => {
      if (value instanceof JsonNumber) return Number(value.text)
      if (Array.isArray(value)) return value.map(toPlain)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toPlain(field)]))
    }
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const value = JSON.parse(text)
        if (/__proto__/.test(text) || /\\u[dD][89a-fA-F]/.test(text)) return
        assert.deepEqual(toPlain(readJson(text)), JSON.parse(JSON.stringify(value)))
      }),
      { numRuns, seed },
    )
  })

  it('reads or refuses any text, and never anything else', () => {
    const { numRuns, seed } = randomCases('any text', 20_000)
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      '1',
      'null',
      ' ',
      '\n',
      '\\u',
      '-',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        const why = whyNot(text)
        if (!valid) assert.notEqual(why, 'read', text)
        else if (why !== 'read') assert.match(why, /stands twice|surrogate/, text)
      }),
      { numRuns, seed },
    )
  })
})
