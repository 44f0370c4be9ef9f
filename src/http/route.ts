import type { Handler } from 'hono'

/** One address and method; all addresses are listed, so that a wrong method can be told from a wrong address. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: Handler
}
