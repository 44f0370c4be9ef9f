import { IdempotencyKey } from '../domain/idempotency.ts'
import type {
  ApiAnswer,
  ApiContent,
  ApiDocument,
  ApiExample,
  ApiOperation,
  ApiParameter,
} from '../ui/api-document.ts'
import { access, type Who } from './access.ts'
import { describeProblems } from './describe-problems.ts'
import { describeSchemas, schemaOf } from './describe-schemas.ts'
import type { Route, RouteAbout } from './route.ts'

/** An example that is sent to the service in a test, so that it can't go stale. */
export interface RouteExample {
  /** `id` of the route's description. */
  readonly operation: string
  readonly name: string
  readonly summary: string
  readonly request?: unknown
  readonly answer?: { readonly status: number; readonly body: unknown }
}

export interface ApiParts {
  readonly version: string
  readonly examples: readonly RouteExample[]
}

const tags = [
  { name: 'Decisions', description: 'Decide applications and read what was decided. 审批' },
  {
    name: 'What if',
    description: 'What would follow if something were otherwise; never recorded as a decision. 假设',
  },
  { name: 'Applications', description: 'What is known of an application. 申请' },
  { name: 'Policies', description: 'The policies in force. 政策' },
  { name: 'Service', description: 'The service itself. 服务' },
] as const

/** The service's description as OpenAPI 3.1, from the table of routes that serves it and the schemas that check it. */
export function openApi(routes: readonly Route[], { version, examples }: ApiParts): ApiDocument {
  const paths: Record<string, Record<string, ApiOperation>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, examples) }
  }
  const used = new Set(routes.map((route) => route.about.tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causebook',
      version,
      summary: 'Lending decisions with the causes behind them.',
      description:
        'Send an application; get the decision, the causal chains that led to it, and its place in a ledger that can be verified. Numbers are read exactly, never as binary floating point; numbers among the facts of an answer are decimal text. Everything that goes wrong is answered as `application/problem+json` and names each bad field.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    tags: tags.filter((tag) => used.has(tag.name)),
    paths,
    components: {
      schemas: describeSchemas(),
      securitySchemes: {
        accessKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access key made by `causebook keys create`. While there are none, the service answers only on this machine and needs none.',
        },
      },
    },
  }
}

function operationOf({ method, path, about }: Route, examples: readonly RouteExample[]): ApiOperation {
  const who = access[`${method} ${path}`] ?? 'open'
  const own = examples.filter((example) => example.operation === about.id)
  const parameters = parametersOf(about, method, path)
  return {
    operationId: about.id,
    tags: [about.tag],
    summary: about.summary,
    description: about.description,
    'x-summary-zh': about.zh,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(about, own),
    ...securityOf(who),
    responses: answersOf(about, describeProblems(about, method, who), own),
  }
}

function securityOf(who: Who): Pick<ApiOperation, 'security' | 'x-roles'> {
  if (who === 'open') return { security: [] }
  // The empty requirement: a key may be left out.
  if (who === 'details_with_key') return { security: [{}, { accessKey: [] }] }
  return { security: [{ accessKey: [] }], 'x-roles': who }
}

function parametersOf(about: RouteAbout, method: string, path: string): readonly ApiParameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match): ApiParameter => {
    const name = match[1] ?? ''
    const part = about.path?.[name]
    if (part === undefined) throw new Error(`${about.id}: the part \`${name}\` of its path is not described`)
    return {
      name,
      in: 'path',
      required: true,
      description: part.description,
      schema: schemaOf(part.schema),
    }
  })
  const inQuery = Object.entries(about.query ?? {}).map(([name, part]): ApiParameter => {
    return {
      name,
      in: 'query',
      required: false,
      description: part.description,
      schema: schemaOf(part.schema),
    }
  })
  return [...inPath, ...inQuery, ...(method === 'POST' ? [idempotencyKey()] : [])]
}

function idempotencyKey(): ApiParameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Names this request, so that sending it again gives the same answer and no second effect; a UUID, for instance.',
    schema: schemaOf(IdempotencyKey),
  }
}

function requestBodyOf(
  { body }: RouteAbout,
  examples: readonly RouteExample[],
): Pick<ApiOperation, 'requestBody'> {
  if (body === undefined) return {}
  const shown = examples.flatMap(({ name, summary, request }) =>
    request === undefined ? [] : [[name, { summary, value: request }] as const],
  )
  const content = { [body.type]: contentOf(body.schema, shown) }
  return { requestBody: { required: true, description: body.description, content } }
}

function contentOf(
  schema: Parameters<typeof schemaOf>[0] | undefined,
  examples: readonly (readonly [string, ApiExample])[],
): ApiContent {
  return {
    schema: schema === undefined ? { type: 'string', description: 'Text.' } : schemaOf(schema),
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
  }
}

function answersOf(
  about: RouteAbout,
  problems: Readonly<Record<string, ApiAnswer>>,
  examples: readonly RouteExample[],
): Record<string, ApiAnswer> {
  const answers: Record<string, ApiAnswer> = {}
  for (const [status, answer] of Object.entries(about.answers)) {
    const shown = examples.flatMap(({ name, summary, answer: given }) =>
      given?.status === Number(status) ? [[name, { summary, value: given.body }] as const] : [],
    )
    const content = Object.entries(answer.content).map(([type, schema]) => [
      type,
      contentOf(schema, type === 'application/json' ? shown : []),
    ])
    answers[status] = { description: answer.description, content: Object.fromEntries(content) }
  }
  for (const [status, answer] of Object.entries(problems)) {
    const before = answers[status]
    answers[status] = {
      description:
        before === undefined ? answer.description : `${before.description} Or: ${answer.description}`,
      content: { ...before?.content, ...answer.content },
    }
  }
  return answers
}
