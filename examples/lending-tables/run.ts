import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { startService } from '../start-service.ts'
import { type Answer, drawAnswer } from './draw-answer.ts'

const usage = `npm run example -- lending-tables [--json]

Decides a few applications with a policy of chained decision tables, and prints what each table
came to and by which of its rows.

  --json         print the whole answers as one JSON list
`

interface Application {
  readonly about: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Runs the example; gives the exit status: 0 done, 1 something failed, 2 called wrongly. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--help') {
    process.stdout.write(usage)
    return 0
  }
  if (args.some((arg) => arg !== '--json')) {
    process.stderr.write(usage)
    return 2
  }
  try {
    process.stdout.write(await decideAll(args.includes('--json')))
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

async function decideAll(asJson: boolean): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, 'applications.json'), 'utf8')
  const applications = JSON.parse(text) as readonly Application[]
  const data = await mkdtemp(path.join(tmpdir(), 'lending-tables-'))
  try {
    await using service = await startService(import.meta.dirname, data)
    const answers: Answer[] = []
    for (const [index, { facts }] of applications.entries()) {
      answers.push(await decideOne(service.url, `lending-tables-${index + 1}`, facts))
    }
    if (asJson) return `${JSON.stringify(answers)}\n`
    return answers
      .map((answer, index) => drawAnswer(`${index + 1}. ${applications[index]?.about ?? ''}`, answer))
      .join('\n')
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function decideOne(url: string, id: string, facts: Application['facts']): Promise<Answer> {
  const response = await fetch(`${url}/v1/decisions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      application_id: id,
      policy: 'lending-tables',
      received_at: new Date().toISOString(),
      facts,
    }),
  })
  const body = await response.text()
  if (response.ok) return JSON.parse(body) as Answer
  throw new Error(`${id}: the service answered ${response.status}\n${body}`)
}
