import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const home = path.join(import.meta.dirname, '..')

export interface Started extends AsyncDisposable {
  readonly url: string
  /** From starting the process to its `listening on`. */
  readonly startMs: number
}

/** Starts a program of this repository that prints `listening on URL`; disposing of it asks it to end. */
export async function start(
  program: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, program, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const exited = once(child, 'exit')
  let printed = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk
    const url = /^listening on (\S+)$/m.exec(printed)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    const startMs = performance.now() - startedMs
    return {
      url,
      startMs,
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGTERM')
        await exited
      },
    }
  }
  throw new Error(`${program.join(' ')} ended before it listened:\n${printed}`)
}
