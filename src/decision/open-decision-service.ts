import type { Answer, DecisionInputs, RecordedAnswer } from '../domain/decision.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import { nearestName } from '../domain/nearest-name.ts'
import type { DecisionRequest } from '../domain/request.ts'
import type { Readiness } from '../domain/responses.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { answerFor } from './answer-for.ts'
import { AnsweredBefore } from './answered-before.ts'
import { bindApplication } from './bind-application.ts'
import type { DecisionService } from './decision-service.ts'
import { decisionWrite } from './decision-write.ts'
import { findAnswered } from './find-answered.ts'
import { openTurns } from './in-turn.ts'
import { openHypotheticals } from './open-hypotheticals.ts'
import { openReplay } from './replay.ts'
import { type Perceived, seeRequest } from './see-request.ts'
import { readStoredAnswer, referenceTo } from './stored-answer.ts'
import { hypotheticalId, type Situation } from './what-if.ts'
import type { Witness } from './witness.ts'

/** Not ok: why, and as which failure decisions are refused. */
export type GraphCheck =
  | { readonly ok: true; readonly detail: string }
  | {
      readonly ok: false
      readonly detail: string
      readonly code: 'GRAPH_MIGRATION_EDITED' | 'GRAPH_MIGRATION_PENDING'
    }

export interface DecisionDeps {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  /** The rule sets in force, by policy; read once at the start of each decision. */
  readonly ruleSets: () => ReadonlyMap<string, RuleSet>
  /** Whether rules decide, and what is wrong with what lies among them; left out: whether there are any. */
  readonly rulesCheck?: () => { readonly ok: boolean; readonly detail: string }
  /** The causal knowledge in force; read once at the start of each decision. */
  readonly knowledge: () => Knowledge
  /** Whether the graph's migrations are all applied and unedited. */
  readonly graphCheck: () => GraphCheck
  /** Total time one decision may take, from its arrival. */
  readonly deadlineMs: number
  /** Version of this software, named in every record. */
  readonly engine: string
  /** Looks at a share of the decisions again, after they are answered. */
  readonly witness?: Witness
}

/** Times a decision is made anew because its application changed in between. */
const attemptsMax = 8

/** Joins the pure pipeline to a store: reads memory, decides, and answers only what the store has made durable. */
export function openDecisionService(deps: DecisionDeps): DecisionService {
  const inTurn = openTurns()
  return {
    decide: (request, actor, claim) => {
      const untilMs = deps.clock.nowMs() + deps.deadlineMs
      return inTurn(request.application_id, () => decide(request, actor, claim, untilMs, deps))
    },
    answered: (claim) => findAnswered(deps.store, claim),
    find: async (decisionId) => {
      const stored = await deps.store.findDecision(decisionId)
      return stored === undefined ? undefined : readStoredAnswer(stored)
    },
    facts: async (applicationId) => (await deps.store.readFacts(applicationId)).map((salted) => salted.fact),
    replay: openReplay(deps.store),
    ...openHypotheticals({ ...deps, situationOf: (request) => situationOf(request, deps) }),
    readiness: () => readiness(deps),
  }
}

async function decide(
  request: DecisionRequest,
  actor: string,
  idempotency: IdempotencyClaim | undefined,
  untilMs: number,
  deps: DecisionDeps,
): Promise<RecordedAnswer> {
  if (deps.clock.nowMs() >= untilMs) {
    const why = `${deps.deadlineMs} ms passed before it was this request's turn; send it again`
    throw new Failure('OVERLOADED', { at: '/application_id', why })
  }
  requireGraph(deps.graphCheck())
  const ruleSet = ruleSetFor(request.policy, deps.ruleSets())
  const knowledge = deps.knowledge()
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const memory = await deps.store.readMemory(request.application_id, request.subject?.id)
    const bound = bindApplication(request, memory.application)
    const perceived = seeRequest(bound, memory, ruleSet, knowledge, deps)
    const inputs = inputsOf(bound, perceived, deps.randomness.id())
    const decided = decideInTime(inputs, ruleSet, knowledge, () => deps.clock.nowMs() < untilMs)
    const { answer } = decided
    const write = decisionWrite(decided.inputs, answer, perceived, memory, actor, deps)
    const committed = await deps.store.commitDecision({ ...write, idempotency })
    if ('duplicate' in committed) throw new AnsweredBefore()
    if (!('record' in committed)) continue
    deps.witness?.see({ inputs: decided.inputs, ruleSet, knowledge, answer })
    return { ...answer, record: referenceTo(committed.record) }
  }
  const why = `application \`${request.application_id}\` changed ${attemptsMax} times while it was decided; send it again`
  throw new Failure('APPLICATION_CONFLICT', { at: '/application_id', why })
}

// Knowledge that is not what was approved, or not all of it, may approve what it should not.
function requireGraph(check: GraphCheck): void {
  if (!check.ok) throw new Failure(check.code, { at: '', why: check.detail })
}

/** Decides; past the deadline once more with that bar, so that a late decision is recorded and replayed as one. */
function decideInTime(
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  mayContinue: () => boolean,
): { readonly inputs: DecisionInputs; readonly answer: Answer } {
  const { answer, cutAt } = answerFor(inputs, ruleSet, knowledge, mayContinue)
  if (cutAt === null && mayContinue()) return { inputs, answer }
  const late = { ...inputs, edges_examined_max: cutAt, late: true }
  return { inputs: late, answer: answerFor(late, ruleSet, knowledge).answer }
}

/** What a request would be decided on now; nothing is written. */
async function situationOf(request: DecisionRequest, deps: DecisionDeps): Promise<Situation> {
  const ruleSet = ruleSetFor(request.policy, deps.ruleSets())
  const knowledge = deps.knowledge()
  const memory = await deps.store.readMemory(request.application_id, request.subject?.id)
  const bound = bindApplication(request, memory.application)
  const perceived = seeRequest(bound, memory, ruleSet, knowledge, deps)
  return { inputs: inputsOf(bound, perceived, hypotheticalId), ruleSet, knowledge }
}

function ruleSetFor(policy: string, ruleSets: ReadonlyMap<string, RuleSet>): RuleSet {
  const ruleSet = ruleSets.get(policy)
  if (ruleSet !== undefined) return ruleSet
  const names = [...ruleSets.keys()].sort()
  const near = nearestName(policy, names)
  const hint =
    near === undefined
      ? `loaded: ${names.map((name) => `\`${name}\``).join(', ')}`
      : `did you mean \`${near}\`?`
  throw new Failure('POLICY_UNKNOWN', { at: '/policy', why: `there is no policy \`${policy}\`; ${hint}` })
}

function inputsOf(request: DecisionRequest, perceived: Perceived, decisionId: string): DecisionInputs {
  const asOf = writeInstant(perceived.asOfMs)
  return {
    decision_id: decisionId,
    application_id: request.application_id,
    subject_id: request.subject?.id ?? null,
    policy: request.policy,
    received_at: request.received_at,
    as_of: asOf,
    known_at: asOf,
    consents: [...new Set(request.consents ?? [])].sort(),
    facts: perceived.facts.map((salted) => salted.fact),
    episodes: perceived.episodes.map((salted) => salted.episode),
    edges_examined_max: null,
  }
}

async function readiness(deps: DecisionDeps): Promise<Readiness> {
  const policies = [...deps.ruleSets().keys()].sort()
  const graph = deps.graphCheck()
  const loaded = {
    ok: policies.length > 0,
    detail: policies.length > 0 ? policies.join(', ') : 'no policy is loaded',
  }
  const checks = [
    await storeCheck(deps.store),
    { name: 'rules', ...(deps.rulesCheck?.() ?? loaded) },
    { name: 'graph', ok: graph.ok, detail: graph.detail },
  ]
  return { ready: checks.every((check) => check.ok), checks }
}

async function storeCheck(store: Store): Promise<Readiness['checks'][number]> {
  try {
    await store.check()
    return { name: 'store', ok: true, detail: 'answers' }
  } catch (error) {
    return { name: 'store', ok: false, detail: error instanceof Failure ? error.message : 'does not answer' }
  }
}
