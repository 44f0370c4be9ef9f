import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalJson } from '../../src/audit/canonical.ts'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { germanApplications, germanFolders } from '../support/german-applicants.ts'
import { causebook, type Folders, startService, temporaryFolder } from '../support/service.ts'

const kills = process.env.CAUSEBOOK_SOAK === '1' ? 20 : 2
const connections = 16

describe('1000 real applicants', () => {
  it(`are decided through ${kills} kill -9; every acknowledged decision is in the ledger, which verifies`, async () => {
    await using folder = await temporaryFolder()
    const folders = { ...germanFolders, data: folder.path }
    const applications = await germanApplications()
    const seed = Number(process.env.CAUSEBOOK_SEED ?? Math.floor(Math.random() * 0x7fffffff))
    console.log(`kill -9: ${kills} kills, seed ${seed}`)
    const random = randomNumbers(seed)
    const acknowledged = new Map<string, RecordedAnswer>()
    const share = Math.floor(applications.length / (kills + 1))
    for (let kill = 1; kill <= kills; kill++) {
      const until = Math.round(share * (kill - 1 + random()))
      await decideUntilKilled(folders, applications, acknowledged, until, random() * 25)
      await assertRecorded(folders, acknowledged)
    }
    await decideAll(folders, applications, acknowledged)
    assert.equal(acknowledged.size, applications.length)
    await assertRecorded(folders, acknowledged)

    const replayed = await causebook(['replay', '--all', '--json'], folders)
    assert.equal(replayed.status, 0, replayed.err)
    const ids = new Set(linesOf(replayed.out).map((line) => JSON.parse(line).decision_id))
    for (const answer of acknowledged.values())
      assert.ok(ids.has(answer.decision_id), 'replayed with the rest')
  })

  it('get the same decisions and chains on every run from an empty folder', async () => {
    await using folder = await temporaryFolder()
    const input = (await germanApplications()).join('\n')
    const runs: string[][] = []
    for (const [run, TZ] of ['UTC', 'Asia/Shanghai'].entries()) {
      const folders = { ...germanFolders, data: path.join(folder.path, String(run)) }
      const { status, out, err } = await causebook(['decide', '-', '--json'], folders, {
        stdin: input,
        env: { TZ },
      })
      assert.equal(status, 0, err)
      runs.push(linesOf(out).map((line) => canonicalJson(decisionAndChains(JSON.parse(line)))))
    }
    assert.equal(runs[0]?.length, 1000)
    assert.deepEqual(runs[0], runs[1])
  })
})

/** Decides until so many are acknowledged, waits a little, and kills the service in the middle of the rest. */
async function decideUntilKilled(
  folders: Folders,
  applications: readonly string[],
  acknowledged: Map<string, RecordedAnswer>,
  until: number,
  thenMs: number,
): Promise<void> {
  await using service = await startService(folders)
  const killing = Promise.withResolvers<void>()
  if (acknowledged.size >= until) killing.resolve()
  const work = send(service.url, applications, acknowledged, () => {
    if (acknowledged.size >= until) killing.resolve()
  })
  await Promise.race([killing.promise, work])
  await sleep(thenMs)
  await service.kill()
  await work
}

async function decideAll(
  folders: Folders,
  applications: readonly string[],
  acknowledged: Map<string, RecordedAnswer>,
): Promise<void> {
  await using service = await startService(folders)
  await send(service.url, applications, acknowledged, () => {})
  assert.equal(await service.stop(), 0)
}

/** Sends what is not acknowledged yet; gives up silently once the service is gone. */
async function send(
  url: string,
  applications: readonly string[],
  acknowledged: Map<string, RecordedAnswer>,
  onAnswer: () => void,
): Promise<void> {
  const left = applications.filter((text) => !acknowledged.has(idOf(text)))
  const worker = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      try {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`${url}/v1/decisions`, { method: 'POST', headers, body })
        const answer = (await response.json()) as RecordedAnswer
        assert.equal(response.status, 200, JSON.stringify(answer))
        acknowledged.set(idOf(body), answer)
        onAnswer()
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

async function assertRecorded(
  folders: Folders,
  acknowledged: ReadonlyMap<string, RecordedAnswer>,
): Promise<void> {
  const verified = await causebook(['verify', '--json'], folders)
  assert.equal(verified.status, 0, verified.out)
  const report = JSON.parse(verified.out) as { decisions: number }
  assert.ok(report.decisions >= acknowledged.size)
  await using service = await startService(folders)
  for (const answer of acknowledged.values()) {
    const found = await fetch(`${service.url}/v1/decisions/${answer.decision_id}`)
    assert.equal(await found.text(), canonicalJson(answer), 'the ledger has what was answered')
  }
}

function idOf(text: string): string {
  return (JSON.parse(text) as { application_id: string }).application_id
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split('\n')
}

function decisionAndChains({
  application_id,
  decision,
  confidence,
  chains,
  other_outcomes,
  reasons,
}: RecordedAnswer) {
  return { application_id, decision, confidence, chains, other_outcomes, reasons }
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
