import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { RecordedAnswer } from '../../src/domain/decision.ts'
import { causebook, home, startService, temporaryFolder } from '../support/service.ts'

describe('causebook serve', () => {
  it('suggests a request that gives a decision with a causal chain, recorded and readable again', async () => {
    await using folder = await temporaryFolder()
    await using service = await startService({ data: folder.path })
    const line = /curl -s (\S+) -H '([^']+)' -d @(\S+)/.exec(service.output())
    assert.ok(line !== null, service.output())
    const [, address = '', header = '', file = ''] = line
    const readme = await readFile(path.join(home, 'README.md'), 'utf8')
    const published = line[0].replace(/:\d+/, ':8080')
    assert.ok(readme.includes(published), `the README has the same line: ${published}`)
    const [name = '', value = ''] = header.split(': ')
    const body = await readFile(path.join(home, file))
    const response = await fetch(address, { method: 'POST', headers: { [name]: value }, body })
    const text = await response.text()
    assert.equal(response.status, 200, text)

    const answer = RecordedAnswer.parse(JSON.parse(text))
    assert.ok(answer.chains.length > 0)
    assert.equal(text, canonicalJson(answer), 'the answer is canonical JSON')
    const location = response.headers.get('location') ?? ''
    assert.equal(location, `/v1/decisions/${answer.decision_id}`)
    assert.equal(await (await fetch(`${service.url}${location}`)).text(), text, 'read again, the same bytes')

    const chains = await (await fetch(`${service.url}${location}/chains`)).json()
    assert.deepEqual((chains as RecordedAnswer).chains, answer.chains)
    const tree = await fetch(`${service.url}${location}/chains?format=tree`)
    assert.match(tree.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(await tree.text(), new RegExp(`^${answer.decision} .*[\\s\\S]*└─`))

    const facts = await fetch(
      `${service.url}/v1/applications/${encodeURIComponent(answer.application_id)}/facts`,
    )
    const memory = (await facts.json()) as {
      application_id: string
      facts: { fact: string; version: number }[]
    }
    assert.equal(memory.application_id, answer.application_id)
    assert.ok(memory.facts.length > 0)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)

    assert.equal(await service.stop(), 0, 'it ends when asked to')
    assert.match(
      (await causebook(['verify'], { data: folder.path })).out,
      /^1 decision, 4 records: the ledger verifies$/m,
    )
    const again = await causebook(['replay', answer.decision_id], { data: folder.path })
    assert.equal(again.out, `${answer.decision_id}: identical\n`)
  })

  it('finishes what is under way when asked to end', async () => {
    await using folder = await temporaryFolder()
    await using service = await startService({ data: folder.path })
    const request = await readFile(path.join(home, 'examples/requests/b2.json'), 'utf8')
    const sent = Array.from({ length: 20 }, (_, index) => {
      const body = request.replace(/"application_id":\s*"[^"]*"/, `"application_id": "stop-${index}"`)
      return fetch(`${service.url}/v1/decisions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    })
    await Promise.race(sent)
    const status = service.stop()
    const answers = await Promise.allSettled(sent)
    assert.equal(await status, 0)
    const decided = answers.filter(
      (answer) => answer.status === 'fulfilled' && answer.value.status === 200,
    ).length
    const { out } = await causebook(['verify', '--json'], { data: folder.path })
    const report = JSON.parse(out) as { verifies: boolean; decisions: number }
    assert.equal(report.verifies, true)
    assert.ok(report.decisions >= decided && decided > 0, `${report.decisions} recorded, ${decided} answered`)
  })
})
