import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { compareText } from '../../domain/compare-text.ts'
import { Failure, type Fault } from '../../errors.ts'
import { errorCodeOf } from './read-text-file.ts'

/** A file of a pack; `stamp` changes when it is written or replaced by another. */
export interface FoundFile {
  /** Below the rules folder, with `/` between parts. */
  readonly path: string
  readonly stamp: string
  readonly bytes: number
  readonly changedMs: number
}

/** What lies in one folder of the rules, or a single file there. */
export interface Found {
  readonly name: string
  /** A folder with a `policy.yaml`. */
  readonly isPack: boolean
  /** In code-unit order; none when there are faults that forbid looking further. */
  readonly files: readonly FoundFile[]
  readonly faults: readonly Fault[]
}

/** Names the policies that were taken away on purpose; lies beside the packs. */
export const withdrawnFile = 'withdrawn.yaml'

const filesMax = 5000
const foldersDeepMax = 8

/**
 * Looks what lies among the rules, without reading it: a folder with a `policy.yaml` is a pack. Hidden files,
 * editors' backups and what is neither YAML nor a CSV file in `tables` are left out; links are followed. Failure:
 * NO_RULES when the folder can't be read.
 */
export async function findPacks(rulesFolder: string): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const name of await namesIn(rulesFolder, rulesFolder)) {
    const faults: Fault[] = []
    const files = await filesOrFault(rulesFolder, name, faults)
    const isPack = files.some((file) => file.path === `${name}/policy.yaml`)
    if (files.length > 0 || faults.length > 0) found.push({ name, isPack, files, faults })
  }
  return found
}

async function filesOrFault(root: string, name: string, faults: Fault[]): Promise<readonly FoundFile[]> {
  try {
    return await filesBelow(root, name, faults)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    faults.push(...error.faults)
    return []
  }
}

/** Files of a pack at `relative` (itself, when it is one) and below, in code-unit order. */
async function filesBelow(
  root: string,
  relative: string,
  faults: Fault[],
  deep = 0,
): Promise<readonly FoundFile[]> {
  const { kind, ...file } = await look(path.join(root, relative))
  if (kind === 'file') return isOfPack(relative) ? [{ path: relative, ...file }] : []
  if (kind !== 'folder') {
    if (kind !== 'other' && isOfPack(relative)) faults.push({ at: relative, why: `can't be read (${kind})` })
    return []
  }
  if (deep >= foldersDeepMax) {
    faults.push({ at: relative, why: `folders are nested deeper than ${foldersDeepMax} levels` })
    return []
  }
  const names = await namesIn(root, path.join(root, relative))
  const found: FoundFile[] = []
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce)
    const below = await Promise.all(
      some.map((name) => filesBelow(root, `${relative}/${name}`, faults, deep + 1)),
    )
    for (const files of below) found.push(...files)
    if (found.length > filesMax) {
      throw new Failure('RULE_FILE_INVALID', { at: relative, why: `more than ${filesMax} files` })
    }
  }
  return found.sort((one, other) => compareText(one.path, other.path))
}

const atOnce = 32

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

async function look(file: string): Promise<Omit<FoundFile, 'path'> & { readonly kind: string }> {
  try {
    const found = await stat(file, { bigint: true })
    const { dev, ino, size, mtimeNs, ctimeNs } = found
    const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
    return {
      kind,
      stamp: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
      bytes: Number(size),
      changedMs: Number(ctimeNs / 1_000_000n),
    }
  } catch (error) {
    return { kind: errorCodeOf(error), stamp: '', bytes: 0, changedMs: 0 }
  }
}

// Editors leave `.#a.yaml`, `#a.yaml#`, `a.yaml~`, `.a.yaml.swp`; what ends otherwise is no YAML anyway.
function isOurs(name: string): boolean {
  return !/^[.#~]/.test(name)
}

// YAML, and the CSV files that tables name.
function isOfPack(path: string): boolean {
  return /\.ya?ml$/.test(path) || /^[^/]+\/tables\/[^/]+\.csv$/i.test(path)
}
