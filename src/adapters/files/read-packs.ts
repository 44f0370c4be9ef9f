import path from 'node:path'
import { Failure, type Fault } from '../../errors.ts'
import { type Found, findPacks, withdrawnFile } from './find-packs.ts'
import { isFault, readTextFile, type SourceFile } from './read-text-file.ts'

/**
 * The files of one pack: its folder's name, each YAML file below it and each CSV file in its `tables`, by path in
 * code-unit order.
 */
export interface PackFiles {
  readonly folder: string
  readonly files: readonly SourceFile[]
}

export interface PacksRead {
  readonly packs: readonly PackFiles[]
  /** Folders and files that look like rules but belong to no pack, for the operator to see. */
  readonly overlooked: readonly string[]
}

const fileBytesMax = 1024 * 1024
const packBytesMax = 16 * 1024 * 1024
const atOnce = 16

/**
 * Reads the packs of the rules folder, as `findPacks` finds them. Failures: NO_RULES without any pack;
 * RULE_FILE_INVALID naming every file that can't be read, is no UTF-8, or is too large.
 */
export async function readPacks(rulesFolder: string): Promise<PacksRead> {
  const faults: Fault[] = []
  const packs: PackFiles[] = []
  const overlooked: string[] = []
  for (const found of await findPacks(rulesFolder)) {
    faults.push(...found.faults)
    if (found.isPack) {
      const read = await readFiles(rulesFolder, found)
      faults.push(...read.faults)
      packs.push({ folder: found.name, files: read.files })
    } else if (found.faults.length === 0 && found.name !== withdrawnFile) overlooked.push(found.name)
  }
  if (faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults)
  if (packs.length > 0) return { packs, overlooked }
  throw new Failure('NO_RULES', noPack(rulesFolder))
}

export function noPack(rulesFolder: string): Fault {
  return {
    at: '',
    why: `expected at least one folder with a \`policy.yaml\` in \`${rulesFolder}\`; there is none`,
  }
}

/** Reads the files of one pack; what can't be read of it is a fault. */
export async function readFiles(
  root: string,
  { name, files }: Found,
): Promise<{ readonly files: readonly SourceFile[]; readonly faults: readonly Fault[] }> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > packBytesMax) {
    const why = `the pack is larger than ${packBytesMax} bytes; split it into several policies`
    return { files: [], faults: [{ at: name, why }] }
  }
  const read: (SourceFile | Fault)[] = []
  for (let from = 0; from < files.length; from += atOnce) {
    const some = files.slice(from, from + atOnce)
    read.push(
      ...(await Promise.all(
        some.map((file) => readTextFile(path.join(root, file.path), file.path, fileBytesMax)),
      )),
    )
  }
  return {
    files: read.filter((each): each is SourceFile => !isFault(each)),
    faults: read.filter(isFault),
  }
}
