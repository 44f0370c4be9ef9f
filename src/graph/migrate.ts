import { sha256 } from '../audit/canonical.ts'
import type { AppliedMigration, AppliedOperation } from '../domain/change-set.ts'
import { compareText } from '../domain/compare-text.ts'
import { Failure, type Fault } from '../errors.ts'
import { defaultZone, requireFitting } from './check-change-set.ts'
import type { Knowledge } from './knowledge.ts'
import { migrationOf, parseMigration } from './parse-migration.ts'

/** A file of `graph/migrations/` as it was read. */
export interface MigrationFile {
  readonly path: string
  readonly text: string
}

/** A migration file by its number, with the checksum of its text. */
export interface NumberedFile extends MigrationFile {
  readonly migration: string
  readonly checksum: string
}

/** How the files and what was applied compare. Only `pending` is as it should be. */
export interface MigrationPlan {
  /** Files to apply, by number. */
  readonly pending: readonly NumberedFile[]
  /** Applied migrations whose file says something else now. */
  readonly edited: readonly { readonly file: NumberedFile; readonly applied: AppliedMigration }[]
  /** Applied migrations that have no file any more. */
  readonly missing: readonly AppliedMigration[]
  /** Pending files numbered below one that was applied already. */
  readonly outOfOrder: readonly NumberedFile[]
}

/** SHA-256 over the text with line ends as `\n` and without a byte order mark, as `sha256:` and hex. */
export function checksumOf(text: string): string {
  return sha256(text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'))
}

/**
 * Compares the migration files with what was applied. Failure: GRAPH_FILE_INVALID when a file's name has no number,
 * two have the same, or a number before one that waits was left out.
 */
export function planMigrations(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const numbered = numberFiles(files)
  const byNumber = new Map(numbered.map((file) => [file.migration, file]))
  const done = new Map(applied.map((migration) => [migration.migration, migration]))
  const last = [...done.keys()].sort(compareText).at(-1) ?? ''
  const pending = numbered.filter(({ migration }) => !done.has(migration))
  requireNoGap(pending, last)
  return {
    pending,
    edited: numbered.flatMap((file) => {
      const migration = done.get(file.migration)
      return migration === undefined || migration.checksum === file.checksum
        ? []
        : [{ file, applied: migration }]
    }),
    missing: [...done.values()]
      .filter(({ migration }) => !byNumber.has(migration))
      .sort((a, b) => compareText(a.migration, b.migration)),
    outOfOrder: pending.filter(({ migration }) => migration < last),
  }
}

/**
 * The files still to apply, by number, when nothing stands in the way. Failure: GRAPH_MIGRATION_EDITED for applied
 * ones that were edited (both checksums named) or have gone; GRAPH_FILE_INVALID for ones that come too late.
 */
export function pendingMigrations(plan: MigrationPlan): readonly NumberedFile[] {
  const changed: Fault[] = [
    ...plan.edited.map(({ file, applied }) => ({
      at: file.path,
      why: `applied as \`${applied.checksum}\`; the file is \`${file.checksum}\` now: restore it, and write the change as a new migration`,
    })),
    ...plan.missing.map(({ migration, title }) => ({
      at: migration,
      why: `applied (\`${title}\`), but its file is gone: restore it`,
    })),
  ]
  if (changed.length > 0) throw new Failure('GRAPH_MIGRATION_EDITED', changed)
  const late = plan.outOfOrder.map(({ path, migration }) => ({
    at: path,
    why: `a later migration than \`${migration}\` was applied already: give it the next free number`,
  }))
  if (late.length > 0) throw new Failure('GRAPH_FILE_INVALID', late)
  return plan.pending
}

/** A migration ready for the store, and the lines it adds to the change log. */
export interface PreparedMigration {
  readonly migration: AppliedMigration
  readonly operations: readonly AppliedOperation[]
}

/**
 * Reads and checks a pending file against the knowledge it comes on top of. `appliedAt` is an instant. Failure:
 * GRAPH_FILE_INVALID with every fault at `file:line:column`.
 */
export function prepareMigration(
  file: NumberedFile,
  knowledge: Knowledge,
  appliedAt: string,
): PreparedMigration {
  const { changeSet, locate } = parseMigration(file.path, file.text)
  requireFitting(changeSet, knowledge, locate)
  const first = knowledge.position.sequence + 1
  const operations = changeSet.operations.map((operation, at) => ({
    sequence: first + at,
    migration: changeSet.migration,
    zone: changeSet.zone ?? defaultZone,
    recorded_at: appliedAt,
    operation,
  }))
  return {
    migration: {
      migration: changeSet.migration,
      title: changeSet.title,
      checksum: file.checksum,
      applied_at: appliedAt,
      last_sequence: knowledge.position.sequence + operations.length,
    },
    operations,
  }
}

// A number left out may be a file that was forgotten, and could never be applied afterwards.
function requireNoGap(pending: readonly NumberedFile[], last: string): void {
  const faults: Fault[] = []
  let expected = nextNumber(last)
  for (const { path, migration } of pending) {
    if (migration < expected) continue
    if (migration !== expected) {
      faults.push({
        at: path,
        why: `expected \`${expected}\` next; got \`${migration}\`: no number is left out`,
      })
    }
    expected = nextNumber(migration)
  }
  if (faults.length > 0) throw new Failure('GRAPH_FILE_INVALID', faults)
}

/** `V0002` after `V0001`, which comes after nothing. */
function nextNumber(migration: string): string {
  const number = migration === '' ? 0 : Number(migration.slice(1))
  return `V${String(number + 1).padStart(4, '0')}`
}

function numberFiles(files: readonly MigrationFile[]): readonly NumberedFile[] {
  const faults: Fault[] = []
  const numbered = new Map<string, NumberedFile>()
  for (const { path, text } of [...files].sort((a, b) => compareText(a.path, b.path))) {
    const migration = migrationOf(path)
    const rival = migration === undefined ? undefined : numbered.get(migration)
    if (migration === undefined) {
      faults.push({ at: path, why: 'expected a name such as `V0001__base.yaml`' })
    } else if (rival !== undefined) {
      faults.push({ at: path, why: `\`${migration}\` is the number of ${rival.path} already` })
    } else {
      numbered.set(migration, { path, text, migration, checksum: checksumOf(text) })
    }
  }
  if (faults.length > 0) throw new Failure('GRAPH_FILE_INVALID', faults)
  return [...numbered.values()].sort((a, b) => compareText(a.migration, b.migration))
}
