import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMigrations } from '../../src/adapters/files/read-migrations.ts'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import type { GraphOperation } from '../../src/domain/change-set.ts'
import { parseMigration } from '../../src/graph/parse-migration.ts'
import { loadPack } from '../../src/rules/load-pack.ts'

type Operation<Name extends GraphOperation['op']> = Extract<GraphOperation, { op: Name }>

const tableEdges: readonly (readonly [string, string, number])[] = [
  ['consent_missing', 'processing_unlawful', 1],
  ['identity_unverified', 'impersonation_risk', 0.9],
  ['aml_hit_confirmed', 'prohibited_customer', 1],
  ['aml_hit_possible', 'prohibited_customer', 0.35],
  ['minor', 'contract_voidable', 1],
  ['term_past_retirement', 'income_drop', 0.55],
  ['kyc_low', 'impersonation_risk', 0.7],
  ['proof_far_above_base', 'income_overstated', 0.82],
  ['income_overstated', 'capacity_overstated', 0.88],
  ['income_unsupported', 'capacity_unknown', 0.6],
  ['dti_high', 'repayment_strain', 0.8],
  ['repayment_strain', 'default', 0.62],
  ['lti_high', 'repayment_strain', 0.58],
  ['amount_over_cap', 'regulatory_breach', 1],
  ['term_over_cap', 'regulatory_breach', 1],
  ['overdue_recent', 'liquidity_stress', 0.85],
  ['liquidity_stress', 'default', 0.74],
  ['overdue_pattern', 'willingness_low', 0.78],
  ['willingness_low', 'default', 0.8],
  ['many_queries', 'credit_hunger', 0.57],
  ['credit_hunger', 'liquidity_stress', 0.5],
  ['employment_short', 'income_unstable', 0.52],
  ['purpose_forbidden', 'regulatory_breach', 1],
  ['cost_over_cap', 'regulatory_breach', 1],
  ['objection', 'human_decision_required', 1],
  ['ssn_mismatch', 'impersonation_risk', 0.88],
  ['ofac_hit_confirmed', 'prohibited_customer', 1],
  ['ofac_hit_possible', 'prohibited_customer', 0.3],
  ['protected_input', 'disparate_treatment', 1],
  ['income_discounted', 'disparate_treatment', 0.9],
  ['report_stale', 'debts_unknown', 0.6],
  ['atr_unverified', 'atr_breach', 0.95],
  ['dti_over_43', 'qm_lost', 1],
  ['spread_over_limit', 'qm_lost', 1],
  ['qm_lost', 'liability_exposure', 0.65],
  ['hpml', 'conditions_required', 1],
  ['rate_over_state_cap', 'loan_void', 1],
  ['mapr_over_36', 'loan_void', 1],
  ['delinquency_recent', 'default', 0.72],
  ['bankruptcy_recent', 'default', 0.66],
  ['reasons_missing', 'notice_breach', 1],
]

for (const [name, rules, graph] of [
  ['the policies', 'rules', 'graph'],
  ['the identity check', 'examples/identity-check/rules', 'examples/identity-check/graph'],
  ['South German Credit', 'examples/south-german-credit/rules', 'examples/south-german-credit/graph'],
] as const) {
  describe(name, async () => {
    const operations = (await readMigrations(graph)).flatMap(
      (file) => parseMigration(file.path, file.text).changeSet.operations,
    )
    const of = <Name extends GraphOperation['op']>(op: Name) =>
      operations.filter((operation): operation is Operation<Name> => operation.op === op)
    const regulations = new Set(of('add_regulation').map(({ id }) => id))
    const types = new Set(of('add_event_type').map(({ id }) => id))
    const packs = (await readPacks(rules)).packs.map((pack) => loadPack(pack.files))
    const all = packs.flatMap((pack) => [...pack.rules.values()].map(({ rule }) => rule))

    it('every rule and edge rests on a regulation or paper that the graph holds', () => {
      const cited = [...all.map((rule) => rule.regulation), ...of('add_edge').map((edge) => edge.source)]
      assert.deepEqual(
        cited.filter((id) => !regulations.has(id)),
        [],
      )
    })

    it('every event that a rule or a policy names is an event type', () => {
      const named = [
        ...all.flatMap((rule) =>
          rule.then.flatMap((step) => ('episode' in step ? [step.episode, step.toward ?? step.episode] : [])),
        ),
        ...packs.flatMap((pack) =>
          pack.policy.outcomes.flatMap((line) => ('event' in line ? [line.event] : [])),
        ),
      ]
      assert.deepEqual(
        named.filter((type) => !types.has(type)),
        [],
      )
    })

    it('every rule has tests, some in which it fires and some in which it does not', () => {
      const untested = all.filter((rule) => {
        const fires = (rule.tests ?? []).map(({ expect }) => expect.fires ?? expect.outcome === 'fired')
        return !fires.includes(true) || !fires.includes(false)
      })
      assert.deepEqual(
        untested.map((rule) => rule.rule_id),
        [],
      )
    })
  })
}

it('the edges of the policies have the strengths that the policies give', async () => {
  const [base] = await readMigrations('graph')
  assert.ok(base !== undefined)
  const edges = parseMigration(base.path, base.text).changeSet.operations.flatMap((operation) =>
    operation.op === 'add_edge' && operation.relation === 'CAUSES' ? [operation] : [],
  )
  for (const [from, to, strength] of tableEdges) {
    const found = edges.filter((edge) => edge.from === from && edge.to === to).map((edge) => edge.strength)
    assert.deepEqual(found, [strength], `${from} -> ${to}`)
  }
})
