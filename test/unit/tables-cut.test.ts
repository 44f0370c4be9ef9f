import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCut } from '../../src/rules/find-cut.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { PackFile } from '../../src/rules/parse-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { tablePackFiles } from '../support/table-builders.ts'

const sheet = `age,output
-,10
< 18,20
>= 65,30
`
const table = `table: t
description: x
inputs: [age]
output: {type: integer}
hit_policy: collect
tests: [{name: a, given: {age: 30}, expect: [10]}]
rows:
  - ['-', 10]
  - ['< 18', 20]
  - ['>= 65', 30]
`
const fact = 'made: {type: list, en: M, zh: 所得, table: tables/t.yaml}'

function loaded(files: readonly PackFile[]): RuleSet | undefined {
  try {
    return loadPack(files)
  } catch {
    return undefined
  }
}

describe('a table cut at any byte', () => {
  const cases = [
    ['t.yaml', { 't.yaml': table }],
    ['t.csv', { 't.yaml': table.replace(/rows:.*/s, 'csv: t.csv\n'), 't.csv': sheet }],
  ] as const
  for (const [name, files] of cases) {
    it(`never serves with fewer rows: ${name}`, () => {
      const whole = tablePackFiles(files, fact)
      const before = loadPack(whole)
      const texts = new Map(whole.map((file) => [file.path, file.text]))
      const path = `tables/${name}`
      const text = texts.get(path) ?? ''
      let quietlyShort = 0
      for (let length = 0; length < text.length; length += 1) {
        const cut = whole.map((file) => (file.path === path ? { path, text: text.slice(0, length) } : file))
        const after = loaded(cut)
        if (after === undefined || after.hash === before.hash) continue
        quietlyShort += 1
        assert.deepEqual(
          findCut(before, texts, after, cut).map((fault) => fault.at),
          [path],
          `cut at ${length}`,
        )
      }
      assert.ok(quietlyShort > 0, 'some cuts would have loaded')
    })
  }
})
