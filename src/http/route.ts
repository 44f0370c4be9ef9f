import type { Handler } from 'hono'
import type { z } from 'zod'
import type { Caller } from '../access/open-access.ts'
import type { FailureCode } from '../errors.ts'

/** What `authorise` leaves for a handler: who calls, unless the route is open to everybody. */
export interface AppEnv {
  Variables: { caller?: Caller }
}

/** One address and method; all addresses are listed, so that a wrong method can be told from a wrong address. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** With `:name` for a variable part. */
  readonly path: string
  readonly handle: Handler<AppEnv>
  readonly about: RouteAbout
}

export type RouteTag = 'Decisions' | 'What if' | 'Applications' | 'Policies' | 'Service'

/** What `/openapi.json` and `/docs` say of a route. */
export interface RouteAbout {
  /** Name of the operation for programs that generate clients, such as `decide`. */
  readonly id: string
  readonly tag: RouteTag
  /** A few words. */
  readonly summary: string
  /** The same in Chinese, for the page's headings. */
  readonly zh: string
  readonly description: string
  /** Each variable part of the path, described. */
  readonly path?: Readonly<Record<string, ParameterAbout>>
  /** Each parameter of the query; all may be left out. */
  readonly query?: Readonly<Record<string, ParameterAbout>>
  readonly body?: BodyAbout
  /** By status, whatever is not `application/problem+json`. */
  readonly answers: Readonly<Record<number, AnswerAbout>>
  /** Failures of this route alone; those that every route can give are added. */
  readonly failures: readonly FailureCode[]
}

export interface ParameterAbout {
  readonly description: string
  readonly schema: z.ZodType
}

/** `schema` is one of `namedSchemas`; left out for a text that has no further shape. */
export interface BodyAbout {
  readonly description: string
  readonly type: 'application/json' | 'application/x-ndjson'
  readonly schema?: z.ZodType
}

export interface AnswerAbout {
  readonly description: string
  /** By content type; `undefined` for a text that has no further shape. */
  readonly content: Readonly<Record<string, z.ZodType | undefined>>
}
