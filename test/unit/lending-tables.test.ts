import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import type { RecordedAnswer } from '../../src/domain/decision.ts'
import type { DecisionTable, TestPart } from '../../src/domain/decision-table.ts'
import { Failure } from '../../src/errors.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { PackFile } from '../../src/rules/parse-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { untestedRows } from '../../src/rules/tables/run-table-tests.ts'
import { openTestService } from '../support/open-test-service.ts'

const folder = 'examples/lending-tables'

interface Application {
  readonly about: string
  readonly facts: Readonly<Record<string, unknown>>
}

describe('the tables of the lending example', () => {
  let files: readonly PackFile[] = []
  let set: RuleSet

  before(async () => {
    files = (await readPacks(`${folder}/rules`)).packs[0]?.files ?? []
    set = loadPack(files)
  })

  /** First lines of the faults with a change made in one of the tables. */
  function faultsWith(table: string, from: string, to: string): string[] {
    const changed = files.map((file) => {
      if (!file.path.endsWith(`/${table}`)) return file
      assert.ok(file.text.includes(from), `${table} holds ${from}`)
      return { ...file, text: file.text.replace(from, () => to) }
    })
    try {
      loadPack(changed)
    } catch (cause) {
      assert.ok(cause instanceof Failure, String(cause))
      return cause.faults.map(({ at, why }) => `${at} ${why.split('\n')[0]}`)
    }
    return []
  }

  it('are at least eight, of every kind the decision needs, and reach each other', () => {
    const tables = Object.values(set.content.tables ?? {})
    assert.ok(tables.length >= 8)
    const policies = new Set(tables.map((table) => table.hit_policy))
    assert.deepEqual([...policies].sort(), ['collect', 'min', 'priority', 'sum', 'unique'])
    assert.match(JSON.stringify(set.facts.derived), /\^/, 'an annuity has a power')
  })

  it('have a test for every row', () => {
    for (const [path, table] of Object.entries(set.content.tables ?? {})) {
      assert.deepEqual(untestedRows(table, set.declared), [], path)
    }
  })

  it('have a test on both sides of every bound', () => {
    for (const [path, table] of Object.entries(set.content.tables ?? {})) {
      assert.deepEqual(untestedSides(table, set), [], path)
    }
  })

  it('are refused with a gap, named with the applicant that falls in', () => {
    assert.deepEqual(
      faultsWith('pre-bureau-risk.yaml', "[false, '[60..80)', high]", "[false, '[60..79)', high]").slice(
        0,
        1,
      ),
      [
        'lending-tables/tables/pre-bureau-risk.yaml:9:3 no row of table `pre_bureau_risk` matches existing_customer `false`, application_score `79`; write a row, or `gaps: allowed`',
      ],
    )
    assert.deepEqual(
      faultsWith('yearly-rate.csv', 'low,personal,low,>= 10000', 'low,personal,low,> 10000').slice(0, 1),
      [
        'lending-tables/tables/yearly-rate.yaml:6:6 no row of table `yearly_rate` matches product `personal`, post_bureau_risk `low`, loan_amount `10000`; write a row, or `gaps: allowed`',
      ],
    )
    assert.match(
      faultsWith(
        'application-score.yaml',
        '  - {name: student, when: {employment: student}, then: 15}\n',
        '',
      ).join('\n'),
      /no row of table `application_score` matches employment `student`, so nothing would be added for it/,
    )
  })

  it('are refused with an overlap, named with both rows and the applicant that falls in', () => {
    assert.deepEqual(
      faultsWith('pre-bureau-risk.yaml', "[true, '[50..75)', high]", "[true, '[50..75]', high]").slice(0, 1),
      [
        'lending-tables/tables/pre-bureau-risk.yaml:15:5 row `6` (lending-tables/tables/pre-bureau-risk.yaml:14:5) and this row `7` of table `pre_bureau_risk` both match existing_customer `true`, application_score `75`; `hit_policy: unique` allows one',
      ],
    )
    assert.deepEqual(
      faultsWith(
        'yearly-rate.csv',
        'small low,personal,low,< 10000',
        'small low,personal,low,<= 10000',
      ).slice(0, 1),
      [
        'lending-tables/tables/yearly-rate.csv:6:1 row `small low` (lending-tables/tables/yearly-rate.csv:5:1) and this row `low` of table `yearly_rate` both match product `personal`, post_bureau_risk `low`, loan_amount `10000`; `hit_policy: unique` allows one',
      ],
    )
  })

  it('are refused with a row that nothing reaches', () => {
    assert.match(
      faultsWith('routing.yaml', "'> 25000'", "'> 25000', eligibility: ineligible").join('\n'),
      /row `large` of table `routing` never decides/,
    )
  })

  describe('decide', () => {
    const answers: RecordedAnswer[] = []

    before(async () => {
      const { service } = await openTestService('2026-06-01T12:00:00Z', {
        rules: `${folder}/rules`,
        graph: `${folder}/graph`,
      })
      const applications = JSON.parse(readFileSync(`${folder}/applications.json`, 'utf8')) as Application[]
      for (const [index, { facts }] of applications.entries()) {
        const request = {
          application_id: `a-${index}`,
          policy: 'lending-tables',
          received_at: '2026-06-01T10:00:00Z',
          facts,
        }
        const answer = await service.decide(readRequest(readJson(JSON.stringify(request))), 'test')
        assert.equal((await service.replay(answer.decision_id)).identical, true)
        answers.push(answer)
      }
    })

    it('as a credit officer would, and say which rows led there', () => {
      assert.deepEqual(
        answers.map(({ decision, reasons, conditions }) => [
          decision,
          [...reasons, ...conditions].map(({ code }) => code).join(),
        ]),
        [
          ['approve', ''],
          ['decline', 'T-PAYMENT'],
          ['approve', ''],
          ['decline', 'T-PAYMENT,T-ADDRESS'],
          ['insufficient_evidence', ''],
          ['manual_review', 'T-LIMIT'],
          ['approve', 'T-DOCUMENT'],
        ],
      )
      const believed = answers[0]?.facts.believed ?? {}
      assert.deepEqual(believed.application_score?.rows, [
        'employed',
        'rented home',
        '3 to 10 years',
        'new customer',
      ])
      assert.deepEqual(believed.pre_bureau_risk, {
        state: 'known',
        value: 'medium',
        confidence: 0.95,
        rows: ['3'],
      })
      assert.deepEqual(believed.documents?.value, ['identity_document', 'pay_slips'])
    })

    it('the annuity to the cent', () => {
      // 12 000 at 6.9 % over 48 months: 12 000 x 0.00575 / (1 - 1.00575 ^ -48).
      assert.equal(answers[0]?.facts.believed.monthly_payment?.value, '286.8')
    })

    it('ask for the bureau where it could change something, and not where it could not', () => {
      assert.deepEqual(
        answers[4]?.facts.missing.map(({ fact }) => fact),
        ['bureau_score'],
      )
      assert.equal(answers[2]?.facts.believed.bureau_score, undefined)
    })
  })
})

/** Steps in which each input is counted: a bound is tested from both sides a step apart. */
const steps: Readonly<Record<string, number>> = { loan_amount: 0.01 }

/** Bounds of a table of which a test on one side is missing. */
function untestedSides(table: DecisionTable, set: RuleSet): string[] {
  const missing = new Set<string>()
  for (const [column, { fact }] of table.inputs.entries()) {
    const given = new Set((table.tests ?? []).map((test) => test.given[fact]))
    const need = (value: number) => {
      const text = String(Number(value.toFixed(2)))
      if (!given.has(text)) missing.add(`${fact} ${text}`)
    }
    const step = steps[fact] ?? 1
    assert.ok(set.declared.has(fact))
    for (const part of table.rows.flatMap((row) => partsOf(row.when[column]))) {
      if ('equal' in part) continue
      const { from, above, to, below } = part
      for (const inside of [from, below]) {
        if (inside === undefined) continue
        need(Number(inside))
        need(Number(inside) - step)
      }
      for (const inside of [to, above]) {
        if (inside === undefined) continue
        need(Number(inside))
        need(Number(inside) + step)
      }
    }
  }
  return [...missing].sort()
}

function partsOf(cell: DecisionTable['rows'][number]['when'][number] | undefined): readonly TestPart[] {
  if (cell === undefined || cell === '-') return []
  return 'in' in cell ? cell.in : cell.not_in
}
