import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md'),
  ...globSync('{rules,examples,bench}/**/*.md'),
]

it('every file that a page names exists', () => {
  const missing = pages.flatMap((page) => {
    const named = readFileSync(page, 'utf8').matchAll(
      /`((?:src|test|docs|rules|graph|examples|bench)\/[\w./-]+\.\w+)`/g,
    )
    return [...named].flatMap((match) => (existsSync(match[1] ?? '') ? [] : [`${page}: ${match[1]}`]))
  })
  assert.deepEqual(missing, [])
})
