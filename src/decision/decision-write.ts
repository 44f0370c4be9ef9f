import { canonicalJson } from '../audit/canonical.ts'
import {
  answerCommitment,
  episodeCommitment,
  factCommitment,
  subjectCommitment,
} from '../audit/commitments.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { DecisionPayload } from '../domain/record.ts'
import type { Randomness } from '../ports/clock.ts'
import type { DecisionWrite, Memory } from '../ports/store.ts'
import type { Perceived } from './see-request.ts'

/** What one decision writes: facts, episodes, the record with commitments in place of values, and the answer apart. */
export function decisionWrite(
  inputs: DecisionInputs,
  answer: Answer,
  perceived: Perceived,
  memory: Memory,
  actor: string,
  deps: { readonly randomness: Randomness; readonly engine: string },
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
    ...(inputs.late === true ? { late: true } : {}),
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
    decisionsSeen: memory.application?.decisions ?? 0,
    newFacts: perceived.newFacts,
    newEpisodes: perceived.newEpisodes,
    actor,
    time: inputs.as_of,
    body: { kind: 'decision', payload },
    answer: text,
    subjectSalt,
  }
}
