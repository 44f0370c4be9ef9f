import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { RecordedAnswer } from '../../src/domain/decision.ts'
import { causebook, home, startService, temporaryFolder } from '../support/service.ts'

const example = 'examples/requests/b2.json'

async function requestFor(applicationId: string): Promise<string> {
  const request = JSON.parse(await readFile(path.join(home, example), 'utf8'))
  return JSON.stringify({ ...request, application_id: applicationId })
}

describe('causebook decide', () => {
  it('shows decision, reasons and the chain as a tree; --json gives the answer', async () => {
    await using folder = await temporaryFolder()
    const shown = await causebook(['decide', example], { data: folder.path })
    assert.equal(shown.status, 0, shown.err)
    assert.match(shown.out, /\(confidence [\d.]+\)[\s\S]*└─ [\d.]+ → /)
    assert.ok(!shown.out.includes('\u001b'), 'no colours where nobody watches')
    const json = await causebook(
      ['decide', '-', '--json'],
      { data: folder.path },
      { stdin: await requestFor('cli-2') },
    )
    const answer = RecordedAnswer.parse(JSON.parse(json.out))
    assert.equal(answer.application_id, 'cli-2')
    assert.ok(shown.out.startsWith(answer.decision))
  })

  it('decides NDJSON line by line, names bad lines, goes on, and ends with 1', async () => {
    await using folder = await temporaryFolder()
    const lines = [
      await requestFor('nd-1'),
      '',
      '{"application_id": }',
      await requestFor('nd-2'),
      (await requestFor('nd-3')).replace('us-consumer', 'nobody'),
      `\u{feff}${await requestFor('nd-4')}\r`,
    ]
    const { status, out, err } = await causebook(
      ['decide', '-', '--json'],
      { data: folder.path },
      { stdin: lines.join('\n') },
    )
    assert.equal(status, 1, err)
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      answers.map((answer) => answer.application_id ?? [answer.error.line, answer.error.code]),
      ['nd-1', [3, 'BODY_NOT_JSON'], 'nd-2', [5, 'POLICY_UNKNOWN'], 'nd-4'],
    )
    const text = await causebook(['decide', '-'], { data: folder.path }, { stdin: lines.join('\n') })
    assert.match(text.out, /^nd-1 {2}\S+ {2}[\d.]+/)
    assert.match(text.out, /^5 applications: .*2 not decided$/m)
    assert.match(text.err, /^line 3: standard input:3: line 1, column 20: .* \(BODY_NOT_JSON\)$/m)
  })

  it('reads one application over many lines', async () => {
    await using folder = await temporaryFolder()
    const pretty = JSON.stringify(JSON.parse(await requestFor('pretty')), null, 2)
    const { status, err } = await causebook(
      ['decide', '-'],
      { data: folder.path },
      { stdin: `\n${pretty}\n` },
    )
    assert.equal(status, 0, err)
    const cut = await causebook(['decide', '-'], { data: folder.path }, { stdin: pretty.slice(0, -3) })
    assert.equal(cut.status, 1)
    assert.match(cut.err, /BODY_NOT_JSON/)
    const empty = await causebook(['decide', '-'], { data: folder.path })
    assert.equal(empty.status, 1)
    assert.match(empty.err, /BODY_MISSING/)
  })
})

describe('causebook verify and replay', () => {
  it('finds what was changed behind its back, and says where', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    const stdin = [await requestFor('v-1'), await requestFor('v-2')].join('\n')
    assert.equal((await causebook(['decide', '-'], folders, { stdin })).status, 0)
    assert.equal((await causebook(['verify'], folders)).out, '2 decisions, 3 records: the ledger verifies\n')
    assert.equal((await causebook(['replay', '--all'], folders)).out, '2 of 2 identical\n')

    const db = new DatabaseSync(path.join(folder.path, 'causebook.db'))
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
      db.exec(`DROP TRIGGER "${name}"`)
    }
    db.exec(`UPDATE facts SET value = '"4001"' WHERE application_id = 'v-2' AND fact = 'monthly_income'`)
    db.close()
    const verified = await causebook(['verify', '--json'], folders)
    assert.equal(verified.status, 1)
    assert.equal(JSON.parse(verified.out).verifies, false)
    const shown = await causebook(['verify'], folders)
    assert.match(shown.err, /^record 3 of \S+: /m)
    assert.match(shown.out, /does NOT verify: \d+ faults?$/m)
    const replayed = await causebook(['replay', '--all'], folders)
    assert.equal(replayed.status, 1)
    assert.equal(replayed.out, '1 of 2 identical\n')
    assert.match(replayed.err, /differs\n {2}fact `monthly_income` version 1 is gone or changed/)
  })
})

describe('causebook graph', () => {
  it('applies everything to an empty store, and makes a later migration wait to be applied', async () => {
    await using folder = await temporaryFolder()
    const graph = path.join(folder.path, 'graph')
    const folders = { data: path.join(folder.path, 'data'), graph }
    await mkdir(path.join(graph, 'migrations'), { recursive: true })
    const base = 'migrations/V0001__base.yaml'
    await copyFile(path.join(home, 'graph', base), path.join(graph, base))
    assert.equal((await causebook(['decide', example], folders)).status, 0)
    assert.equal((await causebook(['graph', 'status'], folders)).status, 0)

    await writeFile(path.join(graph, 'migrations/V0002__later.yaml'), later)
    const status = await causebook(['graph', 'status'], folders)
    assert.equal(status.status, 1)
    assert.match(status.out, /^V0001 {2}applied .*\nV0002 {2}pending {2}/)
    {
      await using service = await startService(folders)
      assert.match(
        service.output(),
        /NOT READY {2}graph: V0002 waits to be applied: run `causebook graph migrate`/,
      )
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    }
    assert.equal((await causebook(['graph', 'migrate'], folders)).out, 'applied V0002\n')
    assert.equal((await causebook(['graph', 'migrate'], folders)).out, 'nothing waits\n')
    assert.equal((await causebook(['graph', 'status'], folders)).status, 0)
    assert.equal((await causebook(['replay', '--all'], folders)).out, '1 of 1 identical\n')

    await writeFile(path.join(graph, base), `${await readFile(path.join(graph, base), 'utf8')}\n# edited\n`)
    const edited = await causebook(['graph', 'migrate'], folders)
    assert.equal(edited.status, 1)
    assert.match(edited.err, /GRAPH_MIGRATION_EDITED/)
    assert.match((await causebook(['graph', 'status'], folders)).out, /^V0001 {2}edited/)
  })
})

const later = `migration: V0002
title: One more event type
author: test
operations:
  - {op: add_event_type, id: one_more, text: {en: One more, zh: 又一个}}
`

describe('causebook', () => {
  const folders = { data: '/nonexistent/data' }

  it('teaches each command by example', async () => {
    const overview = await causebook(['--help'], folders)
    assert.equal(overview.status, 0)
    const names = ['serve', 'decide', 'verify', 'replay', 'graph migrate', 'graph status']
    for (const name of names) assert.ok(overview.out.includes(`  ${name} `), name)
    for (const name of names) {
      const { status, out } = await causebook([...name.split(' '), '--help'], folders)
      assert.equal(status, 0)
      assert.match(out, new RegExp(`^causebook ${name}[\\s\\S]*\\n {2}(\\S+=\\S+ )*causebook ${name}`))
    }
  })

  it('ends with 2 when called wrongly, and says what would be right', async () => {
    const cases: [string[], RegExp][] = [
      [[], /Usage/],
      [['sevre'], /did you mean `serve`\?/],
      [['decide'], /expected one file, or `-`/],
      [['decide', 'no-such-file.json'], /no-such-file\.json: the file can't be read \(ENOENT\)/],
      [['verify', '--jsn'], /Unknown option '--jsn'; its options are --json/],
      [['replay'], /expected the id of one decision, or `--all`/],
      [['replay', 'x', '--all'], /expected the id of one decision, or `--all`/],
      [['graph'], /expected `graph migrate` or `graph status`/],
      [['serve', 'now'], /expected no further words; got 1/],
    ]
    await using folder = await temporaryFolder()
    for (const [args, why] of cases) {
      const { status, out, err } = await causebook(args, { data: folder.path })
      assert.equal(status, 2, `${args.join(' ')}: ${err}`)
      assert.match(out + err, why)
      assert.doesNotMatch(err, /\bat .*\.ts:/, 'no stack trace')
    }
    const wrong = await causebook(
      ['serve'],
      { data: folder.path },
      { env: { CAUSEBOOK_HOST: 'a b', CAUSEBOOK_PROT: '1' } },
    )
    assert.equal(wrong.status, 2)
    assert.match(wrong.err, /CAUSEBOOK_HOST: [\s\S]*CAUSEBOOK_PROT: |CAUSEBOOK_PROT: [\s\S]*CAUSEBOOK_HOST: /)
  })

  it('does not listen beyond this machine while there is no access key', async () => {
    await using folder = await temporaryFolder()
    const env = { CAUSEBOOK_HOST: '0.0.0.0', CAUSEBOOK_PORT: '0' }
    const { status, err } = await causebook(['serve'], { data: folder.path }, { env })
    assert.equal(status, 2)
    assert.match(err, /CAUSEBOOK_HOST: expected a loopback address .* while no access key is active/)
  })

  it('a first start refuses a broken pack, naming file and line; nothing is decided without any pack', async () => {
    await using folder = await temporaryFolder()
    const rules = path.join(folder.path, 'rules')
    await mkdir(path.join(rules, 'broken'), { recursive: true })
    const folders = { data: path.join(folder.path, 'data'), rules }
    // The service waits for one.
    assert.match((await causebook(['decide', '-'], folders)).err, /NO_RULES/)
    await writeFile(path.join(rules, 'broken/policy.yaml'), 'policy: [')
    await writeFile(path.join(rules, 'broken/rule.yaml'), new Uint8Array([0x61, 0x0a, 0xff]))
    const { status, err } = await causebook(['serve'], folders)
    assert.equal(status, 1)
    assert.match(err, /broken\/rule\.yaml:2: the file is not UTF-8/)
  })
})
