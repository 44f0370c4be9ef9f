import { statSync } from 'node:fs'
import { Failure } from '../../errors.ts'

/** A store's files, held to what they were when it was opened. */
export interface HeldFiles {
  /** STORE_UNAVAILABLE when one of them was removed or replaced, from then on for ever. */
  check(): void
}

// What is written to a file that has lost its name is gone with the process, and the next one makes a fresh file;
// without its log or the index of its log, two processes would write over each other.
const suffixes = ['', '-wal', '-shm']

/** Notes which files the names stand for now; to be called with the database open and read from once. */
export function holdFiles(path: string): HeldFiles {
  if (path === ':memory:') return { check: () => {} }
  const held = suffixes
    .map((suffix) => ({ name: path + suffix, identity: identityOf(path + suffix) }))
    .filter(({ name, identity }) => name === path || identity !== undefined)
  let lost: string | undefined
  return {
    check() {
      const gone = lost === undefined ? held.find(isLost) : undefined
      if (gone !== undefined) lost = gone.name
      if (lost === undefined) return
      const why =
        'this file was removed or replaced while the store was open, so nothing recorded from now on would last; ' +
        'put the data folder back as it was and start again'
      throw new Failure('STORE_UNAVAILABLE', { at: lost, why })
    },
  }
}

function isLost({
  name,
  identity,
}: {
  readonly name: string
  readonly identity: string | undefined
}): boolean {
  return identity === undefined || identityOf(name) !== identity
}

/** Device and number of the file; `undefined` when there is none, also where its folder is gone. */
function identityOf(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined
    }
    const why = `the file can't be looked at: ${error instanceof Error ? error.message : error}`
    throw new Failure('STORE_UNAVAILABLE', { at: name, why }, { cause: error })
  }
}
