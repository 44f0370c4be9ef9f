import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const script = new URL('./write-decisions.ts', import.meta.url).pathname

export interface WriterRun {
  /** Lines printed, in order: ids of decisions the store acknowledged, `migration true`, `conflict …`. */
  readonly lines: readonly string[]
  readonly exitCode: number | null
  readonly errors: string
}

/** Runs a process that records decisions; with `killAfter`, ends it with SIGKILL once it has printed that many lines. */
export async function runWriter(
  path: string,
  prefix: string,
  count: number,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<WriterRun> {
  const child = spawn(process.execPath, [script, path, prefix, String(count)])
  const lines: string[] = []
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (lines.length >= killAfter) child.kill('SIGKILL')
  })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { lines, exitCode, errors }
}
