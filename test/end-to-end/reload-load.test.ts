import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import { RulesReport } from '../../src/domain/rules-report.ts'
import { refused } from '../support/hostile-files.ts'
import { causebook, home, type RunningService, startService, temporaryFolder } from '../support/service.ts'
import {
  putSwitching,
  type Side,
  switchingRequest,
  switchingRule,
  switchTo,
} from '../support/switching-pack.ts'

const soaking = process.env.CAUSEBOOK_SOAK === '1'
const swaps = soaking ? 300 : 30
const clients = 8
const quick = { CAUSEBOOK_RULES_SETTLE_MS: '20', CAUSEBOOK_DEADLINE_MS: '60000' }

async function report({ url }: RunningService) {
  const response = await fetch(`${url}/v1/rules`)
  const { policies } = RulesReport.parse(await response.json())
  const [policy] = policies
  assert.ok(policy !== undefined)
  return policy
}

/** Waits until `GET /v1/rules` shows what is asked for. */
async function shown(
  service: RunningService,
  holds: (policy: Awaited<ReturnType<typeof report>>) => boolean,
) {
  const untilMs = performance.now() + 30_000
  for (;;) {
    const policy = await report(service)
    if (holds(policy)) return policy
    if (performance.now() > untilMs) throw new Error(`it was not shown:\n${service.output()}`)
    await sleep(5)
  }
}

async function decide({ url }: RunningService, applicationId: string): Promise<RecordedAnswer> {
  const response = await fetch(`${url}/v1/decisions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switchingRequest(applicationId)),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text)
}

describe('a service whose rules change under load', () => {
  it(`${clients} clients, ${swaps} swaps: every answer is that of one set, and of the one that was shown last`, async () => {
    await using folder = await temporaryFolder()
    const { rules, graph } = await putSwitching(folder.path, 'approve')
    const folders = { data: path.join(folder.path, 'data'), rules, graph }
    await using service = await startService(folders, quick)
    const sideOf = new Map<string, Side>([[(await report(service)).set, 'approve']])
    let newest = (await report(service)).set
    let isOver = false
    const answers: { readonly set: string; readonly decision: string; readonly newest: string }[] = []
    const client = async (name: number) => {
      for (let count = 0; !isOver; count++) {
        const before = newest
        const answer = await decide(service, `load-${name}-${count}`)
        answers.push({ set: answer.rules.set, decision: answer.decision, newest: before })
      }
    }
    const running = Promise.all(Array.from({ length: clients }, (_, name) => client(name)))
    const order = [newest]
    for (let swap = 1; swap <= swaps; swap++) {
      const side = swap % 2 === 0 ? 'approve' : 'manual_review'
      await switchTo(rules, side, `swap-${swap}`)
      const { set } = await shown(service, (policy) => policy.set !== newest)
      sideOf.set(set, side)
      order.push(set)
      newest = set
    }
    isOver = true
    await running
    const places = new Map(order.map((set, place) => [set, place]))
    for (const { set, decision, newest: known } of answers) {
      assert.equal(decision, sideOf.get(set), 'the answer is that of the set it names')
      // Asked after a set was shown, none is decided by one before it.
      assert.ok((places.get(set) ?? -1) >= (places.get(known) ?? 0), 'not by a set before the one shown')
    }
    assert.equal(new Set(order).size, swaps + 1)
    console.log(
      `reload under load: ${answers.length} answers over ${swaps} swaps, 0 failed, 0 by an older set`,
    )
    assert.equal(await service.stop(), 0)
    const verified = JSON.parse((await causebook(['verify', '--json'], folders)).out)
    assert.equal(verified.verifies, true)
    assert.equal(verified.decisions, answers.length)
  })

  it('a broken file changes no answer; it is shown, counted and logged, and good again without a restart', async () => {
    await using folder = await temporaryFolder()
    const { rules, graph } = await putSwitching(folder.path, 'approve')
    await using service = await startService({ data: path.join(folder.path, 'data'), rules, graph }, quick)
    const { set } = await report(service)
    const rule = path.join(rules, 'test-pack/switch.yaml')
    await writeFile(rule, switchingRule('manual_review').replace('loan_amount', 'loan_ammount'))
    const { failure } = await shown(service, (policy) => policy.failure !== null)
    assert.match(failure?.errors[0]?.at ?? '', /^test-pack\/switch\.yaml:5:\d+$/)
    assert.match(failure?.errors[0]?.why ?? '', /did you mean `loan_amount`\?/)
    const answer = await decide(service, 'broken-1')
    assert.deepEqual([answer.rules.set, answer.decision], [set, 'approve'])
    const ready = (await (await fetch(`${service.url}/readyz`)).json()) as { ready: boolean }
    assert.equal(ready.ready, true)
    assert.match(JSON.stringify(ready), /test-pack failing since .*loan_ammount/)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(metrics, /^causebook_rule_reloads_total\{result="bad"\} 1$/m)
    assert.match(metrics, /^causebook_decisions_total\{decision="approve"\} 1$/m)
    assert.match(metrics, /^causebook_ledger_records\{writer="embedded"\} 3$/m)
    assert.match(service.output(), /^rules test-pack: refused, sha256:\w+ goes on deciding: .*loan_ammount/m)
    await switchTo(rules, 'approve')
    assert.equal((await shown(service, (policy) => policy.failure === null)).set, set)
    assert.match(service.output(), /^rules test-pack: good again/m)
  })

  it('hostile files change no answer, and take nobody out of service', async () => {
    await using folder = await temporaryFolder()
    const { rules, graph } = await putSwitching(folder.path, 'approve')
    await using service = await startService({ data: path.join(folder.path, 'data'), rules, graph }, quick)
    const { set } = await report(service)
    const evil = path.join(rules, 'test-pack/evil.yaml')
    for (const [what, text] of Object.entries(refused)) {
      await writeFile(evil, text)
      await shown(service, (policy) => policy.failure !== null)
      const answer = await decide(service, `evil-${what.replaceAll(/[^a-z0-9]/gi, '-')}`)
      assert.deepEqual([answer.rules.set, answer.decision], [set, 'approve'], what)
      await rm(evil)
      await shown(service, (policy) => policy.failure === null)
    }
    assert.equal((await shown(service, (policy) => policy.failure === null)).set, set)
  })

  it('a file lost while the service was down is noticed, and what was in force decides', async () => {
    await using folder = await temporaryFolder()
    const { rules, graph } = await putSwitching(folder.path, 'manual_review')
    const folders = { data: path.join(folder.path, 'data'), rules, graph }
    let set: string
    {
      await using service = await startService(folders, quick)
      set = (await report(service)).set
      assert.equal(await service.stop(), 0)
    }
    await writeFile(path.join(rules, 'test-pack/switch.yaml'), '# a sync that lost the rest\n')
    await using service = await startService(folders, quick)
    const policy = await report(service)
    assert.equal(policy.set, set)
    assert.ok(policy.failure !== null)
    assert.equal((await decide(service, 'lost-1')).decision, 'manual_review')
    // The same on the command line.
    const file = path.join(folder.path, 'request.json')
    await writeFile(file, JSON.stringify(switchingRequest('lost-2')))
    const decided = await causebook(['decide', file], folders)
    assert.equal(decided.status, 1)
  })

  it('rules that are not there yet are waited for: not ready, then live', async () => {
    await using folder = await temporaryFolder()
    const graph = (await putSwitching(path.join(folder.path, 'elsewhere'), 'approve')).graph
    const rules = path.join(folder.path, 'later/rules')
    await using service = await startService({ data: path.join(folder.path, 'data'), rules, graph }, quick)
    assert.match(service.output(), /NOT READY {2}rules: no policy is loaded/)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    await putSwitching(path.join(folder.path, 'later'), 'approve')
    const untilMs = performance.now() + 30_000
    while ((await fetch(`${service.url}/readyz`)).status !== 200) {
      assert.ok(performance.now() < untilMs, service.output())
      await sleep(20)
    }
    assert.equal((await decide(service, 'later-1')).decision, 'approve')
  })

  it('a pack that is bad for longer than allowed decides nothing, until it is good again', async () => {
    await using folder = await temporaryFolder()
    const { rules, graph } = await putSwitching(folder.path, 'approve')
    const folders = { data: path.join(folder.path, 'data'), rules, graph }
    await using service = await startService(folders, { ...quick, CAUSEBOOK_RULES_FAILING_MAX_S: '1' })
    await writeFile(path.join(rules, 'test-pack/switch.yaml'), 'x: [')
    await shown(service, (policy) => policy.failure !== null)
    await sleep(1100)
    const response = await fetch(`${service.url}/v1/decisions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(switchingRequest('failing-1')),
    })
    assert.equal(response.status, 503)
    assert.match(await response.text(), /urn:causebook:problem:rules-failing/)
    await switchTo(rules, 'approve')
    await shown(service, (policy) => policy.failure === null)
    assert.equal((await decide(service, 'failing-1')).decision, 'approve')
  })

  it('the heap after many reloads is what it was after the first fifty, within 10 %', () => {
    const [reloads, decisions] = soaking ? [1000, 20] : [200, 4]
    const script = path.join(home, 'test/support/reload-heap.ts')
    const args = ['--expose-gc', script, String(reloads), String(decisions)]
    const out = execFileSync(process.execPath, args, { encoding: 'utf8' })
    console.log(out.trim())
    const [, early, late] = /after 50 reloads: (\d+) bytes, after \d+: (\d+)/.exec(out) ?? []
    assert.ok(Number(late) <= Number(early) * 1.1, out)
  })
})
