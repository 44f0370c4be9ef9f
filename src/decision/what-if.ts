import { clockSkewMs, perceive } from '../agents/perceive.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { FactVersion } from '../domain/fact.ts'
import type { Changed, Changes } from '../domain/hypothetical.ts'
import { nearestName } from '../domain/nearest-name.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import { Failure, type Fault } from '../errors.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { typeValue } from '../rules/typed-value.ts'
import { answerFor } from './answer-for.ts'
import { replaceFacts } from './replace-facts.ts'

/** An application with the rules and the knowledge it is decided by. */
export interface Situation {
  readonly inputs: DecisionInputs
  readonly ruleSet: RuleSet
  readonly knowledge: Knowledge
}

/** What a what-if answers, before it is said what it was based on. */
export interface Hypothesis {
  readonly answer: Answer
  readonly changed: Changed
}

/** Names no decision: what is only supposed has no id. */
export const hypotheticalId = 'hypothetical'

/**
 * Decides an application as it would be with `changes`, `rules` and `knowledge` (those of the situation where none
 * were asked for). A changed fact replaces every version of it; it is the caller's, observed at `as_of`, unless its
 * reading says otherwise. Pure. Failure: REQUEST_INVALID with pointers under `/changes`.
 */
export function whatIf(
  before: Situation,
  changes: Changes,
  { ruleSet, knowledge }: Pick<Situation, 'ruleSet' | 'knowledge'>,
  mayContinue?: () => boolean,
): Hypothesis {
  const asOf = changes.as_of === undefined ? before.inputs.as_of : normalised(changes.as_of)
  const receivedAt =
    changes.received_at === undefined ? before.inputs.received_at : normalised(changes.received_at)
  const names = Object.keys(changes.facts ?? {}).sort()
  const removed = [...new Set(changes.remove_facts ?? [])].sort()
  checkRemoved(removed, names, ruleSet)
  const versions = perceiveChanges(changes, { ...before.inputs, as_of: asOf }, ruleSet, knowledge)
  const kept = replaceFacts(before.inputs, [...names, ...removed], [])
  const { readable, unreadable } = readAgain(kept.facts, before.ruleSet, ruleSet)
  const inputs: DecisionInputs = {
    ...replaceFacts({ ...kept, facts: readable }, [], versions),
    decision_id: hypotheticalId,
    received_at: receivedAt,
    as_of: asOf,
    // A deadline that cut the recorded search says nothing of this one.
    edges_examined_max: null,
  }
  return {
    answer: answerFor(inputs, ruleSet, knowledge, mayContinue).answer,
    changed: {
      facts: Object.fromEntries(names.map((name) => [name, readingsOf(name, versions)])),
      removed_facts: removed,
      unreadable_facts: unreadable,
      as_of: difference(before.inputs.as_of, asOf),
      received_at: difference(before.inputs.received_at, receivedAt),
      rule_set: difference(before.ruleSet.hash, ruleSet.hash),
      graph_position:
        before.knowledge.position.sequence === knowledge.position.sequence
          ? null
          : { from: before.knowledge.position, to: knowledge.position },
    },
  }
}

/** `as_of` and `received_at` may lie in the past, never in the future. Failure: REQUEST_INVALID. */
export function checkTimes(changes: Changes, nowMs: number): void {
  const limits = { as_of: nowMs, received_at: nowMs + clockSkewMs }
  const faults = (['as_of', 'received_at'] as const).flatMap((field): Fault[] => {
    const text = changes[field]
    if (text === undefined || (readInstant(text) ?? 0) <= limits[field]) return []
    const why = `expected a time that is not later than now, ${writeInstant(nowMs)}; got \`${text}\``
    return [{ at: `/changes/${field}`, why }]
  })
  if (faults.length > 0) throw new Failure('REQUEST_INVALID', faults)
}

function normalised(text: string): string {
  return writeInstant(readInstant(text) ?? Number.NaN)
}

function difference<T>(from: T, to: T): { from: T; to: T } | null {
  return from === to ? null : { from, to }
}

/** Types and stamps changed facts just as posted ones. */
function perceiveChanges(
  changes: Changes,
  inputs: DecisionInputs,
  ruleSet: RuleSet,
  knowledge: Knowledge,
): readonly FactVersion[] {
  const { application_id, policy, as_of } = inputs
  const request = { application_id, policy, received_at: as_of, facts: changes.facts ?? {} }
  const context = {
    content: ruleSet.content,
    isEventType: (name: string) => knowledge.eventTypes.has(name),
    eventTypeNames: [],
    facts: [],
    episodes: [],
    asOfMs: instantMs(as_of),
  }
  try {
    return perceive(request, context).newFacts
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'REQUEST_INVALID') throw error
    const faults = error.faults.map(({ at, why }) => ({ at: `/changes${at}`, why }))
    throw new Failure('REQUEST_INVALID', faults, { cause: error })
  }
}

function checkRemoved(removed: readonly string[], changed: readonly string[], ruleSet: RuleSet): void {
  const known = Object.keys(ruleSet.facts.facts)
  const faults = removed.flatMap((name): Fault[] => {
    const at = '/changes/remove_facts'
    if (changed.includes(name)) return [{ at, why: `\`${name}\` is changed and removed; one of the two` }]
    if (known.includes(name)) return []
    const near = nearestName(name, known)
    const hint =
      near === undefined ? 'facts.yaml of the policy lists the facts it knows' : `did you mean \`${near}\`?`
    return [{ at, why: `there is no fact \`${name}\` in this policy; ${hint}` }]
  })
  if (faults.length > 0) throw new Failure('REQUEST_INVALID', faults)
}

/** Another rule set may declare a fact otherwise: what no longer reads as its type or unit is left out, and named. */
function readAgain(
  facts: readonly FactVersion[],
  before: RuleSet,
  ruleSet: RuleSet,
): { readable: FactVersion[]; unreadable: string[] } {
  if (before.hash === ruleSet.hash) return { readable: [...facts], unreadable: [] }
  const unreadable = new Set<string>()
  const readable = facts.flatMap((version): FactVersion[] => {
    const declaration = ruleSet.facts.facts[version.fact]
    if (declaration === undefined) return []
    const typed =
      version.value === null ? { value: null } : typeValue(declaration, version.value, ruleSet.policy.zone)
    if ('value' in typed && version.unit === (declaration.unit ?? null))
      return [{ ...version, type: declaration.type, value: typed.value }]
    unreadable.add(version.fact)
    return []
  })
  return { readable, unreadable: [...unreadable].sort() }
}

function readingsOf(name: string, versions: readonly FactVersion[]): Changed['facts'][string] {
  return versions
    .filter((version) => version.fact === name)
    .map(({ value, unit, confidence, source, observed_at }) => ({
      value,
      unit,
      confidence,
      source,
      observed_at,
    }))
}
