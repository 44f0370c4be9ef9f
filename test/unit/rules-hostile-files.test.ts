import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { factsWith, packFiles, ruleWith } from '../support/pack-builders.ts'

function why(text: string, facts?: string): string {
  const files = packFiles({ 't.yaml': text, ...(facts === undefined ? {} : { 'facts.yaml': facts }) })
  try {
    parsePack(files)
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause))
    assert.ok(cause.faults.length < 20, `${cause.faults.length} faults`)
    return cause.message
  }
  assert.fail('the pack loaded')
}

const bomb = () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 20; level += 1) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    )
  }
  return lines.join('\n')
}

describe('hostile rule files', () => {
  it('that multiply by aliases or contain themselves are refused', () => {
    assert.match(why(bomb()), /t\.yaml:\d+:\d+: more than 200000 values/)
    assert.match(why('when: &a [*a]'), /stands for nothing above, or for itself/)
    assert.match(why('when: *a'), /t\.yaml:1:7: .*(alias|`\*a`)/)
  })

  it('that nest without end are refused before anything recursive sees them', () => {
    assert.match(why('['.repeat(5000)), /nested deeper than 64/)
    assert.match(why('['.repeat(500_000)), /nested deeper than 64/)
    assert.match(why('{a: '.repeat(5000)), /nested deeper than 64/)
    assert.match(why('- '.repeat(5000)), /nested deeper than 64/)
    assert.match(why('? '.repeat(5000)), /nested deeper than 64/)
    const all = `${'{all: ['.repeat(3000)}{fact: score, operator: isNone}${']}'.repeat(3000)}`
    assert.match(why(ruleWith({ when: all })), /nested deeper than 64/)
  })

  it('that reach for prototypes, tags, merge keys or directives are refused', () => {
    assert.match(why('__proto__: {polluted: true}'), /`__proto__` is reserved/)
    assert.match(why('{constructor: {prototype: {x: 1}}}'), /`constructor` is reserved/)
    assert.match(why('when: !!js/function "x"'), /the tag/)
    assert.match(why('when: !!binary aGk='), /the tag|not valid YAML/)
    assert.match(why('<<: {a: 1}'), /merge keys/)
    assert.match(why('%YAML 1.1\n---\na: 1'), /directive/)
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  it('that are too large, cut off, empty or binary are refused', () => {
    assert.match(why(`# ${'x'.repeat(1_100_000)}`), /larger than 1 MB/)
    assert.match(why('rule_id: "US'), /t\.yaml:\d+:\d+: not valid YAML/)
    assert.match(why('# nothing'), /holds no rule/)
    assert.match(why('a: \u0007'), /control character/)
    assert.match(why('"\\ud800": 1'), /surrogate/)
    assert.match(why('just a text'), /expected a rule/)
    assert.match(why('? [a, b]\n: c'), /expected a name before the `:`/)
  })

  it('that hold thousands of keys or rules are read in time linear in their size', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n')
    assert.throws(() => parsePack(packFiles({ 't.yaml': keys })), Failure)
    const chain = Array.from(
      { length: 3000 },
      (_, index) => `c${index}: {type: number, en: C, zh: 甲, expression: c${(index + 1) % 3000} + 1}`,
    ).join('\n')
    assert.match(why(ruleWith({}), factsWith({ derived: chain })), /goes round in a circle/)
  })
})
