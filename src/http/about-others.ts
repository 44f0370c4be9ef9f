import { z } from 'zod'
import { ApplicationFacts, Health, Readiness } from '../domain/responses.ts'
import type { RouteAbout } from './route.ts'

export const aboutFacts: RouteAbout = {
  id: 'readFacts',
  tag: 'Applications',
  summary: 'Read the facts known of an application',
  zh: '查询申请的事实',
  description:
    'Every version of every fact, with its source and both its times. Nothing is ever overwritten.',
  path: { id: { description: 'Your id of the application.', schema: z.string().min(1) } },
  answers: {
    200: { description: 'The facts.', content: { 'application/json': ApplicationFacts } },
  },
  failures: ['APPLICATION_UNKNOWN', 'STORE_UNAVAILABLE'],
}

export const aboutHealth: RouteAbout = {
  id: 'health',
  tag: 'Service',
  summary: 'Whether the process answers',
  zh: '存活检查',
  description: 'For a supervisor that restarts what no longer answers.',
  answers: { 200: { description: 'It does.', content: { 'application/json': Health } } },
  failures: [],
}

export const aboutReadiness: RouteAbout = {
  id: 'readiness',
  tag: 'Service',
  summary: 'Whether the service can decide and record',
  zh: '就绪检查',
  description: 'For a load balancer: store, rules and graph, each with what to do.',
  answers: {
    200: { description: 'It can.', content: { 'application/json': Readiness } },
    503: { description: 'It cannot; the checks say why.', content: { 'application/json': Readiness } },
  },
  failures: [],
}

export const aboutOpenApi: RouteAbout = {
  id: 'openApi',
  tag: 'Service',
  summary: 'This description, for programs',
  zh: '接口描述（机器可读）',
  description:
    'OpenAPI 3.1, made from the schemas that check requests and the table of routes that serves them.',
  answers: {
    200: { description: 'The document.', content: { 'application/json': z.looseObject({}) } },
  },
  failures: [],
}

export const aboutDocs: RouteAbout = {
  id: 'docs',
  tag: 'Service',
  summary: 'This description, for people',
  zh: '接口说明',
  description: 'A page of HTML without scripts, made from the same document.',
  answers: { 200: { description: 'The page.', content: { 'text/html': undefined } } },
  failures: [],
}
