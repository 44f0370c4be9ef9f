import type { AppliedOperation, GraphOperation } from '../../src/domain/change-set.ts'
import type { DecisionInputs } from '../../src/domain/decision.ts'
import type { FactVersion } from '../../src/domain/fact.ts'
import type { FactsFile, PackContent } from '../../src/domain/policy.ts'
import type { Condition, Rule } from '../../src/domain/rule.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import type { Knowledge } from '../../src/graph/knowledge.ts'
import { compileRules } from '../../src/rules/evaluate.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'

/*
 * A policy of one ratio: declined over 0.55, reviewed from 0.50 to 0.55, approved below. Income and amount can be
 * changed; the payment is 1/40 of the amount. A late payment gives manual review while it is recent.
 */

export const now = '2026-06-01T12:00:00.000Z'

const money = { type: 'money', unit: 'USD' } as const
export const ratioFacts = {
  income: { ...money, en: 'Income', zh: '收入', changeable: { step: '10' } },
  debts: { ...money, en: 'Debts', zh: '债务' },
  payment: { ...money, en: 'New payment', zh: '新增月供' },
  amount: {
    ...money,
    en: 'Amount',
    zh: '金额',
    min: '0',
    changeable: { step: '100', changes_with: { payment: 'amount / 40' } },
  },
  bonus: { ...money, en: 'Bonus', zh: '奖金', may_be_none: true },
  suspicious: { type: 'boolean', en: 'Suspicious', zh: '可疑' },
} as const satisfies FactsFile['facts']

function aRule(id: string, when: Condition, toward: string, tell: 'reason' | 'never' = 'reason'): Rule {
  return {
    rule_id: id,
    version: '1.0.0',
    description: 'x',
    regulation: 'lender/x',
    when,
    then: [{ episode: `found_${id.toLowerCase()}`, toward }],
    reason: { code: 'R', tell, text: { en: 'Ratio {ratio}', zh: '比例 {ratio}' } },
  }
}

const rules: readonly Rule[] = [
  aRule('R1', { fact: 'ratio', operator: 'greaterThan', value: '0.55' }, 'out_decline'),
  aRule(
    'R2',
    {
      all: [
        { fact: 'ratio', operator: 'greaterThanInclusive', value: '0.5' },
        { fact: 'ratio', operator: 'lessThanInclusive', value: '0.55' },
      ],
    },
    'out_review',
  ),
]

/** Fires beside everything else; may never be told. */
export const untoldRule = aRule(
  'R3',
  { fact: 'suspicious', operator: 'equal', value: true },
  'out_review',
  'never',
)

export function ratioContent(
  changes: { rules?: readonly Rule[]; facts?: FactsFile['facts'] } = {},
): PackContent {
  return {
    format: 1,
    policy: {
      policy: 'ratio',
      version: '1',
      zone: 'UTC',
      currency: 'USD',
      outcomes: [
        { decision: 'stop', event: 'out_stop', threshold: 0.9 },
        { decision: 'decline', event: 'out_decline', threshold: 0.4 },
        { decision: 'insufficient_evidence' },
        { decision: 'manual_review', event: 'out_review', threshold: 0.3 },
      ],
      required: ['income'],
      min_confidence: 0.7,
      weights: { perceived: 0.3, reasoned: 0.3, verified: 0.4 },
    },
    facts: {
      facts: changes.facts ?? ratioFacts,
      derived: {
        ratio: { type: 'ratio', en: 'Ratio', zh: '比例', expression: '(debts + payment) / income' },
      },
    },
    sources: {
      caller: 'lender',
      applicant: 'applicant',
      sources: {
        lender: { trust: 0.95, en: 'Lender', zh: '贷款人' },
        bank: { trust: 0.9, en: 'Bank', zh: '银行' },
        applicant: { trust: 0.6, en: 'Applicant', zh: '申请人' },
      },
      methods: {},
    },
    reasons: { reasons: { R: { label: { en: 'Ratio', zh: '比例' } } } },
    rules: [...(changes.rules ?? rules)],
  }
}

export function ratioRules(more: readonly Rule[] = []): RuleSet {
  return compileRules(ratioContent({ rules: [...rules, ...more] }))
}

/** Operations of the causal knowledge that the policy needs. */
export const ratioOperations: readonly GraphOperation[] = [
  ...['out_stop', 'out_decline', 'out_review', 'found_r1', 'found_r2', 'found_r3', 'late'].map(
    (id): GraphOperation => ({ op: 'add_event_type', id, text: { en: id, zh: id } }),
  ),
  ...['r1 decline', 'r2 review', 'r3 review', 'r3 stop'].map((way): GraphOperation => {
    const [rule, outcome] = way.split(' ')
    return anEdge(`e-${rule}-${outcome}`, `found_${rule}`, `out_${outcome}`)
  }),
  anEdge('e-late', 'late', 'out_review'),
]

function anEdge(id: string, from: string, to: string): GraphOperation {
  return {
    op: 'add_edge',
    id,
    from,
    relation: 'CAUSES',
    to,
    strength: 0.9,
    confidence: 1,
    source: 'lender/x',
  }
}

export function ratioLog(): readonly AppliedOperation[] {
  return ratioOperations.map((operation, index) => ({
    sequence: index + 1,
    migration: 'V0001',
    zone: 'UTC',
    recorded_at: now,
    operation,
  }))
}

export const ratioKnowledge: Knowledge = foldKnowledge(ratioLog())

/** An application with one sure version of each fact. */
export function ratioInputs(
  facts: Partial<Record<keyof typeof ratioFacts, string | boolean>>,
  changes: Partial<DecisionInputs> = {},
): DecisionInputs {
  const versions = Object.entries(facts).map(([fact, value]) => aVersion(fact, value))
  return {
    decision_id: 'd',
    application_id: 'app',
    subject_id: null,
    policy: 'ratio',
    received_at: now,
    as_of: now,
    known_at: now,
    consents: [],
    facts: versions.sort((one, other) => (one.fact < other.fact ? -1 : 1)),
    episodes: [],
    edges_examined_max: null,
    ...changes,
  }
}

export function aVersion(
  fact: string,
  value: string | boolean,
  changes: Partial<FactVersion> = {},
): FactVersion {
  const money = typeof value === 'string'
  return {
    application_id: 'app',
    fact,
    version: 1,
    type: money ? 'money' : 'boolean',
    value,
    unit: money ? 'USD' : null,
    confidence: 0.95,
    source: 'lender',
    method: null,
    corrects: null,
    observed_at: now,
    recorded_at: now,
    ...changes,
  }
}
