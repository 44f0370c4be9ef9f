import { canonicalJson } from '../audit/canonical.ts'
import type { DecisionRequest } from '../domain/decision.ts'
import type { Changes, CounterfactualAnswer, WhatIfAnswer } from '../domain/hypothetical.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import type { DecisionKind } from '../domain/policy.ts'
import { DecisionPayload, type RecordBody } from '../domain/record.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import { foldKnowledge } from '../graph/fold-knowledge.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { AnsweredBefore } from './answered-before.ts'
import { searchCounterfactual } from './counterfactual.ts'
import type { DecisionService } from './decision-service.ts'
import { cached, inputsFrom, ruleSetOf } from './replay.ts'
import { checkTimes, type Situation, whatIf } from './what-if.ts'

/** Decisions made in one turn; a few milliseconds. */
const stepsInTurn = 4

export interface HypotheticalDeps {
  readonly store: Store
  readonly clock: Clock
  /** Total time one answer may take. */
  readonly deadlineMs: number
  /** What a request would be decided on now; nothing of it is stored. */
  readonly situationOf: (request: DecisionRequest) => Promise<Situation>
}

interface Based extends Situation {
  readonly base: { readonly decision_id: string; readonly decision: DecisionKind } | null
}

/**
 * Joins the pure what-if and counterfactual to a store: nothing is recorded but that it was asked, and that before
 * it is answered.
 */
export function openHypotheticals(
  deps: HypotheticalDeps,
): Pick<DecisionService, 'whatIf' | 'counterfactual'> {
  const { store, clock } = deps
  const archive = openArchive(store)
  const untilDeadline = (): (() => boolean) => {
    const untilMs = clock.nowMs() + deps.deadlineMs
    return () => clock.nowMs() < untilMs
  }
  /** Gives the answer once it is durable that it was asked for. */
  const recordAsked = async <T>(actor: string, body: RecordBody, answer: T, claim?: IdempotencyClaim) => {
    const answered = claim && { ...claim, answer: canonicalJson(answer) }
    const appended = await store.appendRecord(actor, writeInstant(clock.nowMs()), body, answered)
    if (!('record' in appended)) throw new AnsweredBefore()
    return answer
  }
  return {
    async whatIf(request, actor, claim) {
      const mayContinue = untilDeadline()
      checkTimes(request.changes, clock.nowMs())
      const before: Based =
        'request' in request
          ? { ...(await situationOf(request.request, deps)), base: null }
          : await archive.situation(request.decision_id, '/decision_id')
      const after = await archive.other(before, request.changes)
      const { answer, changed } = whatIf(before, request.changes, after, mayContinue)
      const body: RecordBody = {
        kind: 'what_if_asked',
        payload: {
          policy: before.inputs.policy,
          based_on: before.base?.decision_id ?? null,
          changed: [...Object.keys(changed.facts), ...changed.removed_facts].sort(),
          rule_set: answer.rules.set,
          graph_position: answer.graph_position,
        },
      }
      const supposed: WhatIfAnswer = { ...answer, hypothetical: true, changed, base: before.base }
      return recordAsked(actor, body, supposed, claim)
    },
    async counterfactual(decisionId, actor, claim) {
      const mayContinue = untilDeadline()
      const { inputs, ruleSet, knowledge } = await archive.situation(decisionId, '')
      const found = await inTurns(searchCounterfactual(inputs, ruleSet, knowledge, mayContinue))
      const answer: CounterfactualAnswer = {
        decision_id: decisionId,
        decision: found.decision,
        counterfactual: found.counterfactual,
        why_none: found.whyNone,
        complete: found.complete,
      }
      return recordAsked(
        actor,
        { kind: 'counterfactual_asked', payload: { based_on: decisionId } },
        answer,
        claim,
      )
    },
  }
}

/** Goes a few steps at a time, so that decisions waiting meanwhile are not kept waiting long. */
async function inTurns<T>(search: Generator<void, T, void>): Promise<T> {
  for (let steps = 1; ; steps++) {
    const step = search.next()
    if (step.done === true) return step.value
    if (steps % stepsInTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A request's own faults lie under `/request` here. */
async function situationOf(request: DecisionRequest, deps: HypotheticalDeps): Promise<Situation> {
  try {
    return await deps.situationOf(request)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code !== 'REQUEST_INVALID' && error.code !== 'POLICY_UNKNOWN') throw error
    const faults = error.faults.map(({ at, why }) => ({ at: `/request${at}`, why }))
    throw new Failure(error.code, faults, { cause: error })
  }
}

/** What was decided, and by which rules and knowledge, as the store keeps it. */
function openArchive(store: Store) {
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

  /** The rules and knowledge asked for; those of the situation where none were. */
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
