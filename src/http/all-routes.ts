import type { DecisionService } from '../decision/decision-service.ts'
import type { RulesService } from '../reload/rules-service.ts'
import { applicationRoutes } from './applications.ts'
import { decisionRoutes } from './decisions.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import { type MetricsText, metricsRoutes } from './metrics.ts'
import type { ApiParts } from './openapi.ts'
import type { Route } from './route.ts'
import { rulesRoutes } from './rules.ts'
import { whatIfRoutes } from './what-if.ts'

/** What the routes answer from. */
export interface RoutesDeps {
  readonly service: DecisionService
  readonly rules: RulesService
  readonly metrics: MetricsText
}

/** The one table of routes: the app serves them, and the API's description lists them. */
export function allRoutes({ service, rules, metrics }: RoutesDeps, api: ApiParts): readonly Route[] {
  const routes: readonly Route[] = [
    ...decisionRoutes(service),
    ...whatIfRoutes(service),
    ...applicationRoutes(service),
    ...rulesRoutes(rules, service),
    ...healthRoutes(service),
    ...metricsRoutes(metrics),
    ...docsRoutes(() => routes, api),
  ]
  return routes
}
