import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { openTestService } from '../support/open-test-service.ts'
import { causebook, home, startService, temporaryFolder } from '../support/service.ts'

interface Report {
  readonly ok: boolean
  readonly findings: readonly {
    readonly check: string
    readonly state: string
    readonly saw: string
    readonly todo?: string
    readonly details?: readonly string[]
  }[]
}

interface Setting {
  readonly data: string
  readonly rules?: string
  readonly graph?: string
}

async function doctor(
  setting: Setting,
  env: Record<string, string> = {},
): Promise<Report & { status: number | null }> {
  const { status, out, err } = await causebook(['doctor', '--json'], setting, { env })
  assert.equal(err, '')
  return { status, ...(JSON.parse(out) as Report) }
}

function problems({ findings }: Report): readonly string[] {
  return findings.filter(({ state }) => state === 'problem').map(({ check }) => check)
}

/** Names, sizes and content of everything in a folder; SQLite's index of its log only holds locks. */
function contentOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return ['nothing']
  return readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .sort()
    .map((name) => {
      const content = readFileSync(path.join(folder, name))
      return `${name} ${content.length} ${createHash('sha256').update(content).digest('hex')}`
    })
}

/** A store with one decision, made at a time. */
async function decideOnce(data: string, now: string): Promise<void> {
  await using store = await openSqliteStore(path.join(data, 'causebook.db'))
  const { service } = await openTestService(now, { store })
  const request = readFileSync(path.join(home, 'examples/requests/b2.json'), 'utf8')
  await service.decide(readRequest(readJson(request)), 'test')
}

describe('causebook doctor', () => {
  it('finds a fresh installation well, names every part, and makes nothing', async () => {
    await using folder = await temporaryFolder()
    const data = path.join(folder.path, 'none', 'yet')
    const { status, out } = await causebook(['doctor'], { data })
    assert.equal(status, 0, out)
    assert.equal(existsSync(path.join(folder.path, 'none')), false)
    for (const check of ['configuration', 'store', 'packs', 'graph', 'clock', 'disk', 'keys']) {
      assert.match(out, new RegExp(`^(ok|warning) +${check} +\\S`, 'm'))
    }
    assert.doesNotMatch(out, /^problem/m)
  })

  it('changes nothing of a store: closed well, in use, or left behind by a crash', async () => {
    await using folder = await temporaryFolder()
    const data = folder.path
    await decideOnce(data, '2026-06-01T14:00:00Z')
    const [closed, files] = [contentOf(data), readdirSync(data)]
    const report = await doctor({ data })
    assert.equal(report.status, 0, JSON.stringify(report))
    assert.match(
      report.findings.find(({ check }) => check === 'ledger')?.saw ?? '',
      /^the last \d records verify$/,
    )
    assert.deepEqual(contentOf(data), closed)
    // Not even a file that only holds locks.
    assert.deepEqual(readdirSync(data), files)
    await using service = await startService({ data })
    const body = readFileSync(path.join(home, 'examples/requests/b3.json'))
    const headers = { 'content-type': 'application/json' }
    assert.equal((await fetch(`${service.url}/v1/decisions`, { method: 'POST', body, headers })).status, 200)
    // The service writes down the end of its ledger in its own time.
    const ours = () => contentOf(data).filter((line) => !line.startsWith('ledger-head.json'))
    const inUse = ours()
    assert.equal((await doctor({ data })).status, 0)
    assert.deepEqual(ours(), inUse)
    await service.kill()
    const left = contentOf(data)
    const after = await doctor({ data })
    assert.equal(after.status, 0, JSON.stringify(after))
    assert.deepEqual(contentOf(data), left)
  })

  it('names every error of the configuration at once', async () => {
    await using folder = await temporaryFolder()
    const env = { CAUSEBOOK_PORT: 'x', CAUSEBOOK_STORE: 'somewhere', CAUSEBOOK_HOSTS: 'a' }
    const { status, findings } = await doctor({ data: folder.path }, env)
    assert.equal(status, 1)
    const details = findings[0]?.details ?? []
    for (const name of Object.keys(env))
      assert.ok(
        details.some((line) => line.startsWith(`${name}: `)),
        name,
      )
  })

  it('finds a broken pack, an edited migration and one that waits', async () => {
    await using folder = await temporaryFolder()
    const [data, rules, graph] = ['data', 'rules', 'graph'].map((name) => path.join(folder.path, name))
    if (data === undefined || rules === undefined || graph === undefined) throw new Error('three names')
    cpSync(path.join(home, 'rules'), rules, { recursive: true })
    cpSync(path.join(home, 'graph'), graph, { recursive: true })
    await decideOnce(data, '2026-06-01T14:00:00Z')
    writeFileSync(path.join(rules, 'us-consumer', 'US-02a.yaml'), 'rule_id: [')
    const migrations = path.join(graph, 'migrations')
    const [first = ''] = readdirSync(migrations)
      .filter((name) => name.endsWith('.yaml'))
      .sort()
    appendFileSync(path.join(migrations, first), '# edited\n')
    const broken = await doctor({ data, rules, graph })
    assert.equal(broken.status, 1)
    assert.deepEqual(problems(broken), ['packs', 'graph'])
    assert.match(JSON.stringify(broken.findings), /US-02a\.yaml:1/)
    assert.match(JSON.stringify(broken.findings), /V0001: edited/)
    cpSync(path.join(home, 'graph', 'migrations', first), path.join(migrations, first))
    cpSync(path.join(home, 'rules'), rules, { recursive: true })
    const number = `V${String(readdirSync(migrations).filter((name) => name.endsWith('.yaml')).length + 1).padStart(4, '0')}`
    const next = [
      `migration: ${number}`,
      'title: one more',
      'author: a',
      'approved_by: b',
      'operations:',
      '  - {op: add_event_type, id: one_more, text: {en: One more, zh: 再一}}',
    ].join('\n')
    writeFileSync(path.join(migrations, `${number}__more.yaml`), `${next}\n`)
    const waiting = await doctor({ data, rules, graph })
    assert.deepEqual(problems(waiting), ['graph'])
    assert.match(JSON.stringify(waiting.findings), /V\d{4} not applied yet.*graph migrate/)
  })

  it('finds a changed record, a clock that ran backwards, and a store of another kind', async () => {
    await using folder = await temporaryFolder()
    const data = folder.path
    const file = path.join(data, 'causebook.db')
    await decideOnce(data, '2098-06-01T14:00:00Z')
    const backwards = await doctor({ data })
    assert.deepEqual(problems(backwards), ['clock'])
    assert.match(JSON.stringify(backwards.findings), /newest record is of 2098-06-01.* ran backwards/)
    const db = new DatabaseSync(file)
    db.exec('PRAGMA writable_schema = ON')
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
      db.exec(`DROP TRIGGER ${name}`)
    }
    db.exec("UPDATE ledger SET actor = 'somebody else' WHERE seq = 2")
    db.close()
    const tampered = await doctor({ data })
    assert.ok(problems(tampered).includes('ledger'), JSON.stringify(tampered))
    assert.match(JSON.stringify(tampered.findings), /record 2 of /)
    writeFileSync(
      file,
      'no database at all, but a text that is long enough to be taken for a header of one\n'.repeat(20),
    )
    const other = await doctor({ data })
    assert.deepEqual(problems(other), ['store'])
  })

  it('finds that nobody may call, and that a key soon ends', async () => {
    await using folder = await temporaryFolder()
    const setting = { data: folder.path }
    const open = await doctor(setting, { CAUSEBOOK_HOST: '0.0.0.0' })
    assert.deepEqual(problems(open), ['keys'])
    const expires = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const made = await causebook(
      ['keys', 'create', '--role', 'underwriter', '--name', 'core', '--expires', expires, '--json'],
      setting,
    )
    assert.equal(made.status, 0, made.err)
    const soon = await doctor(setting, { CAUSEBOOK_HOST: '0.0.0.0' })
    assert.equal(soon.status, 0)
    assert.match(JSON.stringify(soon.findings), /"keys","state":"warning".*\(core\) on/)
    const { id } = JSON.parse(made.out)
    assert.equal((await causebook(['keys', 'revoke', id], setting)).status, 0)
    assert.deepEqual(problems(await doctor(setting)), ['keys'])
  })

  it('takes no words, and says how it is called', async () => {
    await using folder = await temporaryFolder()
    const wrong = await causebook(['doctor', 'please'], { data: folder.path })
    assert.equal(wrong.status, 2)
    assert.match((await causebook(['doctor', '--help'], { data: folder.path })).out, /Changes nothing/)
  })
})
