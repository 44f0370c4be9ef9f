import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const home = path.join(import.meta.dirname, '..', '..')

/** Where a service under test reads and writes; what is left out is the repository's own. */
export interface Folders {
  readonly data: string
  readonly rules?: string
  readonly graph?: string
}

export interface RunningService extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Everything it has printed so far. */
  output(): string
  /** Asks it to end and gives its exit status. */
  stop(): Promise<number | null>
  /** `kill -9`, at once. */
  kill(): Promise<void>
}

export interface Finished {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

const startMsMax = 60_000

/** Starts the real service as a child process on any free port and waits until it listens. */
export async function startService(
  folders: Folders,
  env: Record<string, string> = {},
): Promise<RunningService> {
  const child = launch(['serve'], folders, { CAUSEBOOK_PORT: '0', ...env })
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the service did not start:\n${printed}`))
    }, startMsMax)
    const read = (chunk: string) => {
      printed += chunk
      const found = /^listening on (\S+)$/m.exec(printed)
      if (found?.[1] === undefined) return
      clearTimeout(giveUp)
      resolve(found[1])
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    child.once('exit', (status) => {
      clearTimeout(giveUp)
      reject(new Error(`the service ended with ${status} before it listened:\n${printed}`))
    })
  })
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL')
    },
  }
}

/** Runs one command of the real command line to its end. */
export async function causebook(
  args: readonly string[],
  folders: Folders,
  { stdin = '', env = {} }: { stdin?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Finished> {
  const child = launch(args, folders, env)
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    err += chunk
  })
  // A command that fails before it reads leaves a broken pipe behind; its status tells.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, out, err }
}

/** An empty folder that is gone after the test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causebook-test-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

function launch(args: readonly string[], folders: Folders, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [path.join(home, 'src', 'main.ts'), ...args], {
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of the surrounding environment but what a process needs.
    env: {
      PATH: process.env.PATH ?? '',
      CAUSEBOOK_DATA: folders.data,
      CAUSEBOOK_RULES: folders.rules ?? path.join(home, 'rules'),
      CAUSEBOOK_GRAPH: folders.graph ?? path.join(home, 'graph'),
      ...env,
    },
  })
}
