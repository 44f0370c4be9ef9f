import type { DecisionService } from '../decision/decision-service.ts'
import type { Route } from './route.ts'

/** `/healthz`: the process answers. `/readyz`: it can decide and record; 503 with the checks when it can't. */
export function healthRoutes(service: DecisionService): readonly Route[] {
  return [
    { method: 'GET', path: '/healthz', handle: (context) => context.json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async (context) => {
        const readiness = await service.readiness()
        return context.json(readiness, readiness.ready ? 200 : 503)
      },
    },
  ]
}
