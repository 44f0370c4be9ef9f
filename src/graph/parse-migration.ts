import { ChangeSet } from '../domain/change-set.ts'
import { Failure } from '../errors.ts'
import type { Locate } from './check-change-set.ts'
import { describeIssue } from './describe-issue.ts'
import { readYaml } from './read-yaml.ts'

/** A migration file's change set, and the place in the file of each of its parts. */
export interface ParsedMigration {
  readonly path: string
  readonly changeSet: ChangeSet
  readonly locate: Locate
}

/**
 * Reads `V0001__base.yaml`: shape only, `checkChangeSet` says whether it fits. Failure: GRAPH_FILE_INVALID with
 * every fault, each at `file:line:column`.
 */
export function parseMigration(path: string, text: string): ParsedMigration {
  const reading = readYaml(path, text)
  if ('faults' in reading) throw new Failure('GRAPH_FILE_INVALID', reading.faults)
  const { value, locate } = reading
  const parsed = ChangeSet.safeParse(value)
  if (!parsed.success) {
    const described = parsed.error.issues.flatMap((issue) => describeIssue(issue, value))
    throw new Failure(
      'GRAPH_FILE_INVALID',
      described.map(({ path: steps, why }) => ({ at: locate(steps), why })),
    )
  }
  const named = migrationOf(path)
  if (named !== parsed.data.migration) {
    const why = `the file's name says \`${named ?? 'no number'}\`; got \`${parsed.data.migration}\``
    throw new Failure('GRAPH_FILE_INVALID', { at: locate(['migration']), why })
  }
  const { author, approved_by } = parsed.data
  if (approved_by !== undefined && plain(approved_by) === plain(author)) {
    const why = `expected somebody other than the author, \`${author}\`; got \`${approved_by}\`: a second person approves`
    throw new Failure('GRAPH_FILE_INVALID', { at: locate(['approved_by']), why })
  }
  return { path, changeSet: parsed.data, locate }
}

/** One way to write a name, so that `Li Wei` and `li  wei ` are one person. */
function plain(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** `V0001` of `graph/migrations/V0001__base.yaml`; `undefined` when the file is not named like that. */
export function migrationOf(path: string): string | undefined {
  return /(?:^|\/)(V\d{4})__[^/]+\.ya?ml$/.exec(path)?.[1]
}
