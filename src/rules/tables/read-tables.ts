import { compareText } from '../../domain/compare-text.ts'
import type { DecisionTable } from '../../domain/decision-table.ts'
import type { FactsFile } from '../../domain/policy.ts'
import { type PackContext, protectedLaw } from '../pack-context.ts'
import type { FaultList, SourceFile } from '../source-file.ts'
import { quote } from '../typed-value.ts'
import { field, lineText, type YamlNode } from '../yaml-node.ts'
import { stepsMax } from './analyse-table.ts'
import { checkTable } from './check-table.ts'
import { readTable } from './read-table.ts'
import { readTableFrame, type TableFrame } from './read-table-frame.ts'

/**
 * Table files of a pack, by path below it (`tables/risk-points.yaml`; `undefined`: not readable), and CSV files beside
 * them.
 */
export interface TableFiles {
  readonly tables: ReadonlyMap<string, YamlNode | undefined>
  readonly csv: ReadonlyMap<string, SourceFile>
}

/** Reads the frames of all tables, by path (`undefined`: at fault); a name stands for one table. */
export function readTableFrames(files: TableFiles, faults: FaultList): Map<string, TableFrame | undefined> {
  const frames = new Map<string, TableFrame | undefined>()
  const names = new Map<string, TableFrame>()
  for (const [path, node] of [...files.tables].sort(([one], [other]) => compareText(one, other))) {
    const frame = node === undefined ? undefined : readTableFrame(path, node, faults)
    frames.set(path, frame)
    if (frame === undefined || node === undefined) continue
    const first = names.get(frame.table)
    if (first === undefined) names.set(frame.table, frame)
    else {
      const place = field(node, 'table')?.place ?? node.place
      faults.add(
        place,
        `a second table is named ${quote(frame.table)}; the first is ${lineText(first.node.place)}`,
      )
    }
  }
  return frames
}

/** Steps that the analysis of all tables of a pack may take. */
const packStepsMax = 3_000_000

/**
 * Reads and checks all tables: cells, tests, protected attributes, what the rows leave over or take twice. Gives
 * those without fault, by path; what keeps nothing from loading goes to `warnings`.
 */
export function readTables(
  frames: ReadonlyMap<string, TableFrame | undefined>,
  files: TableFiles,
  facts: FactsFile,
  context: PackContext,
  warnings: FaultList,
): Record<string, DecisionTable> {
  const tables: Record<string, DecisionTable> = {}
  let left = packStepsMax
  refuseUnused(frames, files, facts, context)
  for (const [path, frame] of frames) {
    if (frame === undefined) continue
    refuseProtectedInputs(frame, context)
    const read = readTable(frame, files.csv, context)
    if (read.table === undefined) continue
    tables[path] = read.table
    const budget = { left: Math.min(stepsMax, left) }
    const before = budget.left
    checkTable(read, context, warnings, budget)
    left -= before - budget.left
  }
  return tables
}

function refuseProtectedInputs(frame: TableFrame, context: PackContext): void {
  for (const { fact, node } of frame.inputs) {
    if (context.declared.get(fact)?.declaration.prohibited !== true) continue
    context.faults.add(
      node.place,
      `table ${quote(frame.table)} reads ${quote(fact)}, a protected attribute (${protectedLaw}); take it out`,
    )
  }
}

/** A table that no derived fact is made by, or rows that no table names, would be law that nobody applies. */
function refuseUnused(
  frames: ReadonlyMap<string, TableFrame | undefined>,
  files: TableFiles,
  facts: FactsFile,
  context: PackContext,
): void {
  const used = new Set(
    Object.values(facts.derived ?? {}).flatMap((each) => ('table' in each ? [each.table] : [])),
  )
  const csvUsed = new Set<string>()
  for (const [path, node] of files.tables) {
    const csv = field(node, 'csv')
    if (csv?.kind === 'scalar') csvUsed.add(`${path.slice(0, path.lastIndexOf('/') + 1)}${csv.text}`)
    const frame = frames.get(path)
    if (frame === undefined || used.has(path) || context.broken.size > 0) continue
    context.faults.add(
      frame.node.place,
      `no derived fact uses this table; declare one in facts.yaml with \`table: ${path}\``,
    )
  }
  for (const [path, file] of files.csv) {
    if (!csvUsed.has(path)) context.faults.add({ file, offset: 0 }, 'no table names this file under `csv`')
  }
}
