import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OfferedPack } from '../../src/rules/current-rule-sets.ts'
import { aPack } from './live-rules.ts'
import { ruleWith } from './pack-builders.ts'

/*
 * The small pack with one rule more, whose limit says what becomes of an application of 1,000 dollars: over the
 * limit a person decides, under it the application is approved.
 */

export type Side = 'approve' | 'manual_review'

/** The rule as it stands on one side; `note` makes it another rule set that decides the same. */
export function switchingRule(side: Side, note = ''): string {
  const limit = side === 'approve' ? 50_000 : 500
  return ruleWith({
    id: 'SWITCH',
    when: `{fact: loan_amount, operator: greaterThan, value: ${limit}}`,
    then: '[{episode: large, toward: manual_review_required}]',
    more: `author: ${note === '' ? 'nobody' : note}\n`,
  })
}

export function switchingPack(side: Side, note = ''): OfferedPack {
  return aPack({ 'switch.yaml': switchingRule(side, note) })
}

const events = [
  'prohibited_customer',
  'credit_rejection',
  'evidence_required',
  'manual_review_required',
  'terms_exceeded',
  'conditions_required',
  'dti_high',
  'large',
  'something',
  'credit_overdue',
]

/** The causal knowledge it needs, as a migration. */
export const switchingGraph = `migration: V0001
title: Large loans need a person
zone: America/New_York
author: one
approved_by: another
operations:
${events.map((id) => `  - {op: add_event_type, id: ${id}, text: {en: ${id}, zh: ${id}}}\n`).join('')}  - {op: add_edge, id: e-1, from: large, relation: CAUSES, to: manual_review_required, strength: 0.9, confidence: 1, source: lender/test}
  - {op: add_edge, id: e-2, from: dti_high, relation: CAUSES, to: credit_rejection, strength: 0.9, confidence: 1, source: lender/test}
  - {op: add_edge, id: e-3, from: something, relation: CAUSES, to: manual_review_required, strength: 0.9, confidence: 1, source: lender/test}
`

/** Lays pack and graph into a folder: `rules` and `graph`. */
export async function putSwitching(folder: string, side: Side): Promise<{ rules: string; graph: string }> {
  const [rules, graph] = [path.join(folder, 'rules'), path.join(folder, 'graph')]
  await mkdir(path.join(rules, 'test-pack'), { recursive: true })
  await mkdir(path.join(graph, 'migrations'), { recursive: true })
  await writeFile(path.join(graph, 'migrations/V0001__base.yaml'), switchingGraph)
  for (const { path: name, text } of switchingPack(side).files) await writeFile(path.join(rules, name), text)
  return { rules, graph }
}

/** Replaces the rule by an atomic rename, as careful tools save. */
export async function switchTo(rules: string, side: Side, note = ''): Promise<void> {
  const draft = path.join(rules, 'test-pack/.switch.yaml')
  await writeFile(draft, switchingRule(side, note))
  await rename(draft, path.join(rules, 'test-pack/switch.yaml'))
}

/** An application that only the switching rule is about. */
export function switchingRequest(applicationId: string) {
  return {
    application_id: applicationId,
    policy: 'test-pack',
    received_at: '2026-06-01T12:00:00Z',
    facts: { loan_amount: '1000', monthly_income: '10000', monthly_debts: '100', new_payment: '50' },
  }
}
