import { statfsSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../../errors.ts'

const roomBytesMin = 1024 * 1024

/** Remembers whether the last write could be made, for whoever asks if the next one can. */
export interface WriteWatch {
  /** Passes a write through. */
  watch<T>(write: () => Promise<T>): Promise<T>
  /** After a failed write: that failure, until there is room again and a trial write succeeds. */
  check(trial: () => Promise<unknown>): Promise<void>
}

export function watchWrites(file: string): WriteWatch {
  let failure: Failure | undefined
  return {
    async watch(write) {
      try {
        const result = await write()
        failure = undefined
        return result
      } catch (error) {
        if (error instanceof Failure && error.code === 'STORE_UNAVAILABLE') failure = error
        throw error
      }
    },
    async check(trial) {
      if (failure === undefined) return
      // A trial of one page may still fit into a log that has no room for a decision.
      if (!hasRoom(file)) throw failure
      await trial()
      failure = undefined
    },
  }
}

function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return bavail * bsize >= roomBytesMin
  } catch {
    return true
  }
}
