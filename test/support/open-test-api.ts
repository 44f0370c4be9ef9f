import type { Hono } from 'hono'
import { openAccess } from '../../src/access/open-access.ts'
import { readApiExamples } from '../../src/adapters/files/read-api-examples.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { allRoutes } from '../../src/http/all-routes.ts'
import { type AppDeps, createApp } from '../../src/http/create-app.ts'
import { openApi } from '../../src/http/openapi.ts'
import type { AppEnv, Route } from '../../src/http/route.ts'
import type { ApiDocument } from '../../src/ui/api-document.ts'
import { openTestService, type TestService } from './open-test-service.ts'

/** The date on which the worked examples of both policies were decided. */
export const decidedAt = '2026-06-01T14:00:00Z'

export interface TestApi extends TestService {
  readonly app: Hono<AppEnv>
  readonly deps: AppDeps
  readonly routes: readonly Route[]
  readonly document: ApiDocument
  /** What the service logged; nothing unless it made a mistake. */
  readonly logged: readonly string[]
  /** Records in the ledger. */
  ledgerLength(): Promise<number>
}

/** The real app over real packs and a store, with the description it gives of itself. */
export async function openTestApi(store = openMemoryStore()): Promise<TestApi> {
  const service = await openTestService(decidedAt, { store })
  const logged: string[] = []
  const log = (line: string): void => void logged.push(line)
  const access = openAccess({ store, clock: { nowMs: () => Date.parse(decidedAt) }, log })
  const api = { version: 'test', examples: readApiExamples('examples') }
  const parts = { service: service.service, rules: service.rules, metrics: openMetrics() }
  const deps: AppDeps = { ...parts, access, log, api }
  const routes = allRoutes(parts, api)
  return {
    ...service,
    app: createApp(deps),
    deps,
    routes,
    document: openApi(routes, api),
    logged,
    ledgerLength: async () => {
      let count = 0
      for (const writer of await store.writers()) {
        count += (await store.readLedger(writer, 0, 1_000_000)).length
      }
      return count
    },
  }
}
