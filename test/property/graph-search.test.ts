import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Chain } from '../../src/domain/chain.ts'
import type { GraphOperation } from '../../src/domain/change-set.ts'
import { buildChain } from '../../src/graph/build-chain.ts'
import { viewKnowledge } from '../../src/graph/causal-view.ts'
import { findContext } from '../../src/graph/find-context.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import type { SearchQuestion } from '../../src/graph/question.ts'
import { type SearchResult, searchChains } from '../../src/graph/search.ts'
import { randomCases } from '../support/cases.ts'
import { aLog } from '../support/graph-builders.ts'
import { operationsOf, randomCase, searchQuestionOf } from '../support/random-graphs.ts'

describe('the search', () => {
  it('finds the same, byte for byte, whatever order graph, starts, outcomes and history came in', () => {
    const shuffled = randomCase.chain((one) => {
      const question = searchQuestionOf(one.question)
      return fc.record({
        one: fc.constant(one),
        groups: shuffle(operationsOf(one.graph)),
        starts: shuffle(question.starts),
        outcomes: shuffle(question.outcomes),
        history: shuffle(question.history),
      })
    })
    fc.assert(
      fc.property(shuffled, ({ one, groups, ...order }) => {
        const question = searchQuestionOf(one.question)
        const plain = search(operationsOf(one.graph), question)
        assert.equal(textOf(search(groups, { ...question, ...order })), textOf(plain))
      }),
      randomCases('search in any order', 10_000),
    )
  })

  it('cut at any count, it gives the same again when told that count', () => {
    const cut = fc.tuple(randomCase, fc.nat({ max: 120 }), fc.nat({ max: 400 }))
    let cuts = 0
    fc.assert(
      fc.property(cut, ([one, max, later]) => {
        const question = searchQuestionOf(one.question)
        const groups = operationsOf(one.graph)
        const whole = search(groups, question)
        const first = search(groups, { ...question, edgesExaminedMax: max })
        assert.equal(first.cutAt, whole.examined > max ? max : null)
        if (first.cutAt === null) assert.equal(textOf(first), textOf(whole))
        else cuts += 1
        const again = search(groups, { ...question, edgesExaminedMax: first.cutAt })
        assert.equal(textOf(again), textOf(first))
        assert.ok(first.examined <= max)
        // A limit past the end is no cut.
        const room = search(groups, { ...question, edgesExaminedMax: whole.examined + later })
        assert.equal(textOf(room), textOf(whole))
      }),
      randomCases('search cut short', 10_000),
    )
    assert.ok(cuts > 0, 'some cases are cut')
  })

  it('shows chains that fit their schema, and whose factors multiply to their score', () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        for (const found of search(operationsOf(one.graph), searchQuestionOf(one.question)).chains) {
          const chain = Chain.parse(buildChain(found, 0.5))
          const preventions = [
            chain.start.prevented_by,
            ...chain.links.map(({ factors }) => factors.prevented_by),
          ]
          const product = preventions.reduce(
            (left, by) => left * (1 - (by?.strength ?? 0)),
            chain.links.reduce((left, { strength }) => left * strength, chain.start.temporal_weight),
          )
          assert.ok(Math.abs(product - chain.score) < 1e-5, `${product} is not ${chain.score}`)
          const smallest = Math.min(
            found.start.confidence,
            ...chain.links.map(({ confidence }) => confidence),
          )
          assert.equal(chain.confidence, smallest)
        }
      }),
      randomCases('chains shown', 10_000),
    )
  })

  it('one more edge that can not be walked changes no chain', () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        const question = searchQuestionOf(one.question)
        const coming: GraphOperation = {
          op: 'add_edge',
          id: '0',
          from: 't0',
          relation: 'CAUSES',
          to: 't1',
          strength: 1,
          confidence: 1,
          source: 'lender/paper-1',
          valid_from: '2030-01-01',
        }
        const groups = operationsOf(one.graph)
        assert.equal(textOf(search([...groups, [coming]], question)), textOf(search(groups, question)))
      }),
      randomCases('an edge to come', 4_000),
    )
  })
})

function shuffle<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })
}

type Groups = ReturnType<typeof operationsOf>

interface Shown extends SearchResult {
  readonly context: ReturnType<typeof findContext>
}

function search(groups: Groups, question: SearchQuestion): Shown {
  const view = viewKnowledge(foldKnowledge(aLog(groups.flat())), question)
  const result = searchChains(view, question)
  return { ...result, context: findContext(view, result.chains) }
}

function textOf(shown: Shown): string {
  const chains = shown.chains.map((found) => [found.cost, buildChain(found, 0.5)])
  return JSON.stringify({ ...shown, chains })
}
