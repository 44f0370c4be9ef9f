import type { Computed, Trust } from './computed.ts'
import type { Frame } from './frame.ts'
import type { Judgement } from './judgement.ts'

export type Result = Judgement['result']

/** What a compiled condition is judged on. */
export interface Scene {
  readonly frame: Frame
  /** State by name, for parts that the plain judge looks at. */
  readonly read: (name: string) => Computed
}

/** A condition made ready: what the plain judge says of it, without a trace. */
export interface CompiledCondition {
  /** Looks no further than it must. */
  readonly test: (scene: Scene) => Result
  /** Trust in the result that `test` gave: true, false or none. */
  readonly trust: (scene: Scene, result: Result) => Trust
  /** Adds what it waits for and what went wrong, where it is unknown or in error. */
  readonly explain: (scene: Scene, open: Open) => void
}

/** Base facts without which a condition stays open, and its errors. */
export interface Open {
  readonly missing: Set<string>
  readonly errors: Set<string>
}
