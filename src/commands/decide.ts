import { canonicalJson } from '../audit/canonical.ts'
import type { DecisionService } from '../decision/decision-service.ts'
import { drawAnswer } from '../decision/draw-answer.ts'
import { compareText } from '../domain/compare-text.ts'
import type { RecordedAnswer } from '../domain/decision.ts'
import { Failure, type FailureCode } from '../errors.ts'
import { refuseVanished } from '../reload/refuse-vanished.ts'
import type { Command, Surroundings } from './command.ts'
import { counted } from './counted.ts'
import { openDeployment } from './deployment.ts'
import { paintFor } from './paint.ts'
import { startProgress } from './progress.ts'
import { type ApplicationRead, readApplications } from './read-applications.ts'

export const decide: Command = {
  name: 'decide',
  summary: 'decide the applications of a file, or of standard input',
  help: `causebook decide FILE|- [--json]

Decides one application (JSON), or one a line (NDJSON), and records each like the service does.
Shows decision, reasons and the strongest chain; --json prints the answers, one a line.

  causebook decide examples/requests/b2.json
  causebook decide applications.ndjson --json > answers.ndjson
  cat applications.ndjson | causebook decide - --json

Exit status 1 when an application could not be decided (a decline is a decision). Nothing is
decided while a graph migration waits or was edited after it was applied.
`,
  options: { json: { type: 'boolean' } },
  words: { from: 1, to: 1, names: 'one file, or `-` for standard input' },
  async run(call, surroundings) {
    const file = call.words[0] ?? '-'
    const name = file === '-' ? 'standard input' : file
    const input = surroundings.openInput(file)
    const config = surroundings.config()
    const { ruleSets } = await surroundings.loadPacks(config)
    const migrations = await surroundings.readMigrations(config)
    await using store = await surroundings.openStore(config)
    const isJson = call.flags.has('json')
    const note = (line: string) => surroundings.err(`${isJson ? JSON.stringify({ note: line }) : line}\n`)
    await refuseVanished(store, ruleSets, note)
    const { deadlineMs } = config
    const { version: engine, clock, randomness } = surroundings
    const parts = { store, ruleSets, migrations, clock, randomness, deadlineMs, engine }
    const { service, warnings } = await openDeployment(parts)
    for (const { at, why } of warnings) note(`note: ${at}: ${why}`)
    const results = decideAll(service, readApplications(input, name))
    if (isJson) return await printJson(results, surroundings)
    return await printText(results, surroundings)
  },
}

interface Result {
  readonly line: number
  readonly outcome: RecordedAnswer | Failure
}

// One after the other: a later line may add to an application of an earlier one.
async function* decideAll(
  service: DecisionService,
  applications: AsyncIterable<ApplicationRead>,
): AsyncGenerator<Result> {
  for await (const { line, request } of applications) {
    if (request instanceof Failure) yield { line, outcome: request }
    else yield { line, outcome: await attempt(() => service.decide(request, 'local')) }
  }
}

/** A store that cannot record will not record the next one either; nor do migrations get applied meanwhile. */
const concernsAll: readonly FailureCode[] = [
  'STORE_UNAVAILABLE',
  'GRAPH_MIGRATION_EDITED',
  'GRAPH_MIGRATION_PENDING',
]

async function attempt<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && !concernsAll.includes(error.code)) return error
    throw error
  }
}

async function printJson(results: AsyncIterable<Result>, surroundings: Surroundings): Promise<0 | 1> {
  let failed = 0
  for await (const { line, outcome } of results) {
    if (outcome instanceof Failure) {
      failed++
      const { code, faults } = outcome
      surroundings.out(`${JSON.stringify({ error: { line, code, faults } })}\n`)
    } else surroundings.out(`${canonicalJson(outcome)}\n`)
  }
  return failed === 0 ? 0 : 1
}

async function printText(results: AsyncIterable<Result>, surroundings: Surroundings): Promise<0 | 1> {
  const paint = paintFor(surroundings)
  const progress = startProgress('deciding', surroundings)
  const tally = new Map<string, number>()
  let failed = 0
  let held: RecordedAnswer | undefined
  let count = 0
  for await (const { line, outcome } of results) {
    count++
    progress.to(count, count)
    if (held !== undefined) surroundings.out(lineOf(held))
    held = undefined
    if (outcome instanceof Failure) {
      failed++
      surroundings.err(`line ${line}: ${outcome.message.replaceAll('\n', '\n  ')} (${outcome.code})\n`)
      continue
    }
    tally.set(outcome.decision, (tally.get(outcome.decision) ?? 0) + 1)
    // Alone it is drawn in full, among others it gets a line; the next application tells.
    if (count === 1) held = outcome
    else surroundings.out(lineOf(outcome))
  }
  progress.end()
  if (held !== undefined) surroundings.out(drawAnswer(held, paint))
  else if (count > 1) surroundings.out(sumOf(tally, count, failed))
  return failed === 0 ? 0 : 1
}

function lineOf(answer: RecordedAnswer): string {
  const reasons = answer.reasons.map((reason) => reason.code).join(' ')
  return `${answer.application_id}  ${answer.decision}  ${answer.confidence}  ${reasons}`
    .trimEnd()
    .concat('\n')
}

function sumOf(tally: ReadonlyMap<string, number>, count: number, failed: number): string {
  const parts = [...tally]
    .sort(([a], [b]) => compareText(a, b))
    .map(([decision, times]) => `${times} ${decision}`)
  if (failed > 0) parts.push(`${failed} not decided`)
  return `${counted(count, 'application')}: ${parts.join(', ')}\n`
}
