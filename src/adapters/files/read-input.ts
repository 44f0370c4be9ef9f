import { open } from 'node:fs/promises'
import { Failure } from '../../errors.ts'
import { errorCodeOf } from './read-text-file.ts'

/** Bytes of a file, or of standard input for `-`, as they come. Failure: USAGE when the file can't be read. */
export async function* readInput(file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* process.stdin
    return
  }
  try {
    await using handle = await open(file)
    for await (const chunk of handle.createReadStream({ autoClose: false })) yield chunk
  } catch (cause) {
    if (cause instanceof Failure || errorCodeOf(cause) === 'unknown reason') throw cause
    throw new Failure('USAGE', { at: file, why: `the file can't be read (${errorCodeOf(cause)})` }, { cause })
  }
}
