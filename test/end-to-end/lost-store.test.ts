import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { causebook, home, startService, temporaryFolder } from '../support/service.ts'

const example = 'examples/requests/b2.json'
const body = readFileSync(path.join(home, example))
const headers = { 'content-type': 'application/json' }

async function ask(url: string): Promise<{ status: number; code: string }> {
  const response = await fetch(`${url}/v1/decisions`, { method: 'POST', body, headers })
  const { type = '' } = (await response.json()) as { type?: string }
  return { status: response.status, code: type.replace('urn:causebook:problem:', '') }
}

describe('a store that is gone', () => {
  it('is answered 503, by decisions and readiness, also beside a store made in its place, until the next start', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: path.join(folder.path, 'data') }
    await using service = await startService(folders)
    assert.equal((await ask(service.url)).status, 200)
    rmSync(folders.data, { recursive: true })
    assert.deepEqual(await ask(service.url), { status: 503, code: 'store-unavailable' })
    const ready = await fetch(`${service.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /causebook\.db: this file was removed or replaced/)
    assert.equal((await causebook(['decide', example], folders)).status, 0)
    assert.deepEqual(await ask(service.url), { status: 503, code: 'store-unavailable' })
    assert.equal(await service.stop(), 0)
    assert.match((await causebook(['verify'], folders)).out, /^1 decision, .*verifies$/m)
  })
})

describe('commands that only look', () => {
  it('say that there is no store, and make none', async () => {
    await using folder = await temporaryFolder()
    const data = path.join(folder.path, 'none', 'yet')
    const plain =
      /^The configuration is not valid \(CONFIG_INVALID\)\n {2}CAUSEBOOK_DATA: there is no store in `\S+yet`;/
    for (const command of [
      'verify',
      'replay --all',
      'graph status',
      'keys list',
      'keys revoke 0f3a9c21d4be',
    ]) {
      const { status, out, err } = await causebook(command.split(' '), { data })
      assert.deepEqual([status, out], [2, ''], command)
      assert.match(err, plain)
    }
    const json = await causebook(['replay', 'x', '--json'], { data })
    assert.deepEqual([json.status, json.out], [2, ''])
    const { error } = JSON.parse(json.err)
    assert.deepEqual([error.code, error.faults[0].at], ['CONFIG_INVALID', 'CAUSEBOOK_DATA'])
    const forgetful = await causebook(['verify'], { data }, { env: { CAUSEBOOK_STORE: 'memory:' } })
    assert.deepEqual([forgetful.status, forgetful.out], [2, ''])
    const look = await causebook(['doctor'], { data: path.join(folder.path, 'none') })
    assert.match(look.out, /^warning +store +none yet in .*CAUSEBOOK_DATA/m)
    assert.deepEqual(readdirSync(folder.path), [])
  })

  it('end, where the data folder can never be made', async () => {
    for (const command of [['serve'], ['keys', 'create', '--role', 'admin', '--name', 'x']]) {
      const { status, err } = await causebook(command, { data: '/proc/causebook' })
      assert.equal(status, 1, err)
      assert.match(err, /STORE_UNAVAILABLE/)
    }
  })
})

describe('causal knowledge that is not as approved', () => {
  it('decides nothing while a migration waits or was edited, over HTTP and on the command line', async () => {
    await using folder = await temporaryFolder()
    const [data, graph] = [path.join(folder.path, 'data'), path.join(folder.path, 'graph')]
    cpSync(path.join(home, 'graph'), graph, { recursive: true })
    assert.equal((await causebook(['decide', example], { data, graph })).status, 0)
    const next = path.join(graph, 'migrations', 'V0002__later.yaml')
    const refused = async (code: string) => {
      const { status, out, err } = await causebook(['decide', example], { data, graph })
      assert.deepEqual([status, out], [1, ''])
      assert.ok(err.includes(`(${code.toUpperCase().replaceAll('-', '_')})`), err)
      await using service = await startService({ data, graph })
      assert.deepEqual(await ask(service.url), { status: 503, code })
    }
    writeFileSync(next, later)
    await refused('graph-migration-pending')
    rmSync(next)
    appendFileSync(path.join(graph, 'migrations', 'V0001__base.yaml'), '# edited\n')
    await refused('graph-migration-edited')
    cpSync(path.join(home, 'graph'), graph, { recursive: true })
    assert.equal((await causebook(['decide', example], { data, graph })).status, 0)
  })

  it('does not start without its folder, with a number left out, or with a change its author approved', async () => {
    await using folder = await temporaryFolder()
    const data = path.join(folder.path, 'data')
    const graph = path.join(folder.path, 'graph')
    const fails = async (command: string[], why: RegExp) => {
      const { status, err } = await causebook(command, { data, graph })
      assert.equal(status, 1, err)
      assert.match(err, /GRAPH_FILE_INVALID/)
      assert.match(err, why)
    }
    await fails(['serve'], /graph\/migrations: there is no such folder; CAUSEBOOK_GRAPH/)
    mkdirSync(graph)
    await fails(['decide', example], /graph\/migrations: there is no such folder/)
    cpSync(path.join(home, 'graph'), graph, { recursive: true })
    writeFileSync(path.join(graph, 'migrations', 'V0003__later.yaml'), later.replace('V0002', 'V0003'))
    await fails(['serve'], /V0003__later\.yaml: expected `V0002` next; got `V0003`/)
    rmSync(path.join(graph, 'migrations', 'V0003__later.yaml'))
    writeFileSync(path.join(graph, 'migrations', 'V0002__later.yaml'), `${later}approved_by: Test\n`)
    await fails(
      ['graph', 'migrate'],
      /V0002__later\.yaml:6:14: expected somebody other than the author, `test`; got `Test`/,
    )
  })
})

describe('output that cannot be written', () => {
  it('is one sentence and exit status 1, or silence where errors go nowhere either', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    await using folder = await temporaryFolder()
    const full = openSync('/dev/full', 'w')
    const env = { ...process.env, CAUSEBOOK_DATA: folder.path }
    const run = (args: string[], stdio: ('pipe' | number)[]) =>
      spawnSync(process.execPath, ['src/main.ts', ...args], { cwd: home, env, stdio, encoding: 'utf8' })
    for (const args of [['decide', example, '--json'], ['--help']]) {
      const { status, stderr } = run(args, ['pipe', full, 'pipe'])
      assert.equal(status, 1)
      assert.match(stderr, /^The output can't be written: [^\n]+\n$/)
      assert.equal(run(args, ['pipe', full, full]).status, 1)
    }
    assert.equal(run(['sevre'], ['pipe', 'pipe', full]).status, 2)
  })
})

const later = `migration: V0002
title: One more event type
author: test
operations:
  - {op: add_event_type, id: one_more, text: {en: One more, zh: 又一个}}
`
