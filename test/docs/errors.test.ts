import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { failures } from '../../src/errors.ts'

it('docs/errors.md lists exactly the codes of the catalogue, each with its status', () => {
  const page = readFileSync('docs/errors.md', 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map((match) => [
    match[1],
    Number(match[2]),
  ])
  assert.deepEqual(
    rows.sort(),
    Object.entries(failures)
      .map(([code, { status }]) => [code, status])
      .sort(),
  )
})
