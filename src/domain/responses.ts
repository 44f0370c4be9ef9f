import { z } from 'zod'
import { Answer } from './decision.ts'
import { FactVersion } from './fact.ts'
import { CallerId } from './names.ts'

/** Everything that goes wrong is answered in this shape (RFC 9457). */
export const Problem = z
  .strictObject({
    type: z
      .string()
      .regex(/^urn:causebook:problem:[a-z-]+$/)
      .meta({ description: 'What kind of failure it is; stable, for programs.' }),
    title: z.string().meta({ description: 'The same for people; one title for each type.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What was found here, and what would be right.' }),
    instance: z.string().meta({ description: 'The address that was asked.' }),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().meta({
            description:
              'JSON pointer (RFC 6901) of the bad field; empty: the whole body; `?name`: a parameter of the query.',
          }),
          detail: z.string().meta({ description: 'What was found there, and what would be right.' }),
        }),
      )
      .optional()
      .meta({ description: 'Every bad field, named at once.' }),
    failure_id: z
      .string()
      .optional()
      .meta({ description: "Of a failure on the service's side: the id its log names." }),
  })
  .meta({ description: 'What went wrong, and what would be right.' })
export type Problem = z.infer<typeof Problem>

/** `GET /healthz` */
export const Health = z
  .strictObject({ status: z.literal('ok').meta({ description: 'Always `ok`.' }) })
  .meta({ description: 'The process answers.' })
export type Health = z.infer<typeof Health>

/** `GET /readyz` */
export const Readiness = z
  .strictObject({
    ready: z.boolean().meta({ description: 'Whether every check is good.' }),
    checks: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'What was looked at.' }),
          ok: z.boolean().meta({ description: 'Whether it is good.' }),
          detail: z.string().meta({ description: 'What was seen, and what to do.' }),
        }),
      )
      .meta({ description: 'Store, rules and graph.' }),
  })
  .meta({ description: 'Whether the service can decide and record.' })
export type Readiness = z.infer<typeof Readiness>

/** `GET /v1/applications/{id}/facts` */
export const ApplicationFacts = z
  .strictObject({
    application_id: CallerId.meta({ description: 'The application asked for.' }),
    facts: z.array(FactVersion).meta({ description: 'Every version, by fact, then version.' }),
  })
  .meta({ description: 'The working memory of an application.' })
export type ApplicationFacts = z.infer<typeof ApplicationFacts>

/** `GET /v1/decisions/{id}/chains` */
export const DecisionChains = Answer.pick({
  decision_id: true,
  application_id: true,
  decision: true,
  confidence: true,
  chains: true,
  chains_omitted: true,
  other_outcomes: true,
  strongest_adverse: true,
  excluded: true,
  context: true,
}).meta({ description: 'The causal chains of a decision.' })
export type DecisionChains = z.infer<typeof DecisionChains>
