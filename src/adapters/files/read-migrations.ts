import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Failure, type Fault } from '../../errors.ts'
import { errorCodeOf, isFault, readTextFile, type SourceFile } from './read-text-file.ts'

const fileBytesMax = 32 * 1024 * 1024
const migrationName = /^V\d{4}__[A-Za-z0-9][A-Za-z0-9_-]*\.ya?ml$/

/**
 * Reads the change sets in `migrations/` of the graph folder, by number. Failure:
 * GRAPH_FILE_INVALID when there is no such folder (an empty one is fine), and naming every YAML file that is not named like `V0001__base.yaml`, can't be read, is no
 * UTF-8 or is too large.
 */
export async function readMigrations(graphFolder: string): Promise<readonly SourceFile[]> {
  const faults: Fault[] = []
  const files: SourceFile[] = []
  for (const name of await yamlNamesIn(path.join(graphFolder, 'migrations'))) {
    const at = `migrations/${name}`
    if (!migrationName.test(name)) {
      faults.push({ at, why: 'expected a name such as `V0001__base.yaml`' })
      continue
    }
    const file = await readTextFile(path.join(graphFolder, 'migrations', name), at, fileBytesMax)
    if (isFault(file)) faults.push(file)
    else files.push(file)
  }
  if (faults.length > 0) throw new Failure('GRAPH_FILE_INVALID', faults)
  return files
}

async function yamlNamesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    return names.filter((name) => /\.ya?ml$/.test(name) && !/^[.#~]/.test(name)).sort()
  } catch (cause) {
    const code = errorCodeOf(cause)
    const why =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? 'there is no such folder; CAUSEBOOK_GRAPH must be the folder that holds `migrations/`'
        : `the folder can't be read (${code})`
    throw new Failure('GRAPH_FILE_INVALID', { at: folder, why }, { cause })
  }
}
