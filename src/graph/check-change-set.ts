import type { ChangeSet, GraphOperation } from '../domain/change-set.ts'
import type { Interval } from '../domain/knowledge.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure, type Fault } from '../errors.ts'
import { applyOperation, type GraphState, intervalOf, whenMs } from './apply-operation.ts'
import { stateOf } from './fold-knowledge.ts'
import type { CausalEdge, Knowledge } from './knowledge.ts'

/** Zone of the days in a change set that names none. */
export const defaultZone = 'UTC'

/** Where a part of a change set stands, for messages: a JSON pointer, or `file:line:column`. */
export type Locate = (path: readonly (string | number)[]) => string

/** What a change set says beyond its shape: does it fit the knowledge it is applied to? Gives all faults at once. */
export function checkChangeSet(
  changeSet: ChangeSet,
  knowledge: Knowledge,
  locate: Locate = (path) => path.map((step) => `/${step}`).join(''),
): readonly Fault[] {
  const state = stateOf(knowledge)
  const zone = changeSet.zone ?? defaultZone
  const types = new Set(state.eventTypes.keys())
  for (const operation of changeSet.operations) if (operation.op === 'add_event_type') types.add(operation.id)

  const faults: Fault[] = []
  for (const [at, operation] of changeSet.operations.entries()) {
    const found = faultsOf(operation, { state, zone, types })
    for (const { field, why } of found) faults.push({ at: locate(['operations', at, field]), why })
    if (found.length === 0) applyOperation(state, operation, zone)
  }
  return [...faults, ...circleFaults(changeSet, state, locate)]
}

/** Refuses a change set that does not fit. Failure: GRAPH_FILE_INVALID with every fault. */
export function requireFitting(changeSet: ChangeSet, knowledge: Knowledge, locate?: Locate): void {
  const faults = checkChangeSet(changeSet, knowledge, locate)
  if (faults.length > 0) throw new Failure('GRAPH_FILE_INVALID', faults)
}

interface FieldFault {
  readonly field: string
  readonly why: string
}

interface Situation {
  readonly state: GraphState
  readonly zone: string
  /** Event types known before, and those that the change set adds anywhere. */
  readonly types: ReadonlySet<string>
}

type Operation<Name extends GraphOperation['op']> = Extract<GraphOperation, { op: Name }>

function faultsOf(operation: GraphOperation, situation: Situation): readonly FieldFault[] {
  const { state, zone } = situation
  switch (operation.op) {
    case 'add_event_type':
      return eventTypeFaults(operation, situation)
    case 'retire_event_type':
      return endFaults(operation, 'event type', state.eventTypes.get(operation.id), zone)
    case 'add_edge':
      return edgeFaults(operation, situation)
    case 'revise_edge':
      return revisionFaults(operation, situation)
    case 'expire_edge':
      return endFaults(operation, 'edge', state.edges.get(operation.id)?.versions, zone)
    case 'add_regulation':
      return [
        ...(state.regulations.has(operation.id)
          ? [{ field: 'id', why: `the regulation \`${operation.id}\` exists already` }]
          : []),
        ...intervalFaults(operation, zone),
      ]
    case 'supersede_regulation':
      return supersessionFaults(operation, situation)
  }
}

function eventTypeFaults(
  operation: Operation<'add_event_type'>,
  { state, zone, types }: Situation,
): FieldFault[] {
  const { id, is_a: parents = [] } = operation
  const faults = intervalFaults(operation, zone)
  const earlier = state.eventTypes.get(id)?.at(-1)
  if (earlier !== undefined && intervalOf(operation, zone).fromMs < earlier.valid.untilMs) {
    const why = `the event type \`${id}\` exists already; it may be added again only from the day it was retired`
    faults.push({ field: 'id', why })
  }
  for (const parent of parents) {
    if (!types.has(parent)) faults.push({ field: 'is_a', why: `there is no event type \`${parent}\`` })
  }
  if (new Set(parents).size < parents.length) {
    faults.push({ field: 'is_a', why: 'an event type is named twice' })
  }
  return faults
}

function edgeFaults(operation: Operation<'add_edge'>, { state, zone, types }: Situation): FieldFault[] {
  const { id, from, relation, to } = operation
  const faults = intervalFaults(operation, zone)
  if (state.edges.has(id)) {
    faults.push({
      field: 'id',
      why: `the edge \`${id}\` exists already; \`revise_edge\` gives it a new version`,
    })
  }
  for (const [field, type] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (!types.has(type)) faults.push({ field, why: `there is no event type \`${type}\`` })
  }
  if (relation === 'PREVENTS' && from === to) {
    faults.push({ field: 'to', why: `\`${to}\` can't prevent itself; name another event type` })
  }
  return [...faults, ...retiredFaults(operation, intervalOf(operation, zone), state)]
}

function revisionFaults(operation: Operation<'revise_edge'>, { state, zone }: Situation): FieldFault[] {
  const edge = state.edges.get(operation.id)
  const last = edge?.versions.at(-1)
  if (edge === undefined || last === undefined) return [unknownFault('edge', operation.id)]
  const faults = intervalFaults(operation, zone)
  if (intervalOf(operation, zone).fromMs <= last.valid.fromMs) {
    const why = `version ${last.version} of \`${edge.id}\` begins ${shown(last.valid.fromMs)}; a revision must begin later`
    faults.push({ field: 'valid_from', why })
  }
  return [...faults, ...retiredFaults(edge, intervalOf(operation, zone), state)]
}

/** An edge that begins when an event type at its end has been retired would never be in force. */
function retiredFaults(
  { from, to }: Pick<CausalEdge, 'from' | 'to'>,
  valid: Interval,
  { eventTypes }: GraphState,
): FieldFault[] {
  return [...new Set([from, to])].flatMap((type) => {
    const untilMs = eventTypes.get(type)?.at(-1)?.valid.untilMs
    if (untilMs === undefined || valid.fromMs < untilMs) return []
    return [{ field: 'valid_from', why: `the event type \`${type}\` is retired from ${shown(untilMs)} on` }]
  })
}

function supersessionFaults(
  operation: Operation<'supersede_regulation'>,
  { state, zone }: Situation,
): FieldFault[] {
  const { id, superseded_by: successor } = operation
  const faults = endFaults(operation, 'regulation', state.regulations.get(id), zone)
  if (state.regulations.get(id)?.at(-1)?.supersededBy != null) {
    faults.push({ field: 'id', why: `the regulation \`${id}\` is superseded already` })
  }
  if (successor === id) {
    faults.push({ field: 'superseded_by', why: `\`${id}\` can't supersede itself` })
  } else if (successor !== undefined && !state.regulations.has(successor)) {
    faults.push({ ...unknownFault('regulation', successor), field: 'superseded_by' })
  }
  return faults
}

/** Ending something: it must be there, have begun before, and not have ended by then. */
function endFaults(
  { id, valid_until }: { readonly id: string; readonly valid_until: string },
  kind: 'event type' | 'edge' | 'regulation',
  versions: readonly { readonly valid: Interval }[] | undefined,
  zone: string,
): FieldFault[] {
  const valid = versions?.at(-1)?.valid
  if (valid === undefined) return [unknownFault(kind, id)]
  const untilMs = whenMs(valid_until, zone)
  const field = 'valid_until'
  if (untilMs <= valid.fromMs) {
    return [{ field, why: `the ${kind} \`${id}\` begins ${shown(valid.fromMs)}; it can't end before` }]
  }
  if (untilMs > valid.untilMs || (untilMs === valid.untilMs && kind !== 'regulation')) {
    return [{ field, why: `the ${kind} \`${id}\` ends ${shown(valid.untilMs)} already` }]
  }
  return []
}

function intervalFaults(operation: Parameters<typeof intervalOf>[0], zone: string): FieldFault[] {
  const { fromMs, untilMs } = intervalOf(operation, zone)
  if (fromMs < untilMs) return []
  return [{ field: 'valid_until', why: `the validity ends before it begins (${shown(fromMs)})` }]
}

/** Event types that the change set makes a kind of themselves. */
function circleFaults(changeSet: ChangeSet, { eventTypes }: GraphState, locate: Locate): Fault[] {
  return changeSet.operations.flatMap((operation, at) => {
    if (operation.op !== 'add_event_type' || operation.is_a === undefined) return []
    const above = new Set(operation.is_a)
    for (const type of above) {
      for (const version of eventTypes.get(type) ?? []) for (const parent of version.isA) above.add(parent)
    }
    if (!above.has(operation.id)) return []
    const why = `\`${operation.id}\` would be a kind of itself; take one \`is_a\` out of the circle`
    return [{ at: locate(['operations', at, 'is_a']), why }]
  })
}

function unknownFault(kind: string, id: string): FieldFault {
  return { field: 'id', why: `there is no ${kind} \`${id}\`` }
}

function shown(atMs: number): string {
  return Math.abs(atMs) > 8.64e15 ? 'at no set time' : `at \`${writeInstant(atMs)}\``
}
