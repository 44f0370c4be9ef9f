import type { FactState, FactValue } from '../domain/fact.ts'
import { type Computed, type Trust, toOperand } from './computed.ts'
import type { DeclaredFact } from './rule-set.ts'

/** A given state made ready to reckon with. A none where none may be counts as unknown. */
export function computedOf(
  name: string,
  fact: DeclaredFact | undefined,
  state: FactState | undefined,
): Computed {
  if (fact === undefined) throw new TypeError(`there is no fact \`${name}\``)
  if (state === undefined) return { state: 'unknown', why: 'not given', missing: [name] }
  const weakest = fact.origin === 'built_in' ? null : name
  if (state.state === 'known') {
    return knownOf(fact, state.value, { confidence: state.confidence, weakest })
  }
  if (state.state === 'unknown' && state.missing.length === 0) return { ...state, missing: [name] }
  if (state.state !== 'none') return state
  if (fact.origin === 'fact' && fact.declaration.may_be_none !== true) {
    return { state: 'unknown', why: 'given as none, which this fact may not be', missing: [name] }
  }
  return { state: 'none', confidence: state.confidence, weakest }
}

/** A value stored under another declaration may not fit today's: then the fact is in error, not the evaluation. */
function knownOf(fact: DeclaredFact, value: FactValue, trust: Trust): Computed {
  try {
    const { type, of } = fact.declaration
    return { state: 'known', value: toOperand(type, value, of), ...trust }
  } catch (cause) {
    return { state: 'error', why: cause instanceof Error ? cause.message : String(cause) }
  }
}
