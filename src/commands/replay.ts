import type { ReplayResult } from '../decision/decision-service.ts'
import { openReplay } from '../decision/replay.ts'
import { Failure } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import type { Command, Surroundings } from './command.ts'
import { openExistingStore } from './open-existing-store.ts'
import { startProgress } from './progress.ts'

export const replay: Command = {
  name: 'replay',
  summary: 'decide again from the record and compare, byte by byte',
  help: `causebook replay ID|--all [--json]

Decides again from the record alone: rule set, graph position, fact versions and clock reading of
then. Needs only the store. Says \`identical\`, or what differs.

  causebook replay 0b5c1d4e-6a0e-4c2d-9d8c-0f3f3a1a2b4c
  causebook replay --all
  causebook replay --all --json > replayed.ndjson

Exit status 1 when a decision differs.
`,
  options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  words: { from: 0, to: 1, names: 'the id of one decision, or `--all`' },
  async run(call, surroundings) {
    const id = call.words[0]
    if ((id === undefined) !== call.flags.has('all')) {
      throw new Failure('USAGE', { at: '', why: 'expected the id of one decision, or `--all`' })
    }
    await using store = await openExistingStore(surroundings.config(), surroundings)
    const json = call.flags.has('json')
    if (id === undefined) return await replayAll(store, json, surroundings)
    const result = await openReplay(store)(id)
    surroundings.out(json ? `${jsonOf(result)}\n` : sentenceOf(result))
    return result.identical ? 0 : 1
  },
}

const pageSize = 200

async function replayAll(store: Store, json: boolean, surroundings: Surroundings): Promise<0 | 1> {
  const replayOne = openReplay(store)
  const total = await countDecisions(store)
  const progress = startProgress('replaying', surroundings)
  let done = 0
  let identical = 0
  for await (const decisionId of decisionIds(store)) {
    const result = await replayOne(decisionId)
    done++
    if (result.identical) identical++
    if (json) surroundings.out(`${jsonOf(result)}\n`)
    else if (!result.identical) surroundings.err(sentenceOf(result))
    progress.to(done, Math.max(total, done))
  }
  progress.end()
  if (!json) surroundings.out(`${identical} of ${done} identical\n`)
  return identical === done ? 0 : 1
}

async function* decisionIds(store: Store): AsyncGenerator<string> {
  let after: { writer: string; seq: number } | undefined
  for (;;) {
    const page = await store.listDecisions(after, pageSize)
    for (const { decisionId } of page) yield decisionId
    const last = page.at(-1)?.record
    if (last === undefined) return
    after = { writer: last.writer, seq: last.seq }
  }
}

/** About how many decisions there are: records of each writer's ledger; good enough for a progress bar. */
async function countDecisions(store: Store): Promise<number> {
  let count = 0
  for await (const _ of decisionIds(store)) count++
  return count
}

function jsonOf({ decisionId, identical, differences }: ReplayResult): string {
  return JSON.stringify({ decision_id: decisionId, identical, differences })
}

function sentenceOf({ decisionId, identical, differences }: ReplayResult): string {
  if (identical) return `${decisionId}: identical\n`
  return `${decisionId}: differs\n${differences.map((line) => `  ${line}\n`).join('')}`
}
