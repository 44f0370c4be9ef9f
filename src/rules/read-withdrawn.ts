import { z } from 'zod'
import { PolicyName } from '../domain/names.ts'
import type { Fault } from '../errors.ts'
import { readShape } from './read-shape.ts'
import { readYaml } from './read-yaml.ts'
import { FaultList, sourceFile } from './source-file.ts'
import type { PackFile } from './split-files.ts'

const Withdrawn = z.strictObject({ withdrawn: z.array(PolicyName) })

/**
 * Reads `withdrawn.yaml`: the policies that no longer decide, so that a lost folder is told from one taken away on
 * purpose. With faults none counts as withdrawn.
 */
export function readWithdrawn(file: PackFile | undefined): {
  readonly policies: ReadonlySet<string>
  readonly faults: readonly Fault[]
} {
  if (file === undefined) return { policies: new Set(), faults: [] }
  const faults = new FaultList()
  const source = sourceFile(file.path, file.text)
  const [node, second] = readYaml(source, faults)
  if (second !== undefined) faults.add(second.place, 'the file holds one document; take the others out')
  if (node === undefined && faults.faults.length === 0) {
    faults.add({ file: source, offset: 0 }, 'expected the list `withdrawn` of policies; the file is empty')
  }
  const shape = node === undefined ? undefined : readShape(Withdrawn, node, faults)
  const fine = shape !== undefined && faults.faults.length === 0
  return { policies: new Set(fine ? shape.withdrawn : []), faults: faults.faults }
}
