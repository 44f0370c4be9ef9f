import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../../errors.ts'
import type { NotedHead } from '../../ports/store.ts'
import { errorCodeOf } from '../files/read-text-file.ts'

const everyMs = 1000

export interface HeadKeeper {
  /** The chain ends here now. */
  note(head: NotedHead): void
  /** Writes what was noted last. */
  close(): Promise<void>
}

export function headFileOf(storeFile: string): string | undefined {
  return storeFile === ':memory:' ? undefined : path.join(path.dirname(storeFile), 'ledger-head.json')
}

/**
 * Keeps the end of the chain in a file beside the store, at most once a second. `mayReplace` says whether the head
 * that stands there already, if any, is part of the chain: one that is not tells of records that are gone, and stays. A
 * file that can't be written is let be: it only helps to find things, and no decision waits for it.
 */
export function keepHead(
  file: string | undefined,
  mayReplace: (earlier: NotedHead | undefined) => boolean,
): HeadKeeper {
  let noted: NotedHead | undefined
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let isClosed = false

  function writeSoon(): void {
    if (timer !== undefined || file === undefined) return
    timer = setTimeout(() => {
      timer = undefined
      if (noted !== undefined) write()
    }, everyMs)
    timer.unref()
  }

  function write(): void {
    const head = noted
    noted = undefined
    if (head === undefined || file === undefined) return
    writing = writing.then(() => replace(file, head, mayReplace)).catch(() => {})
  }

  return {
    note(head) {
      if (isClosed) return
      noted = head
      writeSoon()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      write()
      return writing
    },
  }
}

async function replace(
  file: string,
  head: NotedHead,
  mayReplace: (earlier: NotedHead | undefined) => boolean,
): Promise<void> {
  const earlier = readHeadFile(file)
  if ((earlier !== undefined && earlier.seq >= head.seq) || !mayReplace(earlier)) return
  const fresh = `${file}.${randomUUID()}`
  try {
    const handle = await open(fresh, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(head)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** The head that stands in the file; `undefined` without one. LEDGER_BROKEN when it is none. */
export function readHeadFile(file: string): NotedHead | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return undefined
    throw broken(file, `it can't be read (${errorCodeOf(error)})`, error)
  }
  const head = parse(text)
  if (head === undefined)
    throw broken(file, 'expected `writer`, `seq` and `hash` of the last record', undefined)
  return head
}

function parse(text: string): NotedHead | undefined {
  try {
    const { writer, seq, hash } = JSON.parse(text)
    const isHead =
      typeof writer === 'string' && Number.isSafeInteger(seq) && seq > 0 && typeof hash === 'string'
    return isHead ? { writer, seq, hash } : undefined
  } catch {
    return undefined
  }
}

function broken(at: string, why: string, cause: unknown): Failure {
  return new Failure('LEDGER_BROKEN', { at, why }, { cause })
}
