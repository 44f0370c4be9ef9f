import type { DecisionPayload, LedgerRecord } from '../domain/record.ts'
import type { Memory, Store, StoredDecision } from '../ports/store.ts'
import { sha256 } from './canonical.ts'
import type { FaultList } from './collect-faults.ts'
import { answerCommitment, episodeCommitment, factCommitment, subjectCommitment } from './commitments.ts'
import { readOrBroken } from './read-or-broken.ts'
import { trackUnnamed } from './track-unnamed.ts'

export interface DecisionVerifier {
  /** Checks one decision record; `rows` as far as its page could be read at once. */
  verify(
    record: LedgerRecord,
    payload: DecisionPayload,
    rows: ReadonlyMap<number, StoredDecision> | undefined,
  ): Promise<void>
  /** After the last record: what no record names. */
  finish(): Promise<void>
  count(): number
}

/** Checks that what lies beside the ledger opens the commitments of its decision records. */
export function verifyDecisions(store: Store, faults: FaultList): DecisionVerifier {
  const ruleSetFaults = new Map<string, string | undefined>()
  const unnamed = trackUnnamed(store, faults)
  let count = 0

  async function findRow(
    record: LedgerRecord,
    payload: DecisionPayload,
    rows: ReadonlyMap<number, StoredDecision> | undefined,
  ): Promise<StoredDecision | undefined> {
    if (rows !== undefined) return rows.get(record.seq)
    const read = await readOrBroken(() => store.findDecision(payload.decision_id))
    if ('value' in read) return read.value
    faults.add(record, read.broken)
    return undefined
  }

  async function ruleSetFault(hash: string): Promise<string | undefined> {
    if (!ruleSetFaults.has(hash)) {
      const content = await store.findRuleSet(hash)
      const missing = content === undefined ? `rule set \`${hash}\` is not stored` : undefined
      const changed = content !== undefined && sha256(content) !== hash
      ruleSetFaults.set(hash, changed ? `rule set \`${hash}\` was changed` : missing)
    }
    return ruleSetFaults.get(hash)
  }

  return {
    async verify(record, payload, rows) {
      count += 1
      const add = (why: string | undefined) => why !== undefined && faults.add(record, why)
      add(await ruleSetFault(payload.rule_set))
      const row = await findRow(record, payload, rows)
      if (row === undefined) return void add(`decision \`${payload.decision_id}\` is not stored`)
      for (const why of rowFaults(payload, row)) add(why)
      const memory = await readOrBroken(() => store.readMemory(row.applicationId, row.subjectId))
      if ('broken' in memory) return void add(memory.broken)
      for (const why of [...factFaults(payload, memory.value), ...episodeFaults(payload, memory.value)])
        add(why)
      unnamed.see(row, payload, memory.value)
    },
    finish: () => unnamed.finish(),
    count: () => count,
  }
}

function* rowFaults(payload: DecisionPayload, row: StoredDecision): Generator<string> {
  if (row.decisionId !== payload.decision_id) {
    yield `expected decision \`${payload.decision_id}\`; stored is \`${row.decisionId}\``
  }
  if (row.applicationId !== payload.application_id) {
    yield `expected application \`${payload.application_id}\`; stored is \`${row.applicationId}\``
  }
  if (opened(() => answerCommitment(row.answer)) !== payload.answer) yield 'the answer was changed'
  const { subjectId, subjectSalt } = row
  const subject =
    subjectId === undefined || subjectSalt === undefined
      ? null
      : opened(() => subjectCommitment(subjectId, subjectSalt))
  const isHalf = (subjectId === undefined) !== (subjectSalt === undefined)
  if (isHalf || subject !== payload.subject) yield 'the subject was changed'
}

function* factFaults(payload: DecisionPayload, memory: Memory): Generator<string> {
  const stored = new Map(memory.facts.map((salted) => [`${salted.fact.fact}@${salted.fact.version}`, salted]))
  for (const { fact, version, commitment } of payload.facts) {
    const salted = stored.get(`${fact}@${version}`)
    if (salted === undefined) yield `version ${version} of fact \`${fact}\` is not stored`
    else if (opened(() => factCommitment(salted)) !== commitment) {
      yield `version ${version} of fact \`${fact}\` was changed`
    }
  }
}

function* episodeFaults(payload: DecisionPayload, memory: Memory): Generator<string> {
  if (payload.episodes.length === 0) return
  const stored = new Set(memory.episodes.map((salted) => opened(() => episodeCommitment(salted))))
  const lost = payload.episodes.filter((commitment) => !stored.has(commitment)).length
  if (lost > 0) yield `${lost} of the subject's episodes changed or are not stored`
}

/** `undefined` for what cannot even be committed to any more, such as a salt cut short. */
function opened(commit: () => string): string | undefined {
  try {
    return commit()
  } catch {
    return undefined
  }
}
