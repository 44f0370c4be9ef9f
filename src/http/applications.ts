import type { DecisionService } from '../decision/decision-service.ts'
import { Failure } from '../errors.ts'
import { aboutFacts } from './about-others.ts'
import type { Route } from './route.ts'
import { sendCanonical } from './send-canonical.ts'

export function applicationRoutes(service: DecisionService): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/applications/:id/facts',
      about: aboutFacts,
      handle: async (context) => {
        const id = context.req.param('id') ?? ''
        const facts = id.length > 200 ? [] : await service.facts(id)
        if (facts.length > 0) return sendCanonical({ application_id: id, facts })
        const why = `no facts are known of an application \`${id.slice(0, 128)}\``
        throw new Failure('APPLICATION_UNKNOWN', { at: '', why })
      },
    },
  ]
}
