import { perceive } from '../agents/perceive.ts'
import { canonicalJson } from '../audit/canonical.ts'
import {
  answerCommitment,
  episodeCommitment,
  factCommitment,
  subjectCommitment,
} from '../audit/commitments.ts'
import { compareText } from '../domain/compare-text.ts'
import type { Answer, DecisionInputs, DecisionRequest, RecordedAnswer } from '../domain/decision.ts'
import type { IdempotencyClaim } from '../domain/idempotency.ts'
import { nearestName } from '../domain/nearest-name.ts'
import type { DecisionPayload, LedgerRecord } from '../domain/record.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { DecisionWrite, Memory, SaltedEpisode, SaltedFact, Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { answerFor } from './answer-for.ts'
import { AnsweredBefore } from './answered-before.ts'
import type { DecisionService, Readiness } from './decision-service.ts'
import { findAnswered } from './find-answered.ts'
import { openHypotheticals } from './open-hypotheticals.ts'
import { openReplay } from './replay.ts'
import { hypotheticalId, type Situation } from './what-if.ts'

export interface DecisionDeps {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  /** The rule sets in force, by policy; read once at the start of each decision. */
  readonly ruleSets: () => ReadonlyMap<string, RuleSet>
  /** The causal knowledge in force; read once at the start of each decision. */
  readonly knowledge: () => Knowledge
  /** Whether the graph's migrations are all applied and unedited. */
  readonly graphCheck: () => { readonly ok: boolean; readonly detail: string }
  /** Total time one decision may take, from its arrival. */
  readonly deadlineMs: number
  /** Version of this software, named in every record. */
  readonly engine: string
}

/** Times a decision is made anew because its application changed in between. */
const attemptsMax = 8

/** Joins the pure pipeline to a store: reads memory, decides, and answers only what the store has made durable. */
export function openDecisionService(deps: DecisionDeps): DecisionService {
  return {
    decide: (request, actor, claim) => decide(request, actor, claim, deps),
    answered: (claim) => findAnswered(deps.store, claim),
    find: async (decisionId) => {
      const stored = await deps.store.findDecision(decisionId)
      return stored === undefined ? undefined : recordedAnswer(stored.answer.text, stored.record)
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
  deps: DecisionDeps,
): Promise<RecordedAnswer> {
  const ruleSet = ruleSetFor(request.policy, deps.ruleSets())
  const knowledge = deps.knowledge()
  const untilMs = deps.clock.nowMs() + deps.deadlineMs
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const memory = await deps.store.readMemory(request.application_id, request.subject?.id)
    const perceived = see(request, memory, ruleSet, knowledge, deps)
    const inputs = inputsOf(request, perceived, deps.randomness.id())
    const { answer, cutAt } = answerFor(inputs, ruleSet, knowledge, () => deps.clock.nowMs() < untilMs)
    const write = writeOf({ ...inputs, edges_examined_max: cutAt }, answer, perceived, memory, actor, deps)
    const committed = await deps.store.commitDecision({ ...write, idempotency })
    if ('duplicate' in committed) throw new AnsweredBefore()
    if ('record' in committed) return { ...answer, record: referenceTo(committed.record) }
  }
  const why = `application \`${request.application_id}\` changed ${attemptsMax} times while it was decided; send it again`
  throw new Failure('APPLICATION_CONFLICT', { at: '/application_id', why })
}

/** What a request would be decided on now; nothing is written. */
async function situationOf(request: DecisionRequest, deps: DecisionDeps): Promise<Situation> {
  const ruleSet = ruleSetFor(request.policy, deps.ruleSets())
  const knowledge = deps.knowledge()
  const memory = await deps.store.readMemory(request.application_id, request.subject?.id)
  const perceived = see(request, memory, ruleSet, knowledge, deps)
  return { inputs: inputsOf(request, perceived, hypotheticalId), ruleSet, knowledge }
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

interface Perceived {
  readonly asOfMs: number
  readonly newFacts: readonly SaltedFact[]
  readonly newEpisodes: readonly SaltedEpisode[]
  /** Memory with what is new, as the decision sees it. */
  readonly facts: readonly SaltedFact[]
  readonly episodes: readonly SaltedEpisode[]
}

function see(
  request: DecisionRequest,
  memory: Memory,
  ruleSet: RuleSet,
  knowledge: Knowledge,
  deps: DecisionDeps,
): Perceived {
  const asOfMs = deps.clock.nowMs()
  const { newFacts, newEpisodes } = perceive(request, {
    content: ruleSet.content,
    isEventType: (name) => knowledge.eventTypes.has(name),
    eventTypeNames: [...knowledge.eventTypes.keys()],
    facts: memory.facts.map((salted) => salted.fact),
    episodes: memory.episodes.map((salted) => salted.episode),
    asOfMs,
  })
  const saltedFacts = newFacts.map((fact) => ({ fact, salt: deps.randomness.saltHex() }))
  const saltedEpisodes = newEpisodes.map((episode) => ({ episode, salt: deps.randomness.saltHex() }))
  return {
    asOfMs,
    newFacts: saltedFacts,
    newEpisodes: saltedEpisodes,
    facts: [...memory.facts, ...saltedFacts].sort(byFactVersion),
    episodes: [...memory.episodes, ...saltedEpisodes].sort(byEpisodeId),
  }
}

function byFactVersion(one: SaltedFact, other: SaltedFact): number {
  return compareText(one.fact.fact, other.fact.fact) || one.fact.version - other.fact.version
}

function byEpisodeId(one: SaltedEpisode, other: SaltedEpisode): number {
  return compareText(one.episode.episode_id, other.episode.episode_id)
}

function inputsOf(request: DecisionRequest, perceived: Perceived, decisionId: string): DecisionInputs {
  const asOf = writeInstant(perceived.asOfMs)
  return {
    decision_id: decisionId,
    application_id: request.application_id,
    subject_id: request.subject?.id ?? null,
    policy: request.policy,
    received_at: writeInstant(readInstant(request.received_at) ?? Number.NaN),
    as_of: asOf,
    known_at: asOf,
    consents: [...new Set(request.consents ?? [])].sort(),
    facts: perceived.facts.map((salted) => salted.fact),
    episodes: perceived.episodes.map((salted) => salted.episode),
    edges_examined_max: null,
  }
}

function writeOf(
  inputs: DecisionInputs,
  answer: Answer,
  perceived: Perceived,
  memory: Memory,
  actor: string,
  deps: DecisionDeps,
): DecisionWrite {
  const text = { text: canonicalJson(answer), salt: deps.randomness.saltHex() }
  const subjectSalt = inputs.subject_id === null ? undefined : deps.randomness.saltHex()
  const payload: DecisionPayload = {
    decision_id: inputs.decision_id,
    application_id: inputs.application_id,
    subject:
      inputs.subject_id === null || subjectSalt === undefined
        ? null
        : subjectCommitment(inputs.subject_id, subjectSalt),
    decision: answer.decision,
    policy: inputs.policy,
    rule_set: answer.rules.set,
    graph_position: answer.graph_position,
    received_at: inputs.received_at,
    as_of: inputs.as_of,
    known_at: inputs.known_at,
    consents: inputs.consents,
    facts: perceived.facts.map((salted) => {
      return { fact: salted.fact.fact, version: salted.fact.version, commitment: factCommitment(salted) }
    }),
    episodes: perceived.episodes.map(episodeCommitment),
    edges_examined_max: inputs.edges_examined_max,
    fired: answer.rules.fired,
    answer: answerCommitment(text),
    engine: deps.engine,
  }
  return {
    decisionId: inputs.decision_id,
    applicationId: inputs.application_id,
    subjectId: inputs.subject_id ?? undefined,
    factsSeen: memory.facts.length,
    episodesSeen: memory.episodes.length,
    newFacts: perceived.newFacts,
    newEpisodes: perceived.newEpisodes,
    actor,
    time: inputs.as_of,
    body: { kind: 'decision', payload },
    answer: text,
    subjectSalt,
  }
}

/** The answer as it was recorded, with its place in the ledger. */
export function recordedAnswer(text: string, record: LedgerRecord): RecordedAnswer {
  return { ...(JSON.parse(text) as Answer), record: referenceTo(record) }
}

function referenceTo(record: LedgerRecord): RecordedAnswer['record'] {
  return { writer: record.writer, seq: record.seq, hash: record.hash }
}

async function readiness(deps: DecisionDeps): Promise<Readiness> {
  const policies = [...deps.ruleSets().keys()].sort()
  const graph = deps.graphCheck()
  const checks = [
    await storeCheck(deps.store),
    {
      name: 'rules',
      ok: policies.length > 0,
      detail: policies.length > 0 ? policies.join(', ') : 'no policy is loaded',
    },
    { name: 'graph', ok: graph.ok, detail: graph.detail },
  ]
  return { ready: checks.every((check) => check.ok), checks }
}

async function storeCheck(store: Store): Promise<Readiness['checks'][number]> {
  try {
    await store.writers()
    return { name: 'store', ok: true, detail: 'answers' }
  } catch (error) {
    return { name: 'store', ok: false, detail: error instanceof Failure ? error.message : 'does not answer' }
  }
}
