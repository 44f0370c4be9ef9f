import type { DecisionService } from '../decision/decision-service.ts'
import { readWhatIf } from '../decision/read-what-if.ts'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { aboutCounterfactual, aboutWhatIf } from './about-what-if.ts'
import { callerOf } from './caller-of.ts'
import { answerOnce } from './idempotency.ts'
import { parseBody, readBytes } from './read-body.ts'
import type { Route } from './route.ts'

/** What only might be: nothing is recorded but that it was asked. */
export function whatIfRoutes(service: DecisionService): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/decisions/what-if',
      about: aboutWhatIf,
      handle: async (context) => {
        const body = await readBytes(context.req.raw)
        return answerOnce(context, service, body, (claim) =>
          service.whatIf(readWhatIf(parseBody(body)), callerOf(context).id, claim),
        )
      },
    },
    {
      method: 'POST',
      path: '/v1/decisions/:id/counterfactual',
      about: aboutCounterfactual,
      handle: async (context) => {
        const body = await readBytes(context.req.raw)
        return answerOnce(context, service, body, (claim) => {
          checkEmpty(parseBody(body))
          return service.counterfactual(context.req.param('id') ?? '', callerOf(context).id, claim)
        })
      },
    },
  ]
}

/** The question has nothing to say beyond the decision it names. */
function checkEmpty(body: RawValue): void {
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof JsonNumber)
  if (!isObject) throw new Failure('REQUEST_INVALID', { at: '', why: 'expected the empty object `{}`' })
  const faults = Object.keys(body).map((key) => ({
    at: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    why: `there is no field \`${key.slice(0, 60)}\`; send the empty object \`{}\``,
  }))
  if (faults.length > 0) throw new Failure('REQUEST_INVALID', faults)
}
