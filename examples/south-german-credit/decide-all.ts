import process from 'node:process'
import { Presets, SingleBar } from 'cli-progress'
import type { Request } from './map-applicant.ts'

/** What the example keeps of an answer. */
export interface Answer {
  readonly application_id: string
  readonly decision: string
  readonly chains: readonly unknown[]
  readonly reasons: readonly { readonly code: string; readonly text: { readonly en: string } }[]
}

const connections = 16

/** Posts all requests, 16 at a time, with a bar for whoever watches; the answers stand in the order of the requests. */
export async function decideAll(url: string, requests: readonly Request[]): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const bar = startBar(requests.length)
  let next = 0
  async function work(): Promise<void> {
    for (let index = next++; index < requests.length; index = next++) {
      const request = requests[index]
      if (request === undefined) return
      answers[index] = await decideOne(url, request)
      bar?.increment()
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    bar?.stop()
  }
  return answers
}

function startBar(total: number): SingleBar | undefined {
  if (process.stderr.isTTY !== true) return undefined
  const format = 'deciding {bar} {value}/{total}  {eta_formatted} left'
  const bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic)
  bar.start(total, 0)
  return bar
}

async function decideOne(url: string, request: Request): Promise<Answer> {
  const response = await fetch(`${url}/v1/decisions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })
  const body = await response.text()
  if (response.ok) return JSON.parse(body) as Answer
  throw new Error(`${request.application_id}: the service answered ${response.status}\n${body}`)
}
