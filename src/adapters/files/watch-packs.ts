import { type FSWatcher, watch } from 'chokidar'
import { Failure } from '../../errors.ts'
import type { Look, OfferedFile, OfferedPack, RuleSource, RulesOffer } from '../../ports/rule-source.ts'
import { type Found, findPacks, withdrawnFile } from './find-packs.ts'
import { noPack, readFiles } from './read-packs.ts'

export interface WatchOptions {
  /** Look this often instead of waiting for the system to tell: for network mounts, which tell nothing. 0: wait. */
  readonly pollMs: number
  readonly log: (line: string) => void
}

/**
 * The rules folder as a source of packs; it may not be there yet. What the system tells of changes is only a hint:
 * it may come late, twice, for half a file, or not at all.
 */
export function watchPacks(rulesFolder: string, { pollMs, log }: WatchOptions): RuleSource {
  return {
    async look() {
      try {
        return lookOf(await findPacks(rulesFolder))
      } catch (error) {
        return { stamp: `! ${faultsOf(error).map(({ why }) => why)}`, changedMs: undefined }
      }
    },
    async read() {
      try {
        return await readOffer(rulesFolder, await findPacks(rulesFolder))
      } catch (error) {
        return { packs: [], withdrawn: undefined, overlooked: [], faults: faultsOf(error) }
      }
    },
    async watch(hint) {
      if (pollMs > 0) return polling(hint, pollMs)
      return watching(rulesFolder, hint, log)
    },
  }
}

async function readOffer(rulesFolder: string, all: readonly Found[]): Promise<RulesOffer> {
  const packs: OfferedPack[] = []
  const overlooked: string[] = []
  let withdrawn: OfferedFile | undefined
  for (const found of all) {
    const { name: folder, faults } = found
    const read =
      found.isPack || folder === withdrawnFile
        ? await readFiles(rulesFolder, found)
        : { files: [], faults: [] }
    if (folder === withdrawnFile && faults.length + read.faults.length === 0) withdrawn = read.files[0]
    else if (found.isPack || faults.length + read.faults.length > 0) {
      packs.push({ folder, files: read.files, faults: [...faults, ...read.faults] })
    } else overlooked.push(folder)
  }
  const faults = packs.length === 0 && withdrawn === undefined ? [noPack(rulesFolder)] : []
  return { packs, withdrawn, overlooked, faults }
}

function lookOf(all: readonly Found[]): Look {
  const lines: string[] = []
  let changedMs: number | undefined
  for (const { name, files, faults } of all) {
    lines.push(name, ...faults.map(({ at, why }) => `  ! ${at} ${why}`))
    for (const file of files) {
      lines.push(`  ${file.path} ${file.stamp}`)
      changedMs = Math.max(changedMs ?? 0, file.changedMs)
    }
  }
  return { stamp: lines.join('\n'), changedMs }
}

function faultsOf(error: unknown): Failure['faults'] {
  if (error instanceof Failure) return error.faults
  throw error
}

function polling(hint: () => void, pollMs: number): AsyncDisposable {
  const timer = setInterval(hint, pollMs)
  timer.unref()
  return { [Symbol.asyncDispose]: async () => clearInterval(timer) }
}

function watching(rulesFolder: string, hint: () => void, log: (line: string) => void): AsyncDisposable {
  const watcher: FSWatcher = watch(rulesFolder, {
    ignoreInitial: true,
    atomic: false,
    depth: 9,
  })
  let isLimited = false
  watcher.on('all', hint)
  watcher.on('raw', hint)
  watcher.on('error', (error) => {
    // Told once: the slow look every few seconds goes on without it.
    if (!isLimited) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
      log(
        `rules: the system tells no longer of changes (${code}); they are looked for every few seconds instead`,
      )
    }
    isLimited = true
  })
  return { [Symbol.asyncDispose]: () => watcher.close() }
}
