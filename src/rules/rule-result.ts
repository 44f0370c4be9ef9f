import type { Finding } from '../domain/episode.ts'
import { certain, type Trust } from './computed.ts'
import type { ConditionTrace, RuleOutcome, RuleResult } from './evaluation.ts'
import type { Judgement } from './judge-condition.ts'
import type { CompiledRule } from './rule-set.ts'

/** A rule's result with the trust that its memory keys inherit. */
export interface JudgedRule {
  readonly result: RuleResult
  readonly trust: Trust
}

/** Result of a rule whose condition did not come out true. */
export function notFired(compiled: CompiledRule, judged: Judgement): JudgedRule {
  if (judged.result === 'unknown') return open(compiled, judged, 'unknown', judged.missing, null)
  if (judged.result === 'error')
    return open(compiled, judged, 'error', judged.missing, judged.errors.join('; '))
  return closed(compiled, judged, judged.result === 'none' ? 'not_applicable' : 'not_fired', [])
}

/** Result of a rule that is decided one way or the other. */
export function closed(
  compiled: CompiledRule,
  judged: Judgement,
  outcome: RuleOutcome,
  findings: readonly Finding[],
) {
  const { trust, trace } = judged
  const { confidence, weakest } = trust
  const names = { id: compiled.id, ruleId: compiled.rule.rule_id }
  return {
    result: { ...names, outcome, confidence, weakest, unknownFacts: [], error: null, trace, findings },
    trust,
  }
}

/** Result of a rule that is unknown or in error. */
export function open(
  compiled: CompiledRule,
  judged: { readonly trace: ConditionTrace },
  outcome: 'unknown' | 'error',
  unknownFacts: readonly string[],
  error: string | null,
) {
  const names = { id: compiled.id, ruleId: compiled.rule.rule_id }
  const { trace } = judged
  const result = {
    ...names,
    outcome,
    confidence: null,
    weakest: null,
    unknownFacts,
    error,
    trace,
    findings: [],
  }
  return { result, trust: certain }
}

/** Result of a rule that broke: an error, never passed. */
export function broken(compiled: CompiledRule, why: string) {
  const trace: ConditionTrace = { kind: 'all', result: 'not_evaluated', confidence: null, parts: [] }
  return open(compiled, { trace }, 'error', [], why)
}
