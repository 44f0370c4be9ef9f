import type { Fault } from '../errors.ts'

/** A file of a pack; `path` begins with the pack's folder, with `/` between parts. */
export interface OfferedFile {
  readonly path: string
  readonly text: string
}

/** What lies in one folder that is, or should be, a pack; `faults` names what can't be read of it. */
export interface OfferedPack {
  readonly folder: string
  /** By path, in code-unit order. */
  readonly files: readonly OfferedFile[]
  readonly faults: readonly Fault[]
}

/** Everything that lies among the rules at one moment. */
export interface RulesOffer {
  readonly packs: readonly OfferedPack[]
  /** `withdrawn.yaml` beside the packs, where there is one. */
  readonly withdrawn: OfferedFile | undefined
  /** Folders and files that look like rules but belong to no pack. */
  readonly overlooked: readonly string[]
  /** Why nothing at all could be read. */
  readonly faults: readonly Fault[]
}

/** What can be seen of the files without reading them. */
export interface Look {
  /** Names, sizes and times of everything that is there, as one text. */
  readonly stamp: string
  /** When the last of them was written or put there, by the clock of their file system. */
  readonly changedMs: number | undefined
}

/** Where packs come from. Nothing here throws: what can't be read is a fault of the offer. */
export interface RuleSource {
  /** While the stamp stays the same, nobody is known to be writing. It is a hint; what counts is what `read` finds. */
  look(): Promise<Look>
  read(): Promise<RulesOffer>
  /** Calls `hint` when something may have changed. It may miss changes, and call for none. */
  watch(hint: () => void): Promise<AsyncDisposable>
}
