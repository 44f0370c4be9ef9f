import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/audit/canonical.ts'
import { answerFor } from '../../src/decision/answer-for.ts'
import type { Answer } from '../../src/domain/decision.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import { compileRules } from '../../src/rules/evaluate.ts'
import { randomCases } from '../support/cases.ts'
import { aRandomRule, aWorld, declared, minConfidence, type World } from '../support/random-decision.ts'

const cases = 50_000

function answerIn(world: World): Answer {
  return answerFor(world.inputs, compileRules(world.content), foldKnowledge(world.log)).answer
}

/** Facts that measure the same are one fact to the world: taking one witness away can settle a contradiction. */
const twins: readonly (readonly string[])[] = [
  ...Object.keys(declared)
    .filter((fact) => !fact.startsWith('m'))
    .map((fact) => [fact]),
  ['m0', 'm1'],
]

it('a rule that is not fired or not applicable changes no decision', () => {
  const run = randomCases('idle rule', cases)
  let idle = 0
  fc.assert(
    fc.property(aWorld, aRandomRule('Z'), (world, rule) => {
      const before = answerIn(world)
      const after = answerIn({
        ...world,
        content: { ...world.content, rules: [...world.content.rules, rule] },
      })
      const acted = [
        ...after.rules.fired,
        ...after.rules.unknown.map((one) => one.rule),
        ...after.rules.errors.map((one) => one.rule),
      ]
      if (acted.includes('Z@1.0.0') || after.readings.length > 0) return
      idle++
      assert.equal(after.decision, before.decision)
      assert.deepEqual(after.chains, before.chains)
      assert.deepEqual(after.reasons, before.reasons)
    }),
    run,
  )
  assert.ok(idle > run.numRuns / 10, `only ${idle} rules were idle`)
})

it('the order of rules, facts, episodes and knowledge changes no byte', () => {
  fc.assert(
    fc.property(aWorld, fc.infiniteStream(fc.nat()), (world, order) => {
      const mixed: World = {
        content: {
          ...world.content,
          facts: {
            facts: reversed(world.content.facts.facts),
            derived: reversed(world.content.facts.derived ?? {}),
          },
        },
        log: shuffleEdges(world.log, order),
        inputs: {
          ...world.inputs,
          facts: shuffle(world.inputs.facts, order),
          episodes: shuffle(world.inputs.episodes, order),
        },
      }
      assert.equal(canonicalJson(answerIn(mixed)), canonicalJson(answerIn(world)))
    }),
    randomCases('order', cases),
  )
})

it('removing every version of a fact never turns another decision into an approval', () => {
  fc.assert(
    fc.property(aWorld, fc.constantFrom(...twins), (world, gone) => {
      const facts = world.inputs.facts.filter((version) => !gone.includes(version.fact))
      noNewApproval(world, { ...world, inputs: { ...world.inputs, facts } })
    }),
    randomCases('removed fact', cases),
  )
})

it('weakening every version of a fact never turns another decision into an approval', () => {
  fc.assert(
    fc.property(aWorld, fc.constantFrom(...twins), fc.constantFrom(0.9, 0.7, 0.1), (world, weak, factor) => {
      const versions = world.inputs.facts.filter((version) => weak.includes(version.fact))
      // Several witnesses all fall under the policy's floor; a single one may weaken by anything.
      const most = versions.length > 1 ? minConfidence - 0.01 : 1
      const facts = world.inputs.facts.map((version) =>
        versions.includes(version)
          ? { ...version, confidence: Math.min(version.confidence * factor, most) }
          : version,
      )
      noNewApproval(world, { ...world, inputs: { ...world.inputs, facts } })
    }),
    randomCases('weakened fact', cases),
  )
})

it('making a rule fail never turns another decision into an approval', () => {
  fc.assert(
    fc.property(aWorld, fc.nat(), (world, which) => {
      const failing = which % world.content.rules.length
      const rules = world.content.rules.map((rule, index) =>
        index === failing
          ? { ...rule, when: { fact: 'broken', operator: 'greaterThan' as const, value: '0' } }
          : rule,
      )
      const broken = {
        type: 'number' as const,
        en: 'x',
        zh: 'x',
        expression: '1 / (as_of_days - as_of_days)',
      }
      const zero = { type: 'number' as const, en: 'x', zh: 'x', expression: '0' }
      const derived = { ...world.content.facts.derived, as_of_days: zero, broken }
      noNewApproval(world, {
        ...world,
        content: { ...world.content, facts: { ...world.content.facts, derived }, rules },
      })
    }),
    randomCases('failing rule', cases),
  )
})

function noNewApproval(before: World, after: World): void {
  if (answerIn(before).decision !== 'approve') assert.notEqual(answerIn(after).decision, 'approve')
}

function reversed<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).reverse())
}

function shuffle<T>(list: readonly T[], order: fc.Stream<number>): T[] {
  const keys = [...order.take(list.length)]
  return list
    .map((item, index) => ({ item, key: keys[index] ?? 0 }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item)
}

/** Edges may be written in any order; event types come first. Sequence numbers stay those of their places. */
function shuffleEdges(log: World['log'], order: fc.Stream<number>): World['log'] {
  const types = log.filter(({ operation }) => operation.op === 'add_event_type')
  const edges = log.filter(({ operation }) => operation.op !== 'add_event_type')
  return [...types, ...shuffle(edges, order)].map((entry, index) => ({ ...entry, sequence: index + 1 }))
}
