import { canonicalJson } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import type { FactValue } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import { type Computed, mergeNames, stronger, type Trust, toOperand, weaker, weakestOf } from './computed.ts'
import type { RuleResult } from './evaluation.ts'
import type { CompiledRule } from './rule-set.ts'

/** What became of a rule version that sets a key; `trust` is that of its result where it has one. */
export interface WriterResult {
  readonly writer: CompiledRule
  readonly result: RuleResult
  readonly trust: Trust
}

/**
 * State of a memory key after its writers in force: unknown while one is unknown or in error, none when none fired,
 * unknown when they differ; else the value set, as sure as its surest writer. `fired`: who set it, sorted.
 */
export function settleMemory(
  key: string,
  declaration: FactDeclaration,
  writers: readonly WriterResult[],
): { readonly state: Computed; readonly fired: readonly string[] } {
  const fired = writers.filter(({ result }) => result.outcome === 'fired')
  return { state: stateOf(key, declaration, writers, fired), fired: idsOf(fired) }
}

function stateOf(
  key: string,
  declaration: FactDeclaration,
  writers: readonly WriterResult[],
  fired: readonly WriterResult[],
): Computed {
  const open = writers.filter(({ result }) => result.outcome === 'unknown' || result.outcome === 'error')
  if (open.length > 0) {
    const missing = mergeNames(open.map(({ result }) => result.unknownFacts))
    return {
      state: 'unknown',
      why: `set by ${idsOf(open).join(', ')}, which is unknown or in error`,
      missing,
    }
  }
  if (fired.length === 0) {
    const { confidence, weakest } = weakestOf(writers.map(({ trust }) => trust))
    return { state: 'none', confidence, weakest }
  }
  const values = valuesSet(key, fired)
  const [first, second] = values.values()
  if (first === undefined || second !== undefined) {
    const texts = [...values.keys()].sort(compareText).join(', ')
    return { state: 'unknown', why: `contested: ${idsOf(fired).join(', ')} set it to ${texts}`, missing: [] }
  }
  const { confidence, weakest } = first.trust
  return {
    state: 'known',
    value: toOperand(declaration.type, first.value, declaration.of),
    confidence,
    weakest,
  }
}

/** Each value set, by its canonical text, with the largest confidence with which it was set. */
function valuesSet(
  key: string,
  fired: readonly WriterResult[],
): Map<string, { value: FactValue; trust: Trust }> {
  const values = new Map<string, { value: FactValue; trust: Trust }>()
  for (const { writer, trust } of fired) {
    for (const consequence of writer.rule.then) {
      if (!('set_memory' in consequence) || consequence.set_memory.key !== key) continue
      const { value, confidence } = consequence.set_memory
      const stated = confidence === undefined ? trust : weaker(trust, { confidence, weakest: key })
      const text = canonicalJson(value)
      const before = values.get(text)
      values.set(text, { value, trust: before === undefined ? stated : stronger(before.trust, stated) })
    }
  }
  return values
}

function idsOf(writers: readonly WriterResult[]): string[] {
  return writers.map(({ writer }) => writer.id).sort(compareText)
}
