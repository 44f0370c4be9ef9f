import type { Changes } from '../domain/hypothetical.ts'
import type { DecisionKind } from '../domain/policy.ts'
import { DecisionPayload } from '../domain/record.ts'
import { Failure } from '../errors.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { cached, inputsFrom, ruleSetOf } from './replay.ts'
import type { Situation } from './what-if.ts'

/** A situation, and the recorded decision it is that of. */
export interface Based extends Situation {
  readonly base: { readonly decision_id: string; readonly decision: DecisionKind } | null
}

export interface Archive {
  /** What a recorded decision was made on; `at` points to its id. Failures: DECISION_UNKNOWN, LEDGER_BROKEN. */
  situation(decisionId: string, at: string): Promise<Based>
  /** The rules and knowledge that changes ask for; those of the situation where none. Failure: REQUEST_INVALID. */
  other(before: Situation, changes: Changes): Promise<Pick<Situation, 'ruleSet' | 'knowledge'>>
}

/** What was decided, and by which rules and knowledge, as the store keeps it. Remembers the latest few. */
export function openArchive(store: Store): Archive {
  const ruleSets = new Map<string, RuleSet>()
  const knowledges = new Map<number, Knowledge>()
  const ruleSetAt = (hash: string) => cached(ruleSets, hash, () => ruleSetOf(hash, store))
  const knowledgeAt = (sequence: number) =>
    cached(knowledges, sequence, async () => foldKnowledge(await store.readGraphLog(sequence)))

  async function situation(decisionId: string, at: string): Promise<Based> {
    const stored = await store.findDecision(decisionId)
    if (stored === undefined) {
      throw new Failure('DECISION_UNKNOWN', {
        at,
        why: `no decision has the id \`${decisionId.slice(0, 100)}\``,
      })
    }
    const payload = DecisionPayload.parse(stored.record.payload)
    const inputs = await inputsFrom(payload, stored, store)
    if ('missing' in inputs) {
      throw new Failure(
        'LEDGER_BROKEN',
        inputs.missing.map((why) => ({ at: decisionId, why })),
      )
    }
    return {
      inputs,
      ruleSet: await ruleSetAt(payload.rule_set),
      knowledge: await knowledgeAt(payload.graph_position.sequence),
      base: { decision_id: decisionId, decision: payload.decision },
    }
  }

  async function other(
    before: Situation,
    changes: Changes,
  ): Promise<Pick<Situation, 'ruleSet' | 'knowledge'>> {
    const { rule_set: hash, graph_position: position } = changes
    return {
      ruleSet: hash === undefined ? before.ruleSet : await askedRuleSet(hash, before.inputs.policy),
      knowledge: position === undefined ? before.knowledge : await askedKnowledge(position),
    }
  }

  async function askedRuleSet(hash: string, policy: string): Promise<RuleSet> {
    const refuse = (why: string): never => {
      throw new Failure('REQUEST_INVALID', { at: '/changes/rule_set', why })
    }
    if ((await store.findRuleSet(hash)) === undefined) refuse(`there is no rule set \`${hash}\` in the store`)
    const ruleSet = await ruleSetAt(hash)
    if (ruleSet.policy.policy !== policy) {
      refuse(`expected a rule set of policy \`${policy}\`; this one is of \`${ruleSet.policy.policy}\``)
    }
    return ruleSet
  }

  async function askedKnowledge(position: NonNullable<Changes['graph_position']>): Promise<Knowledge> {
    const { sequence, migration } = position
    const applied = await store.appliedMigrations()
    const found = applied.find((one) => one.last_sequence === sequence)
    const at = '/changes/graph_position'
    if (found === undefined && sequence !== 0) {
      const latest = applied.slice(-5).map((one) => `${one.last_sequence} (${one.migration})`)
      const why = `the knowledge has had no position \`${sequence}\`; migrations ended at ${['0', ...latest].join(', ')}`
      throw new Failure('REQUEST_INVALID', { at: `${at}/sequence`, why })
    }
    if (migration !== undefined && migration !== (found?.migration ?? null)) {
      const why = `position \`${sequence}\` is that of \`${found?.migration ?? null}\`; got \`${migration?.slice(0, 60) ?? null}\``
      throw new Failure('REQUEST_INVALID', { at: `${at}/migration`, why })
    }
    return knowledgeAt(sequence)
  }

  return { situation, other }
}
