import type {
  FactDeclaration,
  FactsFile,
  PackContent,
  Policy,
  ReasonsFile,
  SourcesFile,
} from '../domain/policy.ts'
import type { Rule } from '../domain/rule.ts'
import type { Expression } from './expression-tree.ts'
import type { CompiledTable } from './tables/compile-table.ts'

/**
 * Where a name that rules may read comes from; `part`: a field of an object fact; `element`: a field of a list's
 * elements, readable within `some` and `every`; `built_in`: `as_of`, `received_at`, `consents`.
 */
export type FactOrigin = 'fact' | 'part' | 'element' | 'derived' | 'memory' | 'built_in'

/** Anything that rules can read by name. A derived fact's declaration holds its type, unit and names only. */
export interface DeclaredFact {
  readonly name: string
  readonly origin: FactOrigin
  readonly declaration: FactDeclaration
  /** Fields inside an object fact, each with a name of its own. */
  readonly parts?: readonly DeclaredFact[]
}

/** One thing that an evaluation does, in an order in which everything it reads is already there. */
export type Step =
  | { readonly kind: 'derive'; readonly fact: string; readonly expression: Expression }
  | { readonly kind: 'count'; readonly fact: string }
  | { readonly kind: 'table'; readonly fact: string; readonly table: CompiledTable }
  | { readonly kind: 'rule'; readonly rule: CompiledRule }
  | { readonly kind: 'memory'; readonly key: string; readonly writers: readonly CompiledRule[] }

/** A rule version made ready: ids and what can be said of it without facts. */
export interface CompiledRule {
  readonly id: string
  readonly rule: Rule
  /** Names that its conditions and `dated_by` read directly. */
  readonly reads: readonly string[]
  /** False when it tests `isUnknown`: its findings prevent nothing. */
  readonly mayPrevent: boolean
}

/** All rules of one pack, checked and made ready; never changed. */
export interface RuleSet {
  readonly content: PackContent
  /** Canonical JSON of `content`, which is stored; `hash` names it. */
  readonly canonical: string
  readonly hash: string
  readonly policy: Policy
  readonly facts: FactsFile
  readonly sources: SourcesFile
  readonly reasons: ReasonsFile
  /** By name: declared facts, derived facts, memory keys, and the built-in names. */
  readonly declared: ReadonlyMap<string, DeclaredFact>
  /** By rule version id, in the order of rule id, then version. */
  readonly rules: ReadonlyMap<string, CompiledRule>
  /** Versions of each rule id, highest version first; ordered by rule id. */
  readonly versions: ReadonlyMap<string, readonly CompiledRule[]>
  readonly steps: readonly Step[]
}
