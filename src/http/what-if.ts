import type { DecisionService } from '../decision/decision-service.ts'
import { readWhatIf } from '../decision/read-what-if.ts'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { aboutCounterfactual, aboutWhatIf } from './about-what-if.ts'
import { answerOnce } from './idempotency.ts'
import type { Route } from './route.ts'

/** What only might be: nothing is recorded but that it was asked. */
export function whatIfRoutes(service: DecisionService): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/decisions/what-if',
      about: aboutWhatIf,
      handle: (context) =>
        answerOnce(context, service, async (value, actor, claim) =>
          service.whatIf(readWhatIf(value), actor, claim),
        ),
    },
    {
      method: 'POST',
      path: '/v1/decisions/:id/counterfactual',
      about: aboutCounterfactual,
      handle: (context) =>
        answerOnce(context, service, async (value, actor, claim) => {
          checkEmpty(value)
          return service.counterfactual(context.req.param('id') ?? '', actor, claim)
        }),
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
