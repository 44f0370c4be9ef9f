import { Failure } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { RulesService } from '../reload/rules-service.ts'
import { AnsweredBefore } from './answered-before.ts'
import type { DecisionService } from './decision-service.ts'

const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * The same service, whose decisions count as under way by the rules of their moment, are refused while the rules
 * have been bad for too long (RULES_FAILING), and are measured.
 */
export function guardDecisions(
  service: DecisionService,
  rules: Pick<RulesService, 'begin'>,
  metrics: Metrics,
  clock: Clock,
): DecisionService {
  const decisions = metrics.counter('causebook_decisions_total', 'Decisions recorded, by what was decided.')
  const refused = metrics.counter('causebook_decisions_failed_total', 'Requests not decided, by failure.')
  const duration = metrics.histogram(
    'causebook_decision_duration_seconds',
    'From a decision taken up to its record on the disk.',
    secondsBounds,
  )
  return {
    ...service,
    async decide(request, actor, claim) {
      const fromMs = clock.nowMs()
      try {
        const end = rules.begin(request.policy)
        try {
          const answer = await service.decide(request, actor, claim)
          decisions.add({ decision: answer.decision })
          duration.observe(Math.max(0, clock.nowMs() - fromMs) / 1000)
          return answer
        } finally {
          end()
        }
      } catch (error) {
        if (!(error instanceof AnsweredBefore)) {
          refused.add({ code: error instanceof Failure ? error.code : 'UNEXPECTED' })
        }
        throw error
      }
    },
  }
}
