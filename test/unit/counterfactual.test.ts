import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerFor } from '../../src/decision/answer-for.ts'
import { counterfactual, evaluationsMax } from '../../src/decision/counterfactual.ts'
import { findBoundary } from '../../src/decision/find-boundary.ts'
import { isBetter } from '../../src/decision/precedence.ts'
import type { DecisionInputs } from '../../src/domain/decision.ts'
import type { Rule } from '../../src/domain/rule.ts'
import { compileRules } from '../../src/rules/evaluate.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import {
  aVersion,
  ratioContent,
  ratioFacts,
  ratioInputs,
  ratioKnowledge,
  ratioRules,
  untoldRule,
} from '../support/ratio-policy.ts'

const ruleSet = ratioRules()

/** The boundary of a question that can be asked at once. */
function boundaryOf(holds: (steps: number) => boolean | undefined, stepsMax: number) {
  const search = findBoundary(stepsMax)
  let asked = search.next()
  while (asked.done !== true) asked = search.next(holds(asked.value))
  return asked.value
}

function decisionOf(inputs: DecisionInputs, rules = ruleSet) {
  return answerFor(inputs, rules, ratioKnowledge).answer.decision
}

function ask(inputs: DecisionInputs, rules: RuleSet = ruleSet) {
  return counterfactual(inputs, rules, ratioKnowledge)
}

/** `none` with its code, or the change in short. */
function told(inputs: DecisionInputs, rules: RuleSet = ruleSet): string {
  const { counterfactual: found, whyNone } = ask(inputs, rules)
  return found === null
    ? `none: ${whyNone?.code}`
    : `${found.fact} ${found.from} -> ${found.to}: ${found.decision}`
}

describe('the boundary', () => {
  it('ratios of exactly 0.55, exactly 0.50 and 0.4999 fall where the policy says', () => {
    const at = (debts: string) => decisionOf(ratioInputs({ income: '10000', debts, payment: '0' }))
    assert.equal(at('5501'), 'decline')
    assert.equal(at('5500.000000000000000000000000000001'), 'decline')
    assert.equal(at('5500'), 'manual_review')
    assert.equal(at('5000'), 'manual_review')
    assert.equal(at('4999'), 'approve')
  })

  it('names the very first step beyond the boundary', () => {
    // 5500 / 9990 > 0.55; 5500 / 10000 = 0.55 exactly, which is reviewed and not declined.
    const inputs = ratioInputs({ income: '9990', debts: '5500', payment: '0' })
    const { counterfactual: found } = ask(inputs)
    assert.deepEqual(
      { fact: found?.fact, from: found?.from, to: found?.to, steps: found?.steps, decision: found?.decision },
      { fact: 'income', from: '9990', to: '10000', steps: 1, decision: 'manual_review' },
    )
    // At exactly 0.50 it is reviewed still; the next step is under it.
    assert.equal(
      told(ratioInputs({ income: '10000', debts: '5000', payment: '0' })),
      'income 10000 -> 10010: approve',
    )
  })

  it('changes what follows the fact, and says so in both languages', () => {
    // Without the payment the debts alone are 0.505: no change of the amount approves, less of it reviews.
    const inputs = ratioInputs({ income: '2000', debts: '1010', payment: '300', amount: '12000' })
    const { counterfactual: found } = ask(inputs)
    assert.equal(found?.fact, 'income')
    const fixed = { ...ratioFacts, income: { ...ratioFacts.income, max: '2000' } }
    const onlyAmount = ask(inputs, compileRules(ratioContent({ facts: fixed }))).counterfactual
    // 0.55 * 2000 - 1010 = 90 of payment, 3600 of amount.
    assert.equal(onlyAmount?.to, '3600')
    assert.equal(onlyAmount?.steps, 84)
    assert.deepEqual(onlyAmount?.with, { payment: { from: '300', to: '90', unit: 'USD' } })
    assert.equal(
      onlyAmount?.text.en,
      'Hypothetical: if “Amount” were 3600 USD instead of 12000 USD, and with it “New payment” 90 USD, and all else stayed the same, the decision would be: review by a person.',
    )
    assert.equal(
      onlyAmount?.text.zh,
      '假设：若“金额”为 3600 USD（现为 12000 USD），“新增月供”随之为 90 USD，其他条件不变，结果将为：人工审核。',
    )
  })

  it('the smallest share of a value wins, a tie goes by name', () => {
    // Income needs 4 %, the amount 26 %.
    assert.equal(
      told(ratioInputs({ income: '5000', debts: '2760', payment: '100', amount: '4000' })),
      'income 5000 -> 5200: manual_review',
    )
    const twins = {
      ...ratioFacts,
      debts: { ...ratioFacts.debts, changeable: { step: '10' } },
      payment: { ...ratioFacts.payment, changeable: { step: '10' } },
      income: { ...ratioFacts.income, max: '1000' },
    }
    assert.equal(
      told(
        ratioInputs({ income: '1000', debts: '300', payment: '300' }),
        compileRules(ratioContent({ facts: twins })),
      ),
      'debts 300 -> 250: manual_review',
    )
  })

  it('an amount that would be smaller only because its formula does not fit the report is not named', () => {
    // The payment reported is far over 1/40 of the amount, so no step at all would already "help".
    const fixed = { ...ratioFacts, income: { ...ratioFacts.income, max: '1000' } }
    const rules = compileRules(ratioContent({ facts: fixed }))
    assert.equal(
      told(ratioInputs({ income: '1000', debts: '100', payment: '600', amount: '4000' }), rules),
      'none: none_found',
    )
  })
})

describe('what is not offered', () => {
  const declined = { income: '2000', debts: '1500', payment: '100' }

  it('nothing for an approval, and nothing where no changeable fact is known', () => {
    assert.equal(told(ratioInputs({ income: '2000', debts: '1', payment: '1' })), 'none: approved')
    assert.equal(told(ratioInputs({ debts: '1500', payment: '100' })), 'none: nothing_changeable')
  })

  it('nothing where a rule decides, or would decide, that may never be told; and no word of why', () => {
    const rules = ratioRules([untoldRule])
    assert.match(told(ratioInputs({ ...declined, suspicious: false }), rules), /^income/)
    // Declined for its ratio; with another income the rule that is never told would have it reviewed.
    const would = ask(ratioInputs({ ...declined, suspicious: true }), rules)
    const decides = ask(ratioInputs({ income: '2000', debts: '1', payment: '1', suspicious: true }), rules)
    const stop: Rule = { ...untoldRule, then: [{ episode: 'found_r3', toward: 'out_stop' }] }
    const ofStop = ask(
      ratioInputs({ ...declined, suspicious: true }),
      ratioRules([{ ...stop, reason: { code: 'R', tell: 'reason', text: { en: 'x', zh: 'x' } } }]),
    )
    assert.deepEqual(
      [would.decision, decides.decision, ofStop.decision],
      ['decline', 'manual_review', 'stop'],
    )
    assert.equal(would.whyNone?.code, 'not_offered')
    assert.deepEqual([decides.whyNone, ofStop.whyNone], [would.whyNone, would.whyNone])
  })

  it('a rule that is never told and decides nothing keeps nothing back', () => {
    const aside: Rule = { ...untoldRule, then: [{ episode: 'found_r3' }] }
    assert.match(
      told(ratioInputs({ ...declined, suspicious: true }), ratioRules([aside])),
      /^income 2000 -> /,
    )
  })

  it('a hidden rule under one reading of contested facts is enough', () => {
    const inputs = ratioInputs({ ...declined, suspicious: false })
    const other = aVersion('suspicious', true, { version: 2, source: 'bank', confidence: 0.9 })
    const contested = { ...inputs, facts: [...inputs.facts, other] }
    assert.equal(told(contested, ratioRules([untoldRule])), 'none: not_offered')
  })

  it('no income so low that the ratio can no longer be worked out', () => {
    const fixed = { ...ratioFacts, income: { ...ratioFacts.income, max: '2000' } }
    const inputs = ratioInputs(declined)
    const none = {
      ...inputs,
      facts: inputs.facts.map((v) => (v.fact === 'income' ? { ...v, value: '0' } : v)),
    }
    assert.equal(decisionOf(none), 'manual_review')
    assert.equal(told(inputs, compileRules(ratioContent({ facts: fixed }))), 'none: none_found')
  })

  it('no amount that the policy would no longer cover', () => {
    const content = ratioContent({ facts: { ...ratioFacts, income: { ...ratioFacts.income, max: '2000' } } })
    const covers = { fact: 'amount', operator: 'lessThan', value: '5000' } as const
    const rules = compileRules({ ...content, policy: { ...content.policy, covers } })
    const inputs = ratioInputs({ ...declined, amount: '4000' })
    assert.equal(decisionOf(ratioInputs({ ...declined, amount: '6000' }), rules), 'insufficient_evidence')
    assert.equal(told(inputs, rules), 'none: none_found')
  })

  it('no fact that is contested or weak', () => {
    const inputs = ratioInputs(declined)
    const contested = [
      ...inputs.facts,
      aVersion('income', '2100', { version: 2, source: 'bank', confidence: 0.9 }),
    ]
    assert.equal(told({ ...inputs, facts: contested }), 'none: nothing_changeable')
    const weak = inputs.facts.map((version) => ({ ...version, confidence: 0.6 }))
    assert.equal(told({ ...inputs, facts: weak }), 'none: nothing_changeable')
  })

  it('no fact whose change would only set sources against each other', () => {
    const measured = {
      ...ratioFacts,
      income: { ...ratioFacts.income, measures: 'income' },
      bonus: { ...ratioFacts.bonus, measures: 'income' },
    }
    const inputs = ratioInputs({ ...declined, bonus: '2000' })
    assert.equal(told(inputs, compileRules(ratioContent({ facts: measured }))), 'none: none_found')
  })
})

describe('the search', () => {
  it('ends when time is up, and says so', () => {
    const inputs = ratioInputs({ income: '2000', debts: '1500', payment: '100' })
    let asked = 0
    const result = counterfactual(inputs, ruleSet, ratioKnowledge, () => asked++ < 3)
    assert.equal(result.whyNone?.code, 'search_ended')
    assert.equal(result.complete, false)
  })

  it('makes a bounded number of decisions, however many facts there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `amount_${index}`,
        { type: 'money', en: 'x', zh: 'x', changeable: { step: '0.01' } } as const,
      ]),
    )
    const fixed = { ...ratioFacts, income: { ...ratioFacts.income, max: '2000', min: '2000' }, ...many }
    const inputs = ratioInputs({ income: '2000', debts: '1500', payment: '100' })
    const facts = [
      ...inputs.facts,
      ...Object.keys(many).map((name) => aVersion(name, '100000', { unit: null })),
    ]
    let asked = 0
    const result = counterfactual(
      { ...inputs, facts },
      compileRules(ratioContent({ facts: fixed })),
      ratioKnowledge,
      () => {
        asked++
        return true
      },
    )
    assert.ok(asked < evaluationsMax, `${asked} decisions`)
    assert.equal(result.whyNone?.code, 'search_ended')
  })

  it('finds the first number of a question that holds from there on', () => {
    for (let first = 1; first <= 300; first++) {
      assert.equal(
        boundaryOf((steps) => steps >= first, 300),
        first,
      )
      assert.equal(
        boundaryOf((steps) => steps >= first, first - 1),
        'none',
      )
    }
    assert.equal(
      boundaryOf(() => undefined, 10),
      'spent',
    )
    assert.equal(
      boundaryOf(() => true, 0),
      'none',
    )
  })

  it('finds a boundary of a question that comes and goes', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const holds = (steps: number) => ((steps * 2654435761 * seed) >>> 7) % 5 === 0
      const found = boundaryOf(holds, 1000)
      if (typeof found !== 'number') continue
      assert.ok(holds(found) && (found === 1 || !holds(found - 1)))
    }
  })
})

it('better is further down the list, from either place where a decision stands twice', () => {
  const policy = {
    ...ratioContent().policy,
    outcomes: (['stop', 'decline', 'manual_review', 'decline', 'approve'] as const).map((decision) => ({
      decision,
    })),
  }
  assert.ok(isBetter('approve', 'decline', policy))
  assert.ok(isBetter('decline', 'stop', policy))
  assert.ok(!isBetter('manual_review', 'decline', policy))
  assert.ok(!isBetter('decline', 'manual_review', policy))
  assert.ok(!isBetter('approve', 'approve', policy))
  // Not on the list: it comes of a bar on an approval, and stands just above it.
  assert.ok(isBetter('insufficient_evidence', 'decline', policy))
  assert.ok(!isBetter('manual_review', 'insufficient_evidence', policy))
})
