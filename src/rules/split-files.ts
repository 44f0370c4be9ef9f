import { compareText } from '../domain/compare-text.ts'
import { readYaml } from './read-yaml.ts'
import type { YamlReader } from './remember-yaml.ts'
import { type FaultList, type SourceFile, sourceFile } from './source-file.ts'
import type { TableFiles } from './tables/read-tables.ts'
import type { YamlNode } from './yaml-node.ts'

/** A file of a pack folder, as text. */
export interface PackFile {
  readonly path: string
  readonly text: string
}

const named = ['policy.yaml', 'facts.yaml', 'sources.yaml', 'reasons.yaml'] as const
type Named = (typeof named)[number]

export interface SplitFiles {
  readonly single: ReadonlyMap<Named, YamlNode>
  readonly rules: readonly YamlNode[]
  readonly tables: TableFiles
}

/**
 * Sorts a pack's files: the four single ones, tables, and the rules of all others; tells what is missing, empty or
 * double.
 */
export function splitFiles(
  files: readonly PackFile[],
  faults: FaultList,
  read: YamlReader = readYaml,
): SplitFiles {
  const single = new Map<Named, YamlNode>()
  const seen = new Map<string, string>()
  const rules: YamlNode[] = []
  const tables = new Map<string, YamlNode | undefined>()
  const csv = new Map<string, SourceFile>()
  const root = rootOf(files)
  for (const { path, text } of [...files].sort((one, two) => compareText(one.path, two.path))) {
    const inPack = path.slice(root.length)
    const isTable = path.startsWith(root) && /^tables\/[^/]+$/.test(inPack)
    if (isTable && /\.csv$/i.test(path)) csv.set(inPack, sourceFile(path, text))
    if (!/\.ya?ml$/i.test(path)) continue
    const base = path.slice(path.lastIndexOf('/') + 1)
    const file = sourceFile(path, text)
    const start = { file, offset: 0 }
    const before = faults.faults.length
    const documents = read(file, faults)
    if (isTable) {
      if (documents.length === 0 && faults.faults.length === before)
        faults.add(start, 'the file holds no table')
      tables.set(inPack, onlyTable(documents, faults))
      continue
    }
    if (!isNamed(base)) {
      if (documents.length === 0 && faults.faults.length === before)
        faults.add(start, 'the file holds no rule')
      for (const node of documents) rules.push(...(node.kind === 'list' ? node.items : [node]))
      continue
    }
    const first = seen.get(base)
    seen.set(base, path)
    const [node, second] = documents
    if (first !== undefined) faults.add(start, `a second \`${base}\`; the first is ${first}`)
    else if (second !== undefined)
      faults.add(second.place, `\`${base}\` holds one document; take the others out`)
    else if (node !== undefined) single.set(base, node)
    else if (faults.faults.length === before) faults.add(start, 'the file is empty')
  }
  for (const base of named) {
    if (!seen.has(base)) faults.faults.push({ at: base, why: 'the file is missing from the pack' })
  }
  if (rules.length === 0 && faults.faults.length === 0) {
    faults.faults.push({ at: '', why: 'the pack holds no rule' })
  }
  return { single, rules, tables: { tables, csv } }
}

function onlyTable(documents: readonly YamlNode[], faults: FaultList): YamlNode | undefined {
  const [node, second] = documents
  if (second === undefined) return node
  faults.add(second.place, 'a file holds one table; take the others out')
  return undefined
}

/** The pack's folder with a slash, as the paths have it: where its policy stands. */
function rootOf(files: readonly PackFile[]): string {
  const paths = files
    .map(({ path }) => path)
    .sort((one, two) => one.length - two.length || compareText(one, two))
  const path = paths.find((each) => /(?:^|\/)(?:policy|facts)\.yaml$/.test(each)) ?? ''
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function isNamed(base: string): base is Named {
  return (named as readonly string[]).includes(base)
}
