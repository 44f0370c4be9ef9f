import { compareText } from '../domain/compare-text.ts'
import type { DecisionInputs } from '../domain/decision.ts'
import type { FactVersion } from '../domain/fact.ts'

/** Inputs in which the versions given stand in place of every version of the facts named. Changes nothing it is given. */
export function replaceFacts(
  inputs: DecisionInputs,
  names: Iterable<string>,
  versions: readonly FactVersion[],
): DecisionInputs {
  const gone = new Set(names)
  const kept = inputs.facts.filter((version) => !gone.has(version.fact))
  return { ...inputs, facts: [...kept, ...versions].sort(byFactVersion) }
}

function byFactVersion(one: FactVersion, other: FactVersion): number {
  if (one.fact !== other.fact) return compareText(one.fact, other.fact)
  return one.version - other.version
}
