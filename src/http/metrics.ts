import { aboutMetrics } from './about-rules.ts'
import type { Route } from './route.ts'

/** What is measured, in Prometheus's text format. */
export interface MetricsText {
  text(): Promise<string>
}

/** `/metrics`, for Prometheus. */
export function metricsRoutes(metrics: MetricsText): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/metrics',
      about: aboutMetrics,
      handle: async (context) =>
        context.body(await metrics.text(), 200, {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        }),
    },
  ]
}
