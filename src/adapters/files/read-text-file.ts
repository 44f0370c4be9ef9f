import { open } from 'node:fs/promises'
import type { Fault } from '../../errors.ts'

/** A text file of a pack or of the graph; `path` is relative to the folder that was read, with `/` between parts. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Reads one file as UTF-8 (a byte order mark is dropped), or says why not. */
export async function readTextFile(
  file: string,
  path: string,
  bytesMax: number,
): Promise<SourceFile | Fault> {
  const bytes = await readBytes(file, bytesMax)
  if (bytes === undefined) return { at: path, why: `the file is larger than ${bytesMax} bytes` }
  if (typeof bytes === 'string') return { at: path, why: bytes }
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { at: `${path}:${lineOfBadByte(bytes)}`, why: 'the file is not UTF-8; save it as UTF-8' }
  }
}

export function isFault(outcome: SourceFile | Fault): outcome is Fault {
  return 'why' in outcome
}

async function readBytes(file: string, bytesMax: number): Promise<Buffer | string | undefined> {
  try {
    await using handle = await open(file)
    const { size } = await handle.stat()
    return size > bytesMax ? undefined : await handle.readFile()
  } catch (error) {
    return `the file can't be read (${errorCodeOf(error)})`
  }
}

/** Such as `ENOENT`; the operating system's own word for what went wrong. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

function lineOfBadByte(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start)
    const next = end === -1 ? bytes.length : end + 1
    try {
      decoder.decode(bytes.subarray(start, next))
    } catch {
      return line
    }
    line++
    start = next
  }
  return line
}
