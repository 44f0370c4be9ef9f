import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { FactValue } from '../../src/domain/fact.ts'
import { Failure } from '../../src/errors.ts'
import { parsePack } from '../../src/rules/parse-pack.ts'
import { factsWith, packFiles, ruleWith } from '../support/pack-builders.ts'

const rows = tableRows(readFileSync('rules/README.md', 'utf8'), '| written |')
const [header = [], ...cells] = rows
const values = cells.map(([written = '']) => written.replaceAll('`', ''))

function tableRows(text: string, start: string): string[][] {
  const lines = text.slice(text.indexOf(start)).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines
    .slice(0, end)
    .filter((line) => !line.startsWith('| ---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

/** What a value means in a rule beside a fact of the type: the value kept, or everything found wrong. */
function meaningOf(type: string, written: string): FactValue | string {
  const listed = values.map((value) => `'${value}': []`).join(', ')
  const more = type === 'enum' ? `, values: {${listed}}` : ''
  const facts = factsWith({ facts: `probe: {type: ${type}, en: Probe, zh: 试${more}}` })
  const operator = type === 'list' ? 'contains' : 'equal'
  const rule = ruleWith({ when: `{fact: probe, operator: ${operator}, value: ${written}}` })
  try {
    const { content } = parsePack(
      packFiles({ 't.yaml': rule, 'us-08a.yaml': undefined, 'facts.yaml': facts }),
    )
    const when = content.rules[0]?.when
    assert.ok(when !== undefined && 'value' in when)
    return `kept ${JSON.stringify(when.value)}`
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause))
    assert.match(cause.faults[0]?.at ?? '', /^t\.yaml:5:\d+$/)
    return cause.message
  }
}

describe('what a value means', () => {
  it('is told of every fact type and of ten spellings', () => {
    const types = header.slice(1).flatMap((cell) => cell.split(', '))
    assert.deepEqual(types.sort(), [
      'boolean',
      'date',
      'duration',
      'enum',
      'instant',
      'integer',
      'list',
      'money',
      'number',
      'object',
      'ratio',
      'text',
    ])
    assert.equal(values.length, 10)
  })

  for (const [written = '', ...meanings] of cells) {
    it(`${written} beside each type is as the table says`, () => {
      assert.equal(meanings.length, header.length - 1)
      for (const [column, cell] of meanings.entries()) {
        for (const type of (header[column + 1] ?? '').split(', ')) {
          const meaning = meaningOf(type, written.replaceAll('`', ''))
          const value = /^`(.+)`$/.exec(cell)?.[1]
          if (value === undefined) assert.ok(String(meaning).includes(cell), `${type}: ${meaning}`)
          else assert.equal(meaning, `kept ${JSON.stringify(value)}`, type)
        }
      }
    })
  }
})
