import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { HitPolicy } from '../../src/domain/decision-table.ts'
import { tableFaults, tablePack } from '../support/table-builders.ts'

const readme = readFileSync('rules/README.md', 'utf8')
const table = /```yaml\n(table: [\s\S]*?)```/.exec(readme)?.[1] ?? ''
const fact = /```yaml\nderived:\n {2}(.*table: tables\/.*)\n```/.exec(readme)?.[1] ?? ''

describe('tables in rules/README.md', () => {
  it('the example loads, and its tests pass', () => {
    const set = tablePack({ 'risk-points.yaml': table }, fact)
    assert.equal(set.content.tables?.['tables/risk-points.yaml']?.rows.length, 4)
  })

  it('with the bound moved, the message is the one shown', () => {
    const moved = table.replace("'>= 0.45'", "'> 0.45'")
    assert.notEqual(moved, table)
    const shown = /^ +(tables\/risk-points.yaml:\S+ no row .*)$/m.exec(readme)?.[1]
    assert.equal(tableFaults({ 'risk-points.yaml': moved }, fact)[0], shown)
  })

  it('every hit policy is explained', () => {
    for (const policy of HitPolicy.options) {
      assert.match(readme, new RegExp(`^\\|[^|]*\`${policy}\`[^|]*\\|`, 'm'))
    }
  })
})
