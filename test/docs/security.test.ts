import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { openAccess } from '../../src/access/open-access.ts'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { Role } from '../../src/domain/access-key.ts'
import { createApp } from '../../src/http/create-app.ts'
import { aKey, aSecret } from '../support/key-builders.ts'
import { openTestService } from '../support/open-test-service.ts'

const now = '2026-06-01T14:00:00.000Z'
const page = readFileSync('docs/security.md', 'utf8')
const columns = ['no key', ...Role.options] as const
const request = JSON.parse(readFileSync('examples/requests/b2.json', 'utf8')) as { application_id: string }

interface Cell {
  readonly route: string
  readonly caller: (typeof columns)[number]
  readonly allowed: boolean
}

function cellsOfTable(): readonly Cell[] {
  const header = /^\| call \|(.*)\|$/m
    .exec(page)?.[1]
    ?.split('|')
    .map((name) => name.trim())
  assert.deepEqual(header, columns)
  return [...page.matchAll(/^\| `((?:GET|POST) \S+)` \|(.*)\|$/gm)].flatMap(([, route = '', row = '']) =>
    row.split('|').map((text, index): Cell => {
      const word = text.trim()
      assert.ok(
        word === 'allowed' || word === 'denied',
        `${route}: expected allowed or denied; got \`${word}\``,
      )
      return { route, caller: columns[index] ?? 'no key', allowed: word === 'allowed' }
    }),
  )
}

/** Bodies with which an allowed call succeeds. */
function bodyFor(route: string, caller: string, decisionId: string): object {
  const bodies: Record<string, object> = {
    'POST /v1/decisions': { ...request, application_id: `table-${caller.replaceAll(' ', '-')}` },
    'POST /v1/decisions/what-if': { decision_id: decisionId, changes: { facts: { monthly_debts: 1000 } } },
    'POST /v1/decisions/:id/counterfactual': {},
    'POST /v1/rules/check': { files: [{ path: 'policy.yaml', text: '' }] },
  }
  const body = bodies[route]
  assert.ok(body !== undefined, `this test needs a body with which ${route} succeeds`)
  return body
}

describe('who may call what, as docs/security.md says', () => {
  const { resolve, promise } = Promise.withResolvers<Awaited<ReturnType<typeof openApp>>>()
  before(async () => resolve(await openApp()))

  for (const { route, caller, allowed } of cellsOfTable()) {
    it(`${route}: ${caller} is ${allowed ? 'allowed' : 'denied'}`, async () => {
      const { call, decisionId } = await promise
      const response = await call(route, caller, decisionId)
      if (allowed) return assert.equal(response.status, 200, await response.text())
      const [status, type] = caller === 'no key' ? [401, 'key-missing'] : [403, 'role-not-allowed']
      assert.equal(response.status, status)
      const problem = (await response.json()) as { type: string }
      assert.equal(problem.type, `urn:causebook:problem:${type}`)
      const where = response.headers.get('www-authenticate')
      assert.equal(where, status === 401 ? 'Bearer realm="causebook"' : null)
    })
  }

  it('a refusal is the same whether or not there is such a decision', async () => {
    const { call, decisionId } = await promise
    for (const { route, caller } of cellsOfTable().filter((cell) => !cell.allowed)) {
      if (!route.includes(':id')) continue
      const told = await Promise.all(
        [decisionId, 'none-of-this-name'].map(async (id) => {
          const response = await call(route, caller, id)
          const text = (await response.text()).replaceAll(named(route, id), 'ID')
          return [response.status, text, [...response.headers]]
        }),
      )
      assert.deepEqual(told[0], told[1], `${route} as ${caller}`)
    }
  })

  it('lists every route of the service, and no other', async () => {
    const { app } = await promise
    const served = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`)
    const listed = cellsOfTable().map(({ route }) => route)
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(served)].sort())
  })

  it('whatever else is under /v1 is 401 without a key, and 404 or 405 with any', async () => {
    const { app } = await promise
    for (const [method, path] of [
      ['GET', '/v1'],
      ['GET', '/v1/'],
      ['GET', '/v1/keys'],
      ['DELETE', '/v1/decisions'],
      ['PUT', '/v1/decisions/x'],
      ['OPTIONS', '/v1/decisions'],
      ['POST', '/v1/decisions/x/y/z'],
    ] as const) {
      assert.equal((await app.request(path, { method })).status, 401, `${method} ${path}`)
      const headers = { authorization: `Bearer ${aSecret('admin')}` }
      const status = (await app.request(path, { method, headers })).status
      assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`)
    }
    for (const path of ['/V1/decisions/x', '//v1/decisions/x', '/v1%2fdecisions/x', '/./v1/decisions/x']) {
      const status = (await app.request(path)).status
      assert.ok(status === 401 || status === 404, `${path}: ${status}`)
    }
  })
})

/** A decision's id names no rule, so a rule that there is stands in its place. */
function named(route: string, id: string): string {
  return route.includes('/rules/') && id !== 'none-of-this-name' ? 'US-08a' : id
}

async function openApp() {
  const { service, rules, store } = await openTestService(now)
  for (const role of Role.options) await store.saveKey(aKey(role, { roles: [role] }), 'local')
  const access = openAccess({ store, clock: { nowMs: () => Date.parse(now) }, log: () => {} })
  const metrics = openMetrics()
  const app = createApp({ service, rules, metrics, access, log: () => {} })
  const call = (route: string, caller: string, id: string) => {
    const [method = '', path = ''] = route.split(' ')
    const headers: Record<string, string> =
      caller === 'no key' ? {} : { authorization: `Bearer ${aSecret(caller)}` }
    if (method === 'GET') return app.request(path.replace(':id', named(route, id)), { headers })
    const body = JSON.stringify(bodyFor(route, caller, id))
    headers['content-type'] = 'application/json'
    return app.request(path.replace(':id', named(route, id)), { method, headers, body })
  }
  // One id for decision and application, so that every address of the table names something.
  const decide = async (applicationId: string) => {
    const headers = { authorization: `Bearer ${aSecret('underwriter')}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ ...request, application_id: applicationId })
    const response = await app.request('/v1/decisions', { method: 'POST', headers, body })
    return ((await response.json()) as { decision_id: string }).decision_id
  }
  const decisionId = await decide('table-1')
  await decide(decisionId)
  return { app, call, decisionId }
}
