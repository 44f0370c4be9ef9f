import { compareText } from '../domain/compare-text.ts'
import { readYaml } from './read-yaml.ts'
import { type FaultList, sourceFile } from './source-file.ts'
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
}

/** Sorts a pack's files: the four single ones, and the rules of all others; tells what is missing, empty or double. */
export function splitFiles(files: readonly PackFile[], faults: FaultList): SplitFiles {
  const single = new Map<Named, YamlNode>()
  const seen = new Map<string, string>()
  const rules: YamlNode[] = []
  for (const { path, text } of [...files].sort((one, two) => compareText(one.path, two.path))) {
    if (!/\.ya?ml$/i.test(path)) continue
    const base = path.slice(path.lastIndexOf('/') + 1)
    const file = sourceFile(path, text)
    const start = { file, offset: 0 }
    const before = faults.faults.length
    const documents = readYaml(file, faults)
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
  return { single, rules }
}

function isNamed(base: string): base is Named {
  return (named as readonly string[]).includes(base)
}
