import type { FactState } from '../domain/fact.ts'
import { type Computed, toOperand } from './computed.ts'
import { rootOf } from './declared-facts.ts'
import type { DeclaredFact } from './rule-set.ts'

/** A given state made ready to reckon with. A none where none may be counts as unknown. */
export function computedOf(
  name: string,
  fact: DeclaredFact | undefined,
  state: FactState | undefined,
): Computed {
  if (fact === undefined) throw new TypeError(`there is no fact \`${name}\``)
  const root = rootOf(name)
  if (state === undefined) return { state: 'unknown', why: 'not given', missing: [root] }
  const weakest = fact.origin === 'built_in' ? null : root
  if (state.state === 'known') {
    return knownOf(fact, state, weakest)
  }
  if (state.state === 'unknown' && state.missing.length === 0) return { ...state, missing: [root] }
  if (state.state !== 'none') return state
  if (fact.origin === 'fact' && fact.declaration.may_be_none !== true) {
    return { state: 'unknown', why: 'given as none, which this fact may not be', missing: [name] }
  }
  return { state: 'none', confidence: state.confidence, weakest }
}

/** A value stored under another declaration may not fit today's: then the fact is in error, not the evaluation. */
function knownOf(
  fact: DeclaredFact,
  { value, confidence, method }: Extract<FactState, { state: 'known' }>,
  weakest: string | null,
): Computed {
  try {
    const { type, of } = fact.declaration
    const operand = toOperand(type, value, of)
    return { state: 'known', value: operand, confidence, weakest, ...(method ? { method } : {}) }
  } catch (cause) {
    return { state: 'error', why: cause instanceof Error ? cause.message : String(cause) }
  }
}
