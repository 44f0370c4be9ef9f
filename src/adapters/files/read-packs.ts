import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { compareText } from '../../domain/compare-text.ts'
import { Failure, type Fault } from '../../errors.ts'
import { errorCodeOf, isFault, readTextFile, type SourceFile } from './read-text-file.ts'

/** The files of one pack: its folder's name, and each YAML file below it, by path in code-unit order. */
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
const filesMax = 5000
const foldersDeepMax = 8

/**
 * Reads the packs of the rules folder: a folder with a `policy.yaml` is one. Hidden files, editors' backups and
 * what is not YAML are left out; links are followed. Failures: NO_RULES without any pack; RULE_FILE_INVALID
 * naming every file that can't be read, is no UTF-8, or is too large.
 */
export async function readPacks(rulesFolder: string): Promise<PacksRead> {
  const faults: Fault[] = []
  const packs: PackFiles[] = []
  const overlooked: string[] = []
  for (const name of await namesIn(rulesFolder, rulesFolder)) {
    const files = await yamlFilesBelow(rulesFolder, name, faults)
    if (files.includes(`${name}/policy.yaml`)) {
      packs.push({ folder: name, files: await readFiles(rulesFolder, files, faults) })
    } else if (files.length > 0) overlooked.push(name)
  }
  if (faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults)
  if (packs.length > 0) return { packs, overlooked }
  const why = `expected at least one folder with a \`policy.yaml\` in \`${rulesFolder}\`; there is none`
  throw new Failure('NO_RULES', { at: '', why })
}

async function readFiles(root: string, paths: readonly string[], faults: Fault[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const relative of paths) {
    const file = await readTextFile(path.join(root, relative), relative, fileBytesMax)
    if (isFault(file)) faults.push(file)
    else files.push(file)
  }
  return files
}

/** YAML files at `relative` (itself, when it is one) and below, in code-unit order. */
async function yamlFilesBelow(
  root: string,
  relative: string,
  faults: Fault[],
  deep = 0,
): Promise<readonly string[]> {
  const kind = await kindOf(path.join(root, relative))
  if (kind === 'file') return isYaml(relative) ? [relative] : []
  if (kind !== 'folder') {
    if (kind !== 'other' && isYaml(relative)) faults.push({ at: relative, why: `can't be read (${kind})` })
    return []
  }
  if (deep >= foldersDeepMax) {
    faults.push({ at: relative, why: `folders are nested deeper than ${foldersDeepMax} levels` })
    return []
  }
  const found: string[] = []
  for (const name of await namesIn(root, path.join(root, relative))) {
    found.push(...(await yamlFilesBelow(root, `${relative}/${name}`, faults, deep + 1)))
    if (found.length > filesMax) {
      throw new Failure('RULE_FILE_INVALID', { at: relative, why: `more than ${filesMax} files` })
    }
  }
  return found.sort(compareText)
}

async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  let entries: Dirent[]
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    const why = `the folder can't be read (${errorCodeOf(cause)})`
    const at = folder === root ? root : path.relative(root, folder)
    throw new Failure(folder === root ? 'NO_RULES' : 'RULE_FILE_INVALID', { at, why }, { cause })
  }
  return entries
    .map((entry) => entry.name)
    .filter(isOurs)
    .sort(compareText)
}

async function kindOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    if (found.isDirectory()) return 'folder'
    return found.isFile() ? 'file' : 'other'
  } catch (error) {
    return errorCodeOf(error)
  }
}

// Editors leave `.#a.yaml`, `#a.yaml#`, `a.yaml~`, `.a.yaml.swp`; what ends otherwise is no YAML anyway.
function isOurs(name: string): boolean {
  return !/^[.#~]/.test(name)
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name)
}
