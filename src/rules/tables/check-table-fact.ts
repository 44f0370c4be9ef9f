import { suggestion } from '../../domain/nearest-name.ts'
import type { DerivedDeclaration } from '../../domain/policy.ts'
import type { PackContext } from '../pack-context.ts'
import { quote } from '../typed-value.ts'
import { field, type YamlEntry } from '../yaml-node.ts'
import { resultType, type TableFrame } from './read-table-frame.ts'

/** Checks a derived fact that a table makes: that there is such a table, and that type and unit are its own. */
export function checkTableFact(
  declaration: Extract<DerivedDeclaration, { table: string }>,
  entry: YamlEntry,
  tables: ReadonlyMap<string, TableFrame | undefined>,
  context: PackContext,
): void {
  const { faults, currency } = context
  const place = (name: string) => field(entry.value, name)?.place ?? entry.keyPlace
  const frame = tables.get(declaration.table)
  if (frame === undefined) {
    // A table whose own file is at fault says so there.
    if (tables.has(declaration.table)) return
    const hint = suggestion(declaration.table, tables.keys())
    faults.add(place('table'), `there is no file ${quote(declaration.table)} in the pack${hint}`)
    return
  }
  const made = resultType(frame.hitPolicy, frame.output)
  if (made !== declaration.type) {
    const why = made === frame.output.type ? '' : ` by \`hit_policy: ${frame.hitPolicy}\``
    faults.add(
      place('type'),
      `table ${quote(frame.table)} yields ${quote(made)}${why}; this fact is ${quote(declaration.type)}`,
    )
  } else if (
    declaration.type === 'money' &&
    (declaration.unit ?? currency) !== (frame.output.unit ?? currency)
  ) {
    faults.add(
      place('unit'),
      `table ${quote(frame.table)} yields ${quote(frame.output.unit ?? currency)}; this fact is in ${quote(declaration.unit ?? currency)}`,
    )
  }
}
