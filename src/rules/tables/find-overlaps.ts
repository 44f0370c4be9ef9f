import type { ColumnAtoms } from './column-atoms.ts'
import type { Ranges } from './column-axis.ts'
import type { Budget } from './explore-rows.ts'

/** Two rows that can both match, and the atom of each column where they do. */
export interface Overlap {
  readonly rows: readonly [number, number]
  readonly atoms: readonly number[]
}

/** What was found within the bound of work; `complete` false: the rest was not looked at. */
export interface OverlapsFound {
  readonly overlaps: readonly Overlap[]
  readonly complete: boolean
}

/** A pair is looked at faster than a piece of the columns. */
const pairCost = 0.1

/**
 * Finds pairs of rows that can both match and that `matters` (smaller index first), in the order of the rows; stops
 * after `most`. Exact: two rows meet where their cells meet in every column.
 */
export function findOverlaps(
  columns: readonly ColumnAtoms[],
  rowCount: number,
  matters: (one: number, other: number) => boolean,
  most: number,
  budget: Budget,
): OverlapsFound {
  const guide = narrowest(columns)
  const starts = Array.from({ length: rowCount }, (_, row) => guide?.rows[row]?.[0]?.[0] ?? 0)
  const ends = Array.from({ length: rowCount }, (_, row) => guide?.rows[row]?.at(-1)?.[1] ?? 0)
  const order = Array.from({ length: rowCount }, (_, row) => row)
    .filter((row) => columns.every((column) => (column.rows[row]?.length ?? 0) > 0))
    .sort((one, other) => (starts[one] ?? 0) - (starts[other] ?? 0) || one - other)
  const overlaps: Overlap[] = []
  for (const [index, one] of order.entries()) {
    // Whatever begins after this row ends, in the guiding column, can't meet it.
    for (let next = index + 1; next < order.length; next += 1) {
      const other = order[next] ?? 0
      if ((starts[other] ?? 0) > (ends[one] ?? 0)) break
      budget.left -= pairCost
      if (budget.left < 0) return { overlaps: sorted(overlaps).slice(0, most), complete: false }
      const rows: [number, number] = one < other ? [one, other] : [other, one]
      if (!matters(...rows)) continue
      const atoms = meeting(columns, ...rows)
      if (atoms !== undefined) overlaps.push({ rows, atoms })
    }
    if (overlaps.length > most * 50) break
  }
  return { overlaps: sorted(overlaps).slice(0, most), complete: true }
}

function sorted(overlaps: readonly Overlap[]): Overlap[] {
  return overlaps.toSorted(({ rows: one }, { rows: other }) => one[0] - other[0] || one[1] - other[1])
}

/** The column whose cells are narrowest on the whole: it tells most rows apart. */
function narrowest(columns: readonly ColumnAtoms[]): ColumnAtoms | undefined {
  const width = ({ rows, size }: ColumnAtoms): number =>
    rows.reduce((sum, ranges) => sum + ((ranges.at(-1)?.[1] ?? 0) - (ranges[0]?.[0] ?? 0) + 1), 0) /
    Math.max(1, size)
  return columns.toSorted((one, other) => width(one) - width(other))[0]
}

function meeting(columns: readonly ColumnAtoms[], one: number, other: number): number[] | undefined {
  const atoms: number[] = []
  for (const { rows } of columns) {
    const atom = firstCommon(rows[one] ?? [], rows[other] ?? [])
    if (atom === undefined) return undefined
    atoms.push(atom)
  }
  return atoms
}

function firstCommon(left: Ranges, right: Ranges): number | undefined {
  let at = 0
  let against = 0
  while (at < left.length && against < right.length) {
    const [from, to] = left[at] ?? [0, -1]
    const [otherFrom, otherTo] = right[against] ?? [0, -1]
    const first = Math.max(from, otherFrom)
    if (first <= Math.min(to, otherTo)) return first
    if (to < otherTo) at += 1
    else against += 1
  }
  return undefined
}
