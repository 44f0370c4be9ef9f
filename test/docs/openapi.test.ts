import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { z } from 'zod'
import { failures } from '../../src/errors.ts'
import { access } from '../../src/http/access.ts'
import { answerSchemas, requestSchemas } from '../../src/http/named-schemas.ts'
import type { ApiOperation, ApiSchema } from '../../src/ui/api-document.ts'
import { openTestApi, type TestApi } from '../support/open-test-api.ts'

describe('/openapi.json', () => {
  let api: TestApi
  let operations: readonly (readonly [string, ApiOperation])[]

  before(async () => {
    api = await openTestApi()
    operations = Object.entries(api.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    )
  })

  it('is what the service sends', async () => {
    const response = await api.app.request('/openapi.json')
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(api.document)))
  })

  it('describes exactly the routes that are served', () => {
    const served = api.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = operations.map(([name]) => name)
    assert.deepEqual([...new Set(served)].sort(), described.toSorted())
    assert.ok(described.length >= 10)
    const ids = operations.map(([, { operationId }]) => operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('describes every field, parameter, body, answer and shape', () => {
    const silent: string[] = []
    const need = (at: string, description: string | undefined): void => {
      if ((description ?? '').trim().length < 3) silent.push(at)
    }
    for (const [name, schema] of Object.entries(api.document.components.schemas)) {
      need(name, schema.description)
      eachSchema(schema, name, (inner, at) => {
        for (const [field, value] of Object.entries(inner.properties ?? {})) {
          need(`${at}.${field}`, value.description)
        }
      })
    }
    for (const [name, operation] of operations) {
      need(name, operation.summary)
      need(`${name} zh`, operation['x-summary-zh'])
      need(`${name} description`, operation.description)
      for (const parameter of operation.parameters ?? [])
        need(`${name} ${parameter.name}`, parameter.description)
      if (operation.requestBody !== undefined) need(`${name} body`, operation.requestBody.description)
      for (const [status, answer] of Object.entries(operation.responses)) {
        need(`${name} ${status}`, answer.description)
      }
    }
    assert.deepEqual(silent, [])
  })

  it('says of every value what it may be', () => {
    const vague: string[] = []
    const says: readonly (keyof ApiSchema)[] = ['$ref', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf']
    for (const [name, schema] of Object.entries(api.document.components.schemas)) {
      eachSchema(schema, name, (inner, at) => {
        if (!says.some((key) => inner[key] !== undefined)) vague.push(at)
      })
    }
    assert.deepEqual(vague, [])
  })

  it('refers only to what is there, and has nothing that is referred to by nothing', () => {
    const { schemas } = api.document.components
    const text = JSON.stringify(api.document)
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((found) => found[1]),
    )
    assert.deepEqual(
      [...used].filter((name) => !Object.hasOwn(schemas, name ?? '')),
      [],
    )
    assert.deepEqual(
      Object.keys(schemas).filter((name) => !used.has(name)),
      [],
    )
    assert.doesNotMatch(text, /"\$ref":"(?!#\/components\/schemas\/)/)
  })

  it('shows numbers as numbers, times as times, and refuses unknown fields', () => {
    const { schemas } = api.document.components
    const confidence = schemas.ReadingInput?.properties?.confidence
    assert.deepEqual([confidence?.type, confidence?.minimum, confidence?.maximum], ['number', 0, 1])
    assert.equal(schemas.InstantText?.format, 'date-time')
    assert.equal(schemas.RecordedAnswer?.properties?.decision_id?.readOnly, true)
    for (const [name, schema] of Object.entries(schemas)) {
      eachSchema(schema, name, (inner, at) => {
        assert.doesNotMatch(inner.pattern ?? '', /\\p\{/, `${at} has a pattern that not everyone can read`)
        if (inner.properties === undefined) return
        assert.equal(inner.additionalProperties, false, `${at} says nothing of unknown fields`)
      })
    }
  })

  it('gives a shape that stands in requests and answers one description', () => {
    for (const name of Object.keys(requestSchemas).filter((each) => Object.hasOwn(answerSchemas, each))) {
      assert.equal(requestSchemas[name], answerSchemas[name], name)
      const [sent, given] = (['input', 'output'] as const).map((io) =>
        z.toJSONSchema(requestSchemas[name] ?? z.never(), { io }),
      )
      assert.deepEqual(sent, given, name)
    }
  })

  it('names for each route its roles, and every failure it may answer with', () => {
    for (const route of api.routes) {
      const name = `${route.method} ${route.path}`
      const operation =
        api.document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
      assert.ok(operation !== undefined, name)
      const who = access[name]
      assert.deepEqual(operation['x-roles'], typeof who === 'string' ? undefined : who, name)
      for (const code of route.about.failures) {
        const { status, title } = failures[code]
        assert.ok(operation.responses[status]?.description.includes(title), `${name} ${code}`)
      }
      for (const status of [400, 421, 431, 500, ...(who === 'open' ? [] : [401, 429])]) {
        assert.ok(operation.responses[status] !== undefined, `${name} ${status}`)
      }
      if (Array.isArray(who)) assert.ok(operation.responses[403] !== undefined, name)
    }
  })
})

function eachSchema(schema: ApiSchema, at: string, visit: (schema: ApiSchema, at: string) => void): void {
  visit(schema, at)
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    eachSchema(field, `${at}.${name}`, visit)
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    eachSchema(part, at, visit)
  }
  if (schema.items !== undefined) eachSchema(schema.items, `${at}[]`, visit)
  const values = schema.additionalProperties
  if (typeof values === 'object' && Object.keys(values).length > 0) eachSchema(values, `${at}.*`, visit)
}
