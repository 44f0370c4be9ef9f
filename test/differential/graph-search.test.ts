import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { edgeVersionId } from '../../src/domain/knowledge.ts'
import { viewKnowledge } from '../../src/graph/causal-view.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import { type SearchResult, searchChains } from '../../src/graph/search.ts'
import { bruteForceSearch, type PlainResult } from '../support/brute-force-search.ts'
import { randomCases } from '../support/cases.ts'
import { aLog } from '../support/graph-builders.ts'
import { operationsOf, type RandomCase, randomCase, searchQuestionOf } from '../support/random-graphs.ts'

it('the search finds the chains that trying every path finds, edge for edge', () => {
  const seen = { chains: 0, hops: [0, 0, 0, 0, 0, 0], excluded: 0, prevented: 0, deprecated: 0, recurred: 0 }
  fc.assert(
    fc.property(randomCase, (one) => {
      const result = search(one)
      assert.deepEqual(plainOf(result), inOrder(bruteForceSearch(one.graph, one.question)))
      count(seen, result)
    }),
    randomCases('search against brute force', 20_000),
  )
  console.log(`search against brute force: ${JSON.stringify(seen)}`)
  assert.ok(seen.chains > 0 && seen.excluded > 0 && seen.prevented > 0, 'the cases exercise the search')
})

function search({ graph, question }: RandomCase): SearchResult {
  const asked = searchQuestionOf(question)
  return searchChains(viewKnowledge(foldKnowledge(aLog(operationsOf(graph).flat())), asked), asked)
}

function plainOf({ chains, excluded }: SearchResult): PlainResult {
  return inOrder({
    chains: chains.map(({ start, outcome, cost, steps }) => ({
      start: start.key,
      outcome,
      cost,
      edges: steps.map(({ reading }) => edgeVersionId(reading.edge)),
    })),
    excluded: excluded.map(({ start, outcome, threshold, scoreWithoutGates, edges }) => ({
      start: start.key,
      outcome,
      threshold,
      score: scoreWithoutGates,
      gated: edges.map(({ edge }) => edgeVersionId(edge)),
    })),
  })
}

function inOrder({ chains, excluded }: PlainResult): PlainResult {
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  return { chains: chains.toSorted(byText), excluded: excluded.toSorted(byText) }
}

function count(
  seen: {
    chains: number
    hops: number[]
    excluded: number
    prevented: number
    deprecated: number
    recurred: number
  },
  result: SearchResult,
): void {
  seen.excluded += result.excluded.length
  for (const { steps, startPrevention } of result.chains) {
    seen.chains += 1
    seen.hops[steps.length] = (seen.hops[steps.length] ?? 0) + 1
    if (startPrevention !== null || steps.some(({ prevention }) => prevention !== null)) seen.prevented += 1
    if (steps.some(({ reading }) => reading.validity === 'deprecated')) seen.deprecated += 1
    if (steps.some(({ reading }) => reading.recurred !== null)) seen.recurred += 1
  }
}
