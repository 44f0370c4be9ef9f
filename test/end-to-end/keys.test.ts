import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { causebook, type Folders, home, startService, temporaryFolder } from '../support/service.ts'

const request = JSON.parse(readFileSync(path.join(home, 'examples/requests/b2.json'), 'utf8')) as {
  facts: object
}
const json = { 'content-type': 'application/json' }

interface ShownKey {
  readonly id: string
  readonly secret: string
}

async function createKey(folders: Folders, role: string, ...more: string[]): Promise<ShownKey> {
  const args = ['keys', 'create', '--role', role, '--name', `for ${role}`, '--json', ...more]
  const { out, err, status } = await causebook(args, folders)
  assert.equal(status, 0, err)
  return JSON.parse(out) as ShownKey
}

const bearer = ({ secret }: ShownKey) => ({ authorization: `Bearer ${secret}` })

function ledgerOf({ data }: Folders, kind: string) {
  const db = new DatabaseSync(path.join(data, 'causebook.db'), { readOnly: true })
  const rows = db.prepare('SELECT actor, payload FROM ledger WHERE kind = ? ORDER BY seq').all(kind)
  db.close()
  return rows.map(({ actor, payload }) => ({ actor, ...JSON.parse(String(payload)) }))
}

describe('causebook keys', () => {
  it('shows a secret once, lists keys without it, and revokes by id', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    assert.equal((await causebook(['graph', 'migrate'], folders)).status, 0)
    assert.match((await causebook(['keys', 'list'], folders)).out, /^there are no keys/)
    const args = ['keys', 'create', '--role', 'compliance,auditor', '--name', 'second line']
    const made = await causebook([...args, '--expires', '2999-01-01', '--rate', '60'], folders)
    assert.match(
      made.out,
      /^key (\w{12}) for second line: auditor, compliance, 60 requests a minute, expires 2999/,
    )
    assert.match(made.out, /the first key: from now on every request under \/v1 needs one/)
    const [secret = '', id = ''] = /cbk_(\w{12})_[\w-]{43}/.exec(made.out) ?? []
    const listed = await causebook(['keys', 'list'], folders)
    assert.match(
      listed.out,
      new RegExp(`^${id}  active   auditor,compliance  60/min  second line  \\(made .*expires 2999`),
    )
    const asJson = await causebook(['keys', 'list', '--json'], folders)
    assert.equal(JSON.parse(asJson.out).keys[0].state, 'active')
    // Somebody may paste the secret itself.
    const revoked = await causebook(['keys', 'revoke', secret], folders)
    assert.equal(revoked.out, `revoked ${id}\n`)
    assert.match((await causebook(['keys', 'revoke', id], folders)).out, /was revoked before, at /)
    assert.match((await causebook(['keys', 'list'], folders)).out, /^\w+ {2}revoked /)
    for (const { out, err } of [listed, asJson, revoked])
      assert.ok(!`${out}${err}`.includes(secret.slice(-43)))
    assert.match((await causebook(['verify'], folders)).out, /^0 decisions, 3 records: the ledger verifies$/m)
  })

  it('names every wrong option at once, and never says a secret back', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    const wrong = ['--role', 'undewriter', '--name', 'a\u001b[2Jb', '--rate', '0', '--expires', '2020-01-01']
    const { status, err } = await causebook(['keys', 'create', ...wrong], folders)
    assert.equal(status, 2)
    for (const why of [
      /--role: .*`underwriter`.*got `undewriter`/,
      /--name: /,
      /--rate: /,
      /--expires: .*to come/,
    ]) {
      assert.match(err, why)
    }
    assert.ok(!err.includes('\u001b'))
    const missing = await causebook(['keys', 'create'], folders)
    assert.match(missing.err, /--role: expected .*\n.*--name: expected/)
    const secret = `cbk_0123456789ab_${'Zq9'.repeat(14)}x`
    assert.equal((await causebook(['graph', 'migrate'], folders)).status, 0)
    const unknown = await causebook(['keys', 'revoke', secret], folders)
    assert.equal(unknown.status, 1)
    assert.match(unknown.err, /KEY_UNKNOWN[\s\S]*`0123456789ab`/)
    const cut = await causebook(['keys', 'revoke', secret.slice(0, -5)], folders)
    assert.equal(cut.status, 2)
    for (const text of [unknown.err, cut.err]) assert.ok(!text.includes('Zq9Zq9'))
    const forgetful = { env: { CAUSEBOOK_STORE: 'memory:' } }
    assert.match(
      (await causebook(['keys', 'list'], folders, forgetful)).err,
      /CAUSEBOOK_STORE: expected a store that lasts/,
    )
  })

  it('count for a service that runs: made, needed, revoked, each within a second', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    await using service = await startService(folders)
    assert.match(
      service.output(),
      /access {2}no key was made yet, so everybody on this machine may do everything/,
    )
    const ask = async (headers: Record<string, string> = {}) =>
      (await fetch(`${service.url}/v1/decisions/x`, { headers })).status
    assert.equal(await ask(), 404)
    const key = await createKey(folders, 'auditor')
    await sleep(1000)
    assert.deepEqual([await ask(), await ask(bearer(key))], [401, 404])
    const other = await createKey(folders, 'auditor')
    assert.equal((await causebook(['keys', 'revoke', key.id], folders)).status, 0)
    await sleep(1000)
    assert.deepEqual([await ask(bearer(key)), await ask(bearer(other))], [401, 404])
    assert.equal(await service.stop(), 0)
    assert.equal((await causebook(['verify'], folders)).status, 0)
  })

  it('let the service answer beyond loopback, and a refused call is recorded and counted', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    const key = await createKey(folders, 'compliance')
    await using service = await startService(folders, { CAUSEBOOK_HOST: '0.0.0.0' })
    assert.match(service.output(), /access {2}1 active key; every request under \/v1 needs one/)
    assert.match(service.output(), /-H "Authorization: Bearer \$KEY"/)
    const body = JSON.stringify({ ...request, application_id: 'a-1' })
    for (let count = 0; count < 20; count += 1) {
      const headers = { ...json, ...bearer(key) }
      const response = await fetch(`${service.url}/v1/decisions`, { method: 'POST', headers, body })
      assert.equal(response.status, 403)
      assert.equal((await fetch(`${service.url}/v1/decisions/${count}`)).status, 401)
    }
    assert.equal(await service.stop(), 0)
    const denied = ledgerOf(folders, 'access_denied') as { actor: string; why: string; count: number }[]
    assert.equal(denied.length, 4, 'the first of each kind at once, the rest when it ends')
    const sums = Map.groupBy(denied, ({ actor, why }) => `${actor} ${why}`)
    for (const kind of [`${key.id} role`, 'anonymous missing']) {
      assert.equal(
        sums.get(kind)?.reduce((sum, { count }) => sum + count, 0),
        20,
        kind,
      )
    }
    assert.equal((await causebook(['verify'], folders)).status, 0)
  })
})

describe('what is planted', () => {
  // Values that stand nowhere else, as a person's and as a key's.
  const planted = {
    person: 'Zaphodina-Quux-771',
    amount: '918273645',
    subject: 'subj-5318008-plant',
    application: 'appl-8675309-plant',
    note: 'born on the moon, plant 42',
  }

  it('appears in no log, whatever goes wrong, and in no answer but as the bad field itself', async () => {
    await using folder = await temporaryFolder()
    const folders = { data: folder.path }
    const key = await createKey(folders, 'underwriter')
    const gone = await createKey(folders, 'underwriter')
    await causebook(['keys', 'revoke', gone.id], folders)
    await using service = await startService(folders)
    const good = {
      ...request,
      application_id: planted.application,
      subject: { id: planted.subject },
      facts: { ...request.facts, monthly_income: Number(planted.amount) },
    }
    const bodies = [
      JSON.stringify(good),
      JSON.stringify({ ...good, policy: 'nobody' }),
      JSON.stringify({ ...good, received_at: 'yesterday' }),
      JSON.stringify({ ...good, extra: 1 }),
      JSON.stringify({ ...good, facts: { ...good.facts, monthly_incme: 1 } }),
      JSON.stringify({ ...good, facts: { ...good.facts, product: 'spaceship' } }),
      JSON.stringify(good).slice(0, -20),
      `${JSON.stringify(good)}}`,
      JSON.stringify({ ...good, facts: [planted.person, planted.note] }),
    ]
    const answers: string[] = []
    for (const body of bodies) {
      for (const headers of [bearer(key), bearer(gone), { authorization: `Basic ${key.secret}` }, {}]) {
        const sent = { ...json, ...headers, 'idempotency-key': `${planted.note.length} ${key.secret}` }
        for (const more of [json, sent]) {
          const all = { ...headers, ...more }
          const response = await fetch(`${service.url}/v1/decisions`, { method: 'POST', headers: all, body })
          const text = await response.text()
          if (response.status !== 200) answers.push(text)
        }
      }
    }
    const raw = [
      `POST /v1/decisions HTTP/1.1\r\nHost: a b\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`,
      `GET http://[${planted.person} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.secret}\r\nConnection: close\r\n\r\n`,
      `Authorization: Bearer ${key.secret}\r\n\r\n`,
      `GET /v1/decisions/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.secret}\u0000\r\n\r\n`,
      `GET /v1/decisions/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.secret}\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      `POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\n${'Content-Length: 5\r\n'}Transfer-Encoding: chunked\r\nAuthorization: Bearer ${key.secret}\r\n\r\n${planted.person}`,
    ]
    for (const text of raw) answers.push(await exchange(new URL(service.url), text))
    answers.push(await withStoreLocked(folders, () => post(service.url, JSON.stringify(good), bearer(key))))
    assert.match(answers.at(-1) ?? '', /store-unavailable/)

    const log = service.output()
    assert.match(log, /^failure \S+ STORE_UNAVAILABLE/m, 'there is something to read in the log')
    for (const secret of [...Object.values(planted), secretOf(key), secretOf(gone)]) {
      assert.ok(!log.includes(secret), `the log holds ${secret}`)
      for (const answer of answers) assert.ok(!answer.includes(secret), `${secret} in ${answer}`)
    }
    assert.equal(await service.stop(), 0)
    const db = new DatabaseSync(path.join(folder.path, 'causebook.db'), { readOnly: true })
    const rows = JSON.stringify(db.prepare('SELECT * FROM ledger').all())
    db.close()
    for (const secret of [planted.subject, planted.amount, planted.person, secretOf(key)]) {
      assert.ok(!rows.includes(secret), `the ledger holds ${secret}`)
    }
  })
})

const secretOf = ({ secret }: ShownKey) => secret.slice(-43)

async function post(url: string, body: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/v1/decisions`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  })
  return response.text()
}

/** Another process holds the write lock for longer than the service waits. */
async function withStoreLocked(folders: Folders, work: () => Promise<string>): Promise<string> {
  const db = new DatabaseSync(path.join(folders.data, 'causebook.db'))
  db.exec('BEGIN IMMEDIATE')
  try {
    return await work()
  } finally {
    db.exec('ROLLBACK')
    db.close()
  }
}

async function exchange({ hostname, port }: URL, text: string): Promise<string> {
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
    socket.destroySoon()
  })
  socket.on('error', () => {})
  socket.write(text)
  socket.setTimeout(8000, () => socket.destroy())
  await once(socket, 'close')
  return answer
}
