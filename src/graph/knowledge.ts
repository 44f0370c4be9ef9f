import type {
  EdgeVersion,
  EventTypeVersion,
  GraphPosition,
  RegulationVersion,
  Relation,
} from '../domain/knowledge.ts'

/** An edge with all its versions, oldest first; what it joins never changes. */
export interface CausalEdge {
  readonly id: string
  readonly from: string
  readonly relation: Relation
  readonly to: string
  readonly versions: readonly EdgeVersion[]
}

/** Edges of one relation by an end of theirs, each list ordered by edge id. */
export type EdgeIndex = ReadonlyMap<string, readonly CausalEdge[]>

/** Causal knowledge at one position of the change log. Never changes: another position is another object. */
export interface Knowledge {
  readonly position: GraphPosition
  /** All versions of each event type, oldest first. */
  readonly eventTypes: ReadonlyMap<string, readonly EventTypeVersion[]>
  readonly edges: ReadonlyMap<string, CausalEdge>
  readonly edgesFrom: Readonly<Record<Relation, EdgeIndex>>
  readonly edgesTo: Readonly<Record<Relation, EdgeIndex>>
  readonly regulations: ReadonlyMap<string, readonly RegulationVersion[]>
}
