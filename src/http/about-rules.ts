import { z } from 'zod'
import { RulesCheck, RulesCheckRequest, RulesReport, RuleVersions } from '../domain/rules-report.ts'
import type { RouteAbout } from './route.ts'

export const aboutRules: RouteAbout = {
  id: 'readRules',
  tag: 'Policies',
  summary: 'Which rules decide, and what is wrong with what lies there',
  zh: '当前规则集',
  description:
    'For each policy the rule set in force, since when, its files and rules, its last change, and why what lies there now is not in force where it is not. Whoever has seen a set here gets no answer from the one before.',
  answers: {
    200: { description: 'The rules.', content: { 'application/json': RulesReport } },
  },
  failures: ['STORE_UNAVAILABLE'],
}

export const aboutRule: RouteAbout = {
  id: 'readRule',
  tag: 'Policies',
  summary: 'Read the versions of a rule',
  zh: '规则的各版本',
  description: 'Every version in the rule sets in force, whole, with the days it is for.',
  path: { id: { description: 'Id of the rule, such as `US-08a`.', schema: z.string().min(1) } },
  answers: {
    200: { description: 'Its versions.', content: { 'application/json': RuleVersions } },
  },
  failures: ['RULE_UNKNOWN', 'STORE_UNAVAILABLE'],
}

export const aboutCheck: RouteAbout = {
  id: 'checkRules',
  tag: 'Policies',
  summary: 'Check the files of a pack without putting them in force',
  zh: '检查规则包',
  description:
    'Reads, checks and compiles the files, runs their tests, and compares them with what is in force, just as if they lay among the rules. Nothing is kept of them.',
  body: {
    description: 'Every file of one pack, 1 MiB in all.',
    type: 'application/json',
    schema: RulesCheckRequest,
  },
  answers: {
    200: {
      description: 'Whether they would go into force, with everything that is wrong.',
      content: { 'application/json': RulesCheck },
    },
  },
  failures: ['STORE_UNAVAILABLE', 'OVERLOADED'],
}

export const aboutMetrics: RouteAbout = {
  id: 'metrics',
  tag: 'Service',
  summary: 'What to watch, for Prometheus',
  zh: '监控指标',
  description:
    'Age of each rule set, bad packs, reloads, decisions and how long they took, records of the ledger, in the text format 0.0.4. No value of an application is among them.',
  answers: { 200: { description: 'The metrics.', content: { 'text/plain': undefined } } },
  failures: ['STORE_UNAVAILABLE'],
}
