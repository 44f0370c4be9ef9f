import type { Config } from '../config.ts'
import type { MigrationFile } from '../graph/migrate.ts'
import type { RouteExample } from '../http/openapi.ts'
import type { Clock, Randomness } from '../ports/clock.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { RuleSource } from '../ports/rule-source.ts'
import type { Store } from '../ports/store.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { Inspection } from './doctor/inspection.ts'

/** What the folders hold, loaded and checked. */
export interface Packs {
  readonly ruleSets: readonly RuleSet[]
  /** Folders and files among the rules that belong to no pack. */
  readonly overlooked: readonly string[]
}

/** Where a command reads and writes, and how it gets at the rest; `main.ts` fills it in, tests may too. */
export interface Surroundings {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** A person watches standard output. */
  readonly outIsTerminal: boolean
  /** A person watches standard error. */
  readonly errIsTerminal: boolean
  /** May colours be used on standard output. */
  readonly colour: boolean
  readonly version: string
  /** Failure: CONFIG_INVALID. */
  readonly config: () => Config
  /** Failures: STORE_UNAVAILABLE, STORE_VERSION_UNKNOWN. */
  readonly openStore: (config: Config) => Promise<Store>
  /** The embedded store that is there; none is made. Failures: STORE_UNAVAILABLE, STORE_VERSION_UNKNOWN. */
  readonly openExistingStore: (config: Config) => Promise<Store>
  /** The embedded store that is there, to look at only. Failures: STORE_UNAVAILABLE, STORE_VERSION_UNKNOWN. */
  readonly openStoreReadOnly: (config: Config) => Promise<Store>
  /** Failures: NO_RULES, RULE_FILE_INVALID. */
  readonly loadPacks: (config: Config) => Promise<Packs>
  /** The packs as they come and go while the service runs. */
  readonly ruleSource: (config: Config, log: (line: string) => void) => RuleSource
  readonly openMetrics: () => Metrics
  /** Failure: GRAPH_FILE_INVALID. */
  readonly readMigrations: (config: Config) => Promise<readonly MigrationFile[]>
  readonly inspection: Inspection
  readonly clock: Clock
  readonly randomness: Randomness
  /** Bytes of a named file, or of standard input for `-`. */
  readonly openInput: (file: string) => AsyncIterable<Uint8Array>
  /** Resolves when the process is asked to end. */
  readonly stopRequested: () => Promise<void>
  /** What the API's description shows as examples. */
  readonly apiExamples: () => readonly RouteExample[]
  /** A request to try first: its path as typed from here, for one of these policies. */
  readonly exampleRequest: (policies: readonly string[]) => string | undefined
}

/** 0: as hoped; 1: problems were found; 2: called wrongly. */
export type ExitStatus = 0 | 1 | 2

export interface Command {
  /** Such as `graph migrate`. */
  readonly name: string
  readonly summary: string
  readonly help: string
  readonly options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>
  /** How many words may follow, at least and at most, and what they are called. */
  readonly words: { readonly from: number; readonly to: number; readonly names: string }
  run(call: Call, surroundings: Surroundings): Promise<ExitStatus>
}

/** A parsed command line. */
export interface Call {
  readonly words: readonly string[]
  readonly flags: ReadonlySet<string>
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, string>
}
