import { compareText } from '../domain/compare-text.ts'
import type { Missing } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import type { PackContent } from '../domain/policy.ts'
import { suppliedBy } from './supplied-by.ts'

/** A rule that stays unknown or in error, and the facts it waits for. */
export interface OpenRule {
  readonly rule: string
  readonly toward: readonly string[]
  readonly unknownFacts: readonly string[]
  readonly outcome: 'unknown' | 'error'
  readonly why: string | null
}

/**
 * Lists each fact without which no answer can be given: required ones that are missing or weak, and those that keep
 * a rule toward a stricter outcome open. Ordered by fact.
 */
export function gatherMissing(
  content: PackContent,
  states: ReadonlyMap<string, FactState>,
  required: readonly string[],
  open: readonly OpenRule[],
  stricter: ReadonlySet<string>,
): readonly Missing[] {
  const neededBy = new Map<string, Set<string>>()
  const need = (fact: string, by: string): void => {
    const list = neededBy.get(fact)
    if (list === undefined) neededBy.set(fact, new Set([by]))
    else list.add(by)
  }
  for (const fact of required) {
    for (const missing of missingOf(fact, states)) need(missing, 'required')
  }
  for (const rule of open) {
    if (!rule.toward.some((event) => stricter.has(event))) continue
    for (const fact of rule.unknownFacts) need(fact, rule.rule)
  }
  return [...neededBy.entries()]
    .filter(([fact]) => Object.hasOwn(content.facts.facts, fact))
    .sort(([one], [other]) => compareText(one, other))
    .map(([fact, by]) => describe(fact, [...by].sort(), content, states))
}

/** Base facts that keep a fact unknown: itself, or what its derivation waits for. */
function missingOf(fact: string, states: ReadonlyMap<string, FactState>): readonly string[] {
  const state = states.get(fact)
  if (state === undefined) return [fact]
  return state.state === 'unknown' ? (state.missing.length > 0 ? state.missing : [fact]) : []
}

function describe(
  fact: string,
  neededBy: readonly string[],
  content: PackContent,
  states: ReadonlyMap<string, FactState>,
): Missing {
  const state = states.get(fact)
  return {
    fact,
    why: state?.state === 'unknown' ? state.why : 'not supplied',
    needed_by: [...neededBy],
    obtainable: content.facts.facts[fact]?.obtainable !== false,
    supplied_by: suppliedBy(fact, content),
  }
}
