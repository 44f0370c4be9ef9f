import { canonicalJson } from '../audit/canonical.ts'
import { episodeCommitment, factCommitment } from '../audit/commitments.ts'
import type { DecisionInputs } from '../domain/decision.ts'
import { DecisionPayload } from '../domain/record.ts'
import { Failure } from '../errors.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Store, StoredDecision } from '../ports/store.ts'
import { compileRules } from '../rules/evaluate.ts'
import { readPackContent } from '../rules/parse-pack.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { answerFor } from './answer-for.ts'
import type { ReplayResult } from './decision-service.ts'
import { listDifferences } from './list-differences.ts'
import { isAsRecorded } from './stored-answer.ts'

const cachedMax = 16

/**
 * Replays recorded decisions from the store alone: the rule set by its hash, the knowledge by its position, the fact
 * versions and episodes by their commitments, the clock reading from the record.
 */
export function openReplay(store: Store): (decisionId: string) => Promise<ReplayResult> {
  const ruleSets = new Map<string, RuleSet>()
  const knowledges = new Map<number, Knowledge>()
  return async (decisionId) => {
    const stored = await store.findDecision(decisionId)
    if (stored === undefined) {
      throw new Failure('DECISION_UNKNOWN', { at: '', why: `there is no decision \`${decisionId}\`` })
    }
    const payload = DecisionPayload.parse(stored.record.payload)
    const inputs = await inputsFrom(payload, stored, store)
    if ('missing' in inputs) return { decisionId, identical: false, differences: inputs.missing }
    const ruleSet = await cached(ruleSets, payload.rule_set, () => ruleSetOf(payload.rule_set, store))
    const { sequence } = payload.graph_position
    const knowledge = await cached(knowledges, sequence, async () =>
      foldKnowledge(await store.readGraphLog(sequence)),
    )
    const { answer } = answerFor(inputs, ruleSet, knowledge)
    const again = canonicalJson(answer)
    const differences =
      again === stored.answer.text ? [] : listDifferences(JSON.parse(stored.answer.text), answer)
    if (!isAsRecorded(stored)) {
      return {
        decisionId,
        identical: false,
        differences: ['the stored answer is not the one the record binds to', ...differences],
      }
    }
    return { decisionId, identical: differences.length === 0, differences }
  }
}

/** What a recorded decision saw, from memory by the record's commitments; or what of it is gone. */
export async function inputsFrom(
  payload: DecisionPayload,
  stored: StoredDecision,
  store: Store,
): Promise<DecisionInputs | { readonly missing: readonly string[] }> {
  const memory = await store.readMemory(payload.application_id, stored.subjectId)
  const missing: string[] = []
  const bySlot = new Map(memory.facts.map((salted) => [`${salted.fact.fact} ${salted.fact.version}`, salted]))
  const facts = payload.facts.flatMap(({ fact, version, commitment }) => {
    const salted = bySlot.get(`${fact} ${version}`)
    if (salted !== undefined && factCommitment(salted) === commitment) return [salted.fact]
    missing.push(`fact \`${fact}\` version ${version} is gone or changed`)
    return []
  })
  const byCommitment = new Map(memory.episodes.map((salted) => [episodeCommitment(salted), salted.episode]))
  const episodes = payload.episodes.flatMap((commitment) => {
    const episode = byCommitment.get(commitment)
    if (episode !== undefined) return [episode]
    missing.push(`an episode the decision read is gone or changed (${commitment})`)
    return []
  })
  if (missing.length > 0) return { missing }
  return {
    decision_id: payload.decision_id,
    application_id: payload.application_id,
    subject_id: stored.subjectId ?? null,
    policy: payload.policy,
    received_at: payload.received_at,
    as_of: payload.as_of,
    known_at: payload.known_at,
    consents: payload.consents,
    facts,
    episodes,
    edges_examined_max: payload.edges_examined_max,
    ...(payload.late === true ? { late: true } : {}),
  }
}

export async function ruleSetOf(hash: string, store: Store): Promise<RuleSet> {
  const content = await store.findRuleSet(hash)
  if (content === undefined)
    throw new Failure('LEDGER_BROKEN', { at: hash, why: 'the rule set a record names is not in the store' })
  return compileRules(readPackContent(content))
}

/** Keeps the latest few: a replay of many decisions mostly meets the same sets again. */
export async function cached<K, V>(cache: Map<K, V>, key: K, make: () => Promise<V>): Promise<V> {
  const held = cache.get(key)
  if (held !== undefined) return held
  const made = await make()
  const oldest = cache.keys().next()
  if (cache.size >= cachedMax && oldest.done !== true) cache.delete(oldest.value)
  cache.set(key, made)
  return made
}
