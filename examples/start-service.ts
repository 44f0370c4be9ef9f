import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'

const startTimeoutMs = 60_000

export interface Service {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the service on a free port of loopback with the rules and the graph of an example's folder. Ends it when
 * disposed of.
 */
export async function startService(folder: string, dataFolder: string): Promise<Service> {
  const main = path.join(import.meta.dirname, '..', 'src', 'main.ts')
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...foreignVariables(), ...settings(folder, dataFolder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    return { url: await listeningOn(child), [Symbol.asyncDispose]: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

function settings(folder: string, dataFolder: string): Record<string, string> {
  return {
    CAUSEBOOK_PORT: '0',
    CAUSEBOOK_RULES: path.join(folder, 'rules'),
    CAUSEBOOK_GRAPH: path.join(folder, 'graph'),
    CAUSEBOOK_DATA: path.resolve(dataFolder),
  }
}

/** The environment without our own settings: what is set for another service must not change this run. */
function foreignVariables(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CAUSEBOOK_')))
}

function listeningOn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    let errors = ''
    const timer = setTimeout(
      () => fail(`the service did not listen within ${startTimeoutMs / 1000} s`),
      startTimeoutMs,
    )
    const fail = (why: string) => {
      clearTimeout(timer)
      reject(new Error(errors === '' ? why : `${why}\n${errors.trimEnd()}`))
    }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const url = /^listening on (http:\/\/\S+)$/m.exec(out)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.once('error', (error) => fail(`the service could not be started: ${error.message}`))
    child.once('close', (code) => fail(`the service ended with status ${code ?? 'none'}`))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}
