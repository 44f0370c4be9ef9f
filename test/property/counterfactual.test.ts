import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { believe } from '../../src/agents/believe.ts'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { answerFor } from '../../src/decision/answer-for.ts'
import { counterfactual } from '../../src/decision/counterfactual.ts'
import { Decimal } from '../../src/domain/decimal.ts'
import type { DecisionInputs } from '../../src/domain/decision.ts'
import type { Counterfactual } from '../../src/domain/hypothetical.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import { compileRules } from '../../src/rules/evaluate.ts'
import { randomCases } from '../support/cases.ts'
import { aChangeableWorld, changeable, declared, type World } from '../support/random-decision.ts'
import { ratioInputs, ratioKnowledge, ratioRules } from '../support/ratio-policy.ts'

/** The precedence list of the random worlds, in which every decision stands once. */
const order = ['stop', 'hold', 'decline', 'insufficient_evidence', 'manual_review', 'counteroffer', 'approve']

const better = (one: string, other: string) => order.indexOf(one) > order.indexOf(other)

function decide(world: World, inputs: DecisionInputs = world.inputs) {
  return answerFor(inputs, compileRules(world.content), foldKnowledge(world.log)).answer
}

function ask(world: World) {
  return counterfactual(world.inputs, compileRules(world.content), foldKnowledge(world.log))
}

/** The world's inputs with a fact at another value and what follows it, written down without the code under test. */
function changedBy(world: World, found: Counterfactual, stepsLess: number): DecisionInputs {
  const sign = new Decimal(found.to).greaterThan(found.from) ? 1 : -1
  const value = new Decimal(found.to).minus(new Decimal(found.step).times(sign * stepsLess))
  const values: Record<string, string> = { [found.fact]: value.toFixed() }
  if (found.fact === 'n2') values.m1 = value.dividedBy(2).floor().toFixed()
  const { believed } = believe(world.inputs.facts, world.content, Date.parse(world.inputs.as_of))
  const versions = world.inputs.facts.flatMap((version) => {
    const put = values[version.fact]
    if (put === undefined) return [version]
    const claim = believed.get(version.fact)
    return claim?.version === version.version ? [{ ...version, value: put }] : []
  })
  return { ...world.inputs, facts: versions }
}

it('the change named gives the better decision, one step less gives none', () => {
  const run = randomCases('counterfactual', 10_000)
  const byFact: Record<string, number> = {}
  fc.assert(
    fc.property(aChangeableWorld, (world) => {
      const { decision, counterfactual: found, whyNone } = ask(world)
      assert.equal(found === null, whyNone !== null)
      if (found === null) return
      byFact[found.fact] = (byFact[found.fact] ?? 0) + 1
      assert.equal(decide(world).decision, decision)
      const flipped = decide(world, changedBy(world, found, 0))
      assert.equal(flipped.decision, found.decision)
      assert.ok(better(found.decision, decision), `${found.decision} is no better than ${decision}`)
      assert.ok(!better(decide(world, changedBy(world, found, 1)).decision, decision))
    }),
    run,
  )
  console.log(`found: ${JSON.stringify(byFact)}`)
  assert.ok(Object.keys(byFact).length === Object.keys(changeable).length)
})

it('one is named only where it tells nothing, and never of a stop, a hold or an approval', () => {
  fc.assert(
    fc.property(aChangeableWorld, (world) => {
      const { decision, counterfactual: found } = ask(world)
      if (found === null) return
      assert.ok(!['stop', 'hold', 'approve'].includes(decision))
      for (const answer of [decide(world), decide(world, changedBy(world, found, 0))]) {
        assert.deepEqual(answer.internal_reasons, [])
        assert.ok(!['stop', 'hold'].includes(answer.decision))
      }
      const declaration = { ...declared, ...changeable }[found.fact as keyof typeof changeable]
      assert.ok('changeable' in declaration)
      if (!('max' in declaration)) return
      const to = new Decimal(found.to)
      assert.ok(to.greaterThanOrEqualTo(declaration.min) && to.lessThanOrEqualTo(declaration.max))
    }),
    randomCases('counterfactual tells nothing', 5000),
  )
})

it('asking changes nothing of what it was given, and asking again says the same', () => {
  fc.assert(
    fc.property(aChangeableWorld, (world) => {
      const before = canonicalJson([world.content, world.log, world.inputs])
      const first = ask(world)
      assert.equal(canonicalJson([world.content, world.log, world.inputs]), before)
      const reversed = { ...world, inputs: { ...world.inputs, facts: [...world.inputs.facts].reverse() } }
      assert.deepEqual(ask(reversed), first)
    }),
    randomCases('counterfactual is pure', 2500),
  )
})

it('where the answer only ever gets better, no smaller change would do: the smallest is found by counting too', () => {
  const amounts = fc.record({
    income: fc.integer({ min: 100, max: 3000 }),
    debts: fc.integer({ min: 0, max: 2000 }),
    amount: fc.integer({ min: 0, max: 400 }).map((hundreds) => hundreds * 100),
  })
  const rules = ratioRules()
  fc.assert(
    fc.property(amounts, ({ income, debts, amount }) => {
      const share = (i: number, a: number) =>
        new Decimal(debts).plus(new Decimal(a).dividedBy(40)).dividedBy(i)
      const kind = (i: number, a: number) =>
        share(i, a).greaterThan('0.55')
          ? 'decline'
          : share(i, a).lessThan('0.5')
            ? 'approve'
            : 'manual_review'
      const was = kind(income, amount)
      const inputs = ratioInputs({
        income: String(income),
        debts: String(debts),
        amount: String(amount),
        payment: new Decimal(amount).dividedBy(40).toFixed(),
      })
      const { decision, counterfactual: found, complete } = counterfactual(inputs, rules, ratioKnowledge)
      assert.equal(decision, was)
      assert.ok(complete)
      const byIncome = firstStep(
        (k) => better(kind(income + 10 * k, amount), was),
        Math.max(1000, Math.floor((9 * income) / 10)),
      )
      const byAmount = firstStep((k) => better(kind(income, amount - 100 * k), was), amount / 100)
      const relatives = [
        ...(byAmount === undefined
          ? []
          : [{ fact: 'amount', steps: byAmount, by: new Decimal(100 * byAmount).dividedBy(amount) }]),
        ...(byIncome === undefined
          ? []
          : [{ fact: 'income', steps: byIncome, by: new Decimal(10 * byIncome).dividedBy(income) }]),
      ]
      const smallest = relatives.reduce<(typeof relatives)[number] | undefined>(
        (best, one) => (best === undefined || one.by.lessThan(best.by) ? one : best),
        undefined,
      )
      assert.deepEqual(
        found === null ? undefined : { fact: found.fact, steps: found.steps },
        smallest === undefined ? undefined : { fact: smallest.fact, steps: smallest.steps },
      )
    }),
    randomCases('counterfactual by counting', 2000),
  )
})

function firstStep(holds: (steps: number) => boolean, most: number): number | undefined {
  for (let steps = 1; steps <= most; steps++) if (holds(steps)) return steps
  return undefined
}
