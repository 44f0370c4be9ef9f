import { CounterfactualAnswer, NoFields, WhatIfAnswer, WhatIfRequest } from '../domain/hypothetical.ts'
import { decisionIdPart } from './about-decisions.ts'
import type { RouteAbout } from './route.ts'

export const aboutWhatIf: RouteAbout = {
  id: 'askWhatIf',
  tag: 'What if',
  summary: 'Ask what would be decided if something were otherwise',
  zh: '假设分析',
  description:
    'Decides a recorded decision, or a request, anew with changed facts, times, rule set or causal knowledge. Recorded is only that it was asked.',
  body: {
    description: 'The decision or the request it starts from, and the changes.',
    type: 'application/json',
    schema: WhatIfRequest,
  },
  answers: {
    200: {
      description: 'What would be decided; marked hypothetical, without a record.',
      content: { 'application/json': WhatIfAnswer },
    },
  },
  failures: ['DECISION_UNKNOWN', 'POLICY_UNKNOWN', 'STORE_UNAVAILABLE', 'OVERLOADED', 'LEDGER_BROKEN'],
}

export const aboutCounterfactual: RouteAbout = {
  id: 'findCounterfactual',
  tag: 'What if',
  summary: 'Find the smallest change that gives a better decision',
  zh: '最小改变',
  description:
    'For a decision that is no approval: the smallest change of one fact marked changeable that gives a better one, exact to the step. Recorded is only that it was asked.',
  path: decisionIdPart,
  body: { description: 'The empty object.', type: 'application/json', schema: NoFields },
  answers: {
    200: {
      description: 'The change, or why there is none.',
      content: { 'application/json': CounterfactualAnswer },
    },
  },
  failures: ['DECISION_UNKNOWN', 'STORE_UNAVAILABLE', 'OVERLOADED', 'LEDGER_BROKEN'],
}
