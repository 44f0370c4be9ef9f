import type { DecisionService } from '../decision/decision-service.ts'
import { applicationRoutes } from './applications.ts'
import { decisionRoutes } from './decisions.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import type { ApiParts } from './openapi.ts'
import type { Route } from './route.ts'
import { whatIfRoutes } from './what-if.ts'

/** The one table of routes: the app serves them, and the API's description lists them. */
export function allRoutes(service: DecisionService, api: ApiParts): readonly Route[] {
  const routes: readonly Route[] = [
    ...decisionRoutes(service),
    ...whatIfRoutes(service),
    ...applicationRoutes(service),
    ...healthRoutes(service),
    ...docsRoutes(() => routes, api),
  ]
  return routes
}
