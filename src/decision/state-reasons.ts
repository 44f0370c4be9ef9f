import type { Chain } from '../domain/chain.ts'
import { compareText } from '../domain/compare-text.ts'
import type { Offer, Reason } from '../domain/decision.ts'
import type { FactState, FactValue } from '../domain/fact.ts'
import type { PackContent } from '../domain/policy.ts'
import { type Rule, ruleVersionId, type Tell } from '../domain/rule.ts'
import { fillTemplate } from '../rules/fill-template.ts'

/** At most this many principal reasons are told (comment 9(b)(2) of 12 CFR 1002, Supplement I). */
export const principalReasonsMax = 4

export interface ReasonContext {
  readonly content: PackContent
  readonly rules: ReadonlyMap<string, { readonly rule: Rule }>
  readonly states: ReadonlyMap<string, FactState>
}

/** Reasons of the deciding chains by how they are told; each list ordered by score, then rule. */
export interface StatedReasons {
  readonly principal: readonly Reason[]
  readonly internal: readonly Reason[]
  readonly conditions: readonly Reason[]
  readonly offer: Offer | null
}

/**
 * One reason for each rule behind the deciding chains, by its strongest chain. What may never be told stays in
 * `internal`, whatever the decision.
 */
export function stateReasons(deciding: readonly Chain[], context: ReasonContext): StatedReasons {
  const strongest = new Map<string, Chain>()
  for (const chain of deciding) {
    if (chain.rule !== undefined && (strongest.get(chain.rule)?.score ?? -1) < chain.score)
      strongest.set(chain.rule, chain)
  }
  const chains = [...strongest.values()].sort(
    (one, other) => other.score - one.score || compareText(one.rule ?? '', other.rule ?? ''),
  )
  const told = (tell: Tell): Reason[] => chains.flatMap((chain) => reasonOf(chain, tell, context))
  return {
    principal: told('reason').slice(0, principalReasonsMax),
    internal: told('never'),
    conditions: told('condition'),
    offer: chains.flatMap((chain) => offerOf(chain, context))[0] ?? null,
  }
}

/** Whether a decline or counteroffer resting on these chains has anything that may be told. */
export function mayTell(deciding: readonly Chain[], context: ReasonContext): boolean {
  const { principal, offer } = stateReasons(deciding, context)
  return principal.length > 0 || offer !== null
}

function reasonOf(chain: Chain, tell: Tell, context: ReasonContext): Reason[] {
  const rule = context.rules.get(chain.rule ?? '')?.rule
  if (rule?.reason === undefined || rule.reason.tell !== tell) return []
  const text = textOf(rule, context)
  if (text === undefined) return []
  const code = rule.reason.code
  const hmda = context.content.reasons.reasons[code]?.hmda
  const facts = placeholderValues(rule.reason.text.en, context)
  return [
    {
      code,
      ...(hmda === undefined ? {} : { hmda }),
      rule: ruleVersionId(rule),
      score: chain.score,
      text,
      facts,
    },
  ]
}

function offerOf(chain: Chain, context: ReasonContext): Offer[] {
  const rule = context.rules.get(chain.rule ?? '')?.rule
  if (rule?.reason === undefined || rule.reason.tell !== 'offer') return []
  const text = textOf(rule, context)
  if (text === undefined) return []
  const terms: Record<string, FactValue> = {}
  for (const [fact, derived] of Object.entries(rule.reason.terms ?? {}).sort(([one], [other]) =>
    compareText(one, other),
  )) {
    const state = context.states.get(derived)
    // An offer whose terms are not all known is no offer: the rule then has nothing to tell.
    if (state?.state !== 'known') return []
    terms[fact] = state.value
  }
  return [{ code: rule.reason.code, rule: ruleVersionId(rule), text, terms }]
}

function textOf(rule: Rule, context: ReasonContext): Reason['text'] | undefined {
  const en = fillTemplate(rule.reason?.text.en ?? '', context.states, context.content, 'en')
  const zh = fillTemplate(rule.reason?.text.zh ?? '', context.states, context.content, 'zh')
  return en === undefined || zh === undefined ? undefined : { en, zh }
}

function placeholderValues(template: string, context: ReasonContext): Record<string, string> {
  const values: Record<string, string> = {}
  const names = [...template.matchAll(/\{([a-z0-9_]+)(?:\|[a-z]+)?\}/g)].map((match) => match[1] as string)
  for (const name of [...new Set(names)].sort()) {
    const state = context.states.get(name)
    if (state?.state === 'known')
      values[name] = typeof state.value === 'string' ? state.value : JSON.stringify(state.value)
  }
  return values
}
