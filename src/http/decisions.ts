import type { DecisionService } from '../decision/decision-service.ts'
import { drawAnswer } from '../decision/draw-answer.ts'
import { readRequest } from '../decision/read-request.ts'
import type { RecordedAnswer } from '../domain/decision.ts'
import { Failure } from '../errors.ts'
import { aboutChains, aboutDecide, aboutFindDecision } from './about-decisions.ts'
import { answerOnce } from './idempotency.ts'
import type { Route } from './route.ts'
import { sendCanonical } from './send-canonical.ts'

export function decisionRoutes(service: DecisionService): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/decisions',
      about: aboutDecide,
      handle: (context) =>
        answerOnce(context, service, async (value, actor, claim) =>
          service.decide(readRequest(value), actor, claim),
        ),
    },
    {
      method: 'GET',
      path: '/v1/decisions/:id',
      about: aboutFindDecision,
      handle: async (context) => sendCanonical(await find(service, context.req.param('id') ?? '')),
    },
    {
      method: 'GET',
      path: '/v1/decisions/:id/chains',
      about: aboutChains,
      handle: async (context) => {
        const format = context.req.query('format') ?? 'json'
        if (format !== 'json' && format !== 'tree') {
          const why = `expected \`json\` or \`tree\`; got \`${format.slice(0, 60)}\``
          throw new Failure('REQUEST_INVALID', { at: '?format', why })
        }
        const answer = await find(service, context.req.param('id') ?? '')
        return format === 'tree' ? sendTree(answer) : sendCanonical(chainsOf(answer))
      },
    },
  ]
}

async function find(service: DecisionService, id: string): Promise<RecordedAnswer> {
  const answer = id.length > 200 ? undefined : await service.find(id)
  if (answer !== undefined) return answer
  throw new Failure('DECISION_UNKNOWN', { at: '', why: `no decision has the id \`${id.slice(0, 100)}\`` })
}

function chainsOf(answer: RecordedAnswer) {
  const { decision_id, application_id, decision, confidence, chains, chains_omitted } = answer
  const { other_outcomes, strongest_adverse, excluded, context } = answer
  return {
    decision_id,
    application_id,
    decision,
    confidence,
    chains,
    chains_omitted,
    other_outcomes,
    strongest_adverse,
    excluded,
    context,
  }
}

function sendTree(answer: RecordedAnswer): Response {
  return new Response(drawAnswer(answer), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
