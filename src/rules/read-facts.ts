import { FactName } from '../domain/names.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { DerivedDeclaration, type FactDeclaration, type FactsFile } from '../domain/policy.ts'
import { builtIn } from './declared-facts.ts'
import { reservedWords } from './expression-tree.ts'
import { readDeclaration } from './read-declaration.ts'
import { describeNode, readShape } from './read-shape.ts'
import type { FaultList } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, lineText, type YamlEntry, type YamlNode } from './yaml-node.ts'

/** `facts.yaml` as read: what was well declared, names whose declaration is at fault, and where each stands. */
export interface FactsRead {
  readonly facts: FactsFile
  readonly broken: ReadonlySet<string>
  readonly nodes: ReadonlyMap<string, YamlEntry>
}

const sections = ['facts', 'derived', 'memory'] as const

/** Reads the declarations; `zone` is where a day given for a time begins. */
export function readFacts(node: YamlNode, zone: string, faults: FaultList): FactsRead {
  const facts: Record<string, FactDeclaration> = {}
  const derived: Record<string, DerivedDeclaration> = {}
  const memory: Record<string, FactDeclaration> = {}
  const nodes = new Map<string, YamlEntry>()
  const broken = new Set<string>()
  for (const section of sectionsOf(node, faults)) {
    for (const entry of entriesOf(section.value, faults)) {
      if (!isFreeName(entry, nodes, faults)) continue
      nodes.set(entry.key, entry)
      const before = faults.faults.length
      if (section.key === 'derived') {
        const declaration = readShape(DerivedDeclaration, entry.value, faults)
        if (declaration !== undefined) derived[entry.key] = declaration
      } else {
        const declaration = readDeclaration(entry.value, zone, faults)
        if (declaration !== undefined) (section.key === 'facts' ? facts : memory)[entry.key] = declaration
      }
      if (faults.faults.length > before) broken.add(entry.key)
    }
  }
  const file: FactsFile = {
    facts,
    ...(Object.keys(derived).length === 0 ? {} : { derived }),
    ...(Object.keys(memory).length === 0 ? {} : { memory }),
  }
  return { facts: file, broken, nodes }
}

function sectionsOf(node: YamlNode, faults: FaultList): readonly YamlEntry[] {
  if (node.kind !== 'map') {
    faults.add(node.place, `expected the fields ${sections.map(quote).join(', ')}; got ${describeNode(node)}`)
    return []
  }
  if (field(node, 'facts') === undefined) faults.add(node.place, 'the field `facts` is missing')
  return node.entries.filter((entry) => {
    if ((sections as readonly string[]).includes(entry.key)) return true
    faults.add(entry.keyPlace, `there is no field ${quote(entry.key)} here${suggestion(entry.key, sections)}`)
    return false
  })
}

function entriesOf(node: YamlNode, faults: FaultList): readonly YamlEntry[] {
  if (node.kind === 'map') return node.entries
  if (node.kind !== 'scalar' || node.value !== null) {
    faults.add(node.place, `expected names with their declarations; got ${describeNode(node)}`)
  }
  return []
}

function isFreeName(entry: YamlEntry, nodes: ReadonlyMap<string, YamlEntry>, faults: FaultList): boolean {
  const { key, keyPlace } = entry
  const name = FactName.safeParse(key)
  const first = nodes.get(key)
  if (!name.success)
    faults.add(keyPlace, `${quote(key)} is no valid name: ${name.error.issues[0]?.message ?? ''}`)
  else if (builtIn.has(key)) faults.add(keyPlace, `${quote(key)} is always there and cannot be declared`)
  else if (reservedWords.has(key))
    faults.add(keyPlace, `${quote(key)} is a word of the expressions and no name`)
  else if (first !== undefined) {
    faults.add(keyPlace, `${quote(key)} is declared a second time; the first is ${lineText(first.keyPlace)}`)
  } else return true
  return false
}
