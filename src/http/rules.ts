import type { DecisionService } from '../decision/decision-service.ts'
import type { RulesService } from '../reload/rules-service.ts'
import { aboutCheck, aboutRule, aboutRules } from './about-rules.ts'
import { answerOnce } from './idempotency.ts'
import { readRulesCheck } from './read-rules-check.ts'
import type { Route } from './route.ts'

/** Which rules decide, and what would come of others. */
export function rulesRoutes(
  rules: Pick<RulesService, 'report' | 'versions' | 'check'>,
  service: Pick<DecisionService, 'answered'>,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/rules',
      about: aboutRules,
      handle: async (context) => context.json(await rules.report()),
    },
    {
      method: 'GET',
      path: '/v1/rules/:id',
      about: aboutRule,
      handle: async (context) => context.json(await rules.versions(context.req.param('id') ?? '')),
    },
    {
      method: 'POST',
      path: '/v1/rules/check',
      about: aboutCheck,
      handle: (context) =>
        answerOnce(context, service, async (value) => rules.check(readRulesCheck(value).files)),
    },
  ]
}
