import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'
import { importMap, outsideFolders, outsideModules } from './support/import-map.ts'

interface Import {
  readonly from: string
  readonly to: string
}

const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
const texts = new Map(sources.map((path) => [path, readFileSync(path, 'utf8')]))
const imports = sources.flatMap((from) => importsOf(from))

it('every import follows the map', () => {
  const strays = imports
    .filter(({ to }) => to.startsWith('src/'))
    .filter(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)]
      return own !== other && !(importMap[own] ?? []).includes(other)
    })
  assert.deepEqual(strays, [])
})

it('every folder of src is on the map', () => {
  assert.deepEqual(
    [...new Set(sources.map(folderOf))].filter((folder) => importMap[folder] === undefined),
    [],
  )
})

it('no import cycle', () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' -> ')}`)
    if (done.has(file)) return
    for (const to of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
})

it('only the edge touches disk, network, clock and chance', () => {
  const strays = imports.filter(
    ({ from, to }) => outsideModules.test(to) && !outsideFolders.includes(folderOf(from)),
  )
  assert.deepEqual(strays, [])
  const inner = sources.filter((path) => !outsideFolders.includes(folderOf(path)))
  assert.deepEqual(holding(inner, /\b(Date\.now\(|new Date\(\)|Math\.random\(|process\.(env|argv|exit))/), [])
})

it('no order or text depends on a locale', () => {
  assert.deepEqual(holding(sources, /\.localeCompare\(|toLocaleString\(/), [])
})

function holding(paths: readonly string[], pattern: RegExp): readonly string[] {
  return paths.filter((path) => pattern.test(texts.get(path) ?? ''))
}

function importsOf(from: string): Import[] {
  const text = texts.get(from) ?? ''
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => {
    const target = match[1] ?? ''
    return { from, to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target }
  })
}

/** `src/graph/search.ts` -> `graph`; `src/errors.ts` -> `errors`. */
function folderOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}
