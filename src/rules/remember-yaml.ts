import type { Fault } from '../errors.ts'
import { readYaml } from './read-yaml.ts'
import { FaultList, type SourceFile } from './source-file.ts'
import type { YamlNode } from './yaml-node.ts'

/** What reads the documents of one file; `readYaml`, or one that remembers. */
export type YamlReader = (file: SourceFile, faults: FaultList) => readonly YamlNode[]

interface Read {
  readonly text: string
  readonly nodes: readonly YamlNode[]
  readonly faults: readonly Fault[]
}

/** Reads each text of a path once: of a thousand files usually one changes. */
export interface YamlMemory {
  readonly read: YamlReader
  /** Forgets all but these paths. */
  keep(paths: ReadonlySet<string>): void
}

export function openYamlMemory(): YamlMemory {
  const memory = new Map<string, Read>()
  return {
    read(file, faults) {
      const known = memory.get(file.path)
      const read = known?.text === file.text ? known : readOnce(file)
      memory.set(file.path, read)
      for (const fault of read.faults) faults.take(fault)
      return read.nodes
    },
    keep(paths) {
      for (const path of memory.keys()) if (!paths.has(path)) memory.delete(path)
    },
  }
}

function readOnce(file: SourceFile): Read {
  const faults = new FaultList()
  const nodes = readYaml(file, faults)
  return { text: file.text, nodes, faults: faults.faults }
}
