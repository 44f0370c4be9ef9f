import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errorCodeOf } from './read-text-file.ts'

/**
 * Makes a folder and those above it, each tried once: Node's own `recursive` never ends where making a folder fails
 * with ENOENT below one that is there, as in `/proc`. Throws the operating system's error.
 */
export function makeFolder(folder: string, mode: number): void {
  const missing: string[] = []
  for (let at = path.resolve(folder); !isFolder(at); at = path.dirname(at)) {
    missing.push(at)
    if (path.dirname(at) === at) break
  }
  for (const at of missing.reverse()) {
    try {
      mkdirSync(at, { mode })
    } catch (error) {
      // Another process may have made it since; a file of that name is in the way.
      if (errorCodeOf(error) !== 'EEXIST' || !isFolder(at)) throw error
    }
  }
}

function isFolder(at: string): boolean {
  try {
    return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
