import type { DecisionService } from '../decision/decision-service.ts'
import { aboutHealth, aboutReadiness } from './about-others.ts'
import type { Route } from './route.ts'

/** `/healthz`: the process answers. `/readyz`: it can decide and record; 503 with the checks when it can't. */
export function healthRoutes(service: DecisionService): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      about: aboutHealth,
      handle: (context) => context.json({ status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      about: aboutReadiness,
      handle: async (context) => {
        const readiness = await service.readiness()
        const { ready } = readiness
        // Without a key where one is needed: whether, not why.
        const shown = context.get('caller') === undefined ? { ready, checks: [] } : readiness
        return context.json(shown, ready ? 200 : 503)
      },
    },
  ]
}
