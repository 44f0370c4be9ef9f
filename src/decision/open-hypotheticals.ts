import { canonicalJson } from '../audit/canonical.ts'
import type { CounterfactualAnswer, WhatIfAnswer } from '../domain/hypothetical.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import type { RecordBody } from '../domain/record.ts'
import type { DecisionRequest } from '../domain/request.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { AnsweredBefore } from './answered-before.ts'
import { searchCounterfactual } from './counterfactual.ts'
import type { DecisionService } from './decision-service.ts'
import { type Based, openArchive } from './open-archive.ts'
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
