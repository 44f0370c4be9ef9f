import type { Context } from 'hono'
import type { Caller } from '../access/open-access.ts'
import type { AppEnv } from './route.ts'

/** Who calls a route that is not open; `authorise` put it there. */
export function callerOf(context: Context<AppEnv>): Caller {
  const caller = context.get('caller')
  if (caller === undefined) throw new TypeError('a route that needs to know its caller must not be open')
  return caller
}
