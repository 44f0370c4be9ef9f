import { z } from 'zod'
import { RecordedAnswer } from '../domain/decision.ts'
import { DecisionRequest } from '../domain/request.ts'
import { DecisionChains } from '../domain/responses.ts'
import type { RouteAbout } from './route.ts'

export const decisionIdPart = {
  id: { description: 'Id of the decision, as its answer named it.', schema: z.string().min(1) },
}

export const aboutDecide: RouteAbout = {
  id: 'decide',
  tag: 'Decisions',
  summary: 'Decide one application',
  zh: '审批一笔申请',
  description:
    'Settles what is believed, evaluates every rule of the policy, finds the causal chains, and answers once the record is durable. What is not recorded is not answered.',
  body: {
    description: 'The application: its facts, what happened to its subject, and the consents given.',
    type: 'application/json',
    schema: DecisionRequest,
  },
  answers: {
    200: {
      description: 'The decision with its causes; `Location` names its address.',
      content: { 'application/json': RecordedAnswer },
    },
  },
  failures: [
    'POLICY_UNKNOWN',
    'APPLICATION_CONFLICT',
    'RULES_FAILING',
    'GRAPH_MIGRATION_EDITED',
    'GRAPH_MIGRATION_PENDING',
    'STORE_UNAVAILABLE',
    'OVERLOADED',
  ],
}

export const aboutFindDecision: RouteAbout = {
  id: 'findDecision',
  tag: 'Decisions',
  summary: 'Read a decision',
  zh: '查询审批结果',
  description: 'The answer as it was given and recorded, byte for byte.',
  path: decisionIdPart,
  answers: {
    200: { description: 'The decision.', content: { 'application/json': RecordedAnswer } },
  },
  failures: ['DECISION_UNKNOWN', 'STORE_UNAVAILABLE', 'LEDGER_BROKEN'],
}

export const aboutChains: RouteAbout = {
  id: 'readChains',
  tag: 'Decisions',
  summary: 'Read the causal chains of a decision',
  zh: '查询因果链',
  description: 'The chains alone, with every factor of every link; or drawn as a tree of text.',
  path: decisionIdPart,
  query: {
    format: {
      description: '`json` (the default), or `tree` for a drawing in text.',
      schema: z.enum(['json', 'tree']),
    },
  },
  answers: {
    200: {
      description: 'The chains.',
      content: { 'application/json': DecisionChains, 'text/plain': undefined },
    },
  },
  failures: ['REQUEST_INVALID', 'DECISION_UNKNOWN', 'STORE_UNAVAILABLE', 'LEDGER_BROKEN'],
}
