import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const storeFileName = 'causebook.db'
const clockWatchMs = 250

/** Looks at disk and clock without changing anything. */
export const inspectMachine = {
  storeFile(dataFolder: string): { bytes: number; logBytes: number } | undefined {
    const file = path.join(dataFolder, storeFileName)
    if (!existsSync(file)) return undefined
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
    return { bytes: statSync(file).size, logBytes: log?.size ?? 0 }
  },

  whyNotWritable(dataFolder: string): string | undefined {
    const file = path.join(dataFolder, storeFileName)
    const folder = nearestFolder(dataFolder)
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
      if (existsSync(file)) sync(file, 'r+')
      sync(folder, 'r')
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  },

  async freeBytes(dataFolder: string): Promise<number | undefined> {
    try {
      const { bavail, bsize } = await statfs(nearestFolder(dataFolder))
      return bavail * bsize
    } catch {
      return undefined
    }
  },

  async clockStepMs(): Promise<number> {
    const [wall, steady] = [Date.now(), performance.now()]
    await sleep(clockWatchMs)
    return Date.now() - wall - (performance.now() - steady)
  },
}

function sync(file: string, flags: 'r' | 'r+'): void {
  const handle = openSync(file, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The folder itself, or the nearest one above it that exists. */
function nearestFolder(folder: string): string {
  const above = path.dirname(folder)
  return existsSync(folder) || above === folder ? folder : nearestFolder(above)
}
