import type { ColumnAtoms } from './column-atoms.ts'

/** What is found by going over everything that can occur. */
export interface Explored {
  /** Atoms of each column that no row accepts together. */
  readonly gaps: readonly (readonly number[])[]
  /** Rows that somewhere are among those of the smallest rank that match. */
  readonly deciding: ReadonlySet<number>
  /** False: the steps ran out, and there may be more. */
  readonly isWhole: boolean
}

/** Steps that may still be taken, shared by the searches of one table. */
export interface Budget {
  left: number
}

/** What is looked for: gaps, up to so many, and with ranks the rows that decide, those of the smallest rank. */
export interface Wanted {
  readonly gapsMost: number
  readonly rankOf: ((row: number) => number) | undefined
}

/**
 * Goes over all combinations of the columns' atoms: finds those that none of `rows` accepts, and the rows that decide
 * somewhere. Exact: cuts column by column, only where the rows in question differ; a row that accepts all that is left ends the
 * search for gaps, and leaves in question only rows of no greater rank; what was gone over is not gone over again.
 */
export function exploreRows(
  columns: readonly ColumnAtoms[],
  rows: readonly number[],
  wanted: Wanted,
  budget: Budget,
): Explored {
  return new Exploration(columns, rows, wanted, budget).run(rows)
}

class Exploration {
  readonly #columns: readonly ColumnAtoms[]
  readonly #rankOf: (row: number) => number
  readonly #gapsMost: number
  readonly #wantsRows: boolean
  readonly #budget: Budget
  /** Columns in the order they are cut: first those that most rows test. */
  readonly #order: readonly number[]
  /** By row: how many columns have to be cut before nothing more can rule it out. */
  readonly #openUntil: ReadonlyMap<number, number>
  readonly #done = new Set<string>()
  readonly #gaps: (readonly number[])[] = []
  readonly #deciding = new Set<number>()
  readonly #chosen: number[] = []

  constructor(
    columns: readonly ColumnAtoms[],
    rows: readonly number[],
    { gapsMost, rankOf }: Wanted,
    budget: Budget,
  ) {
    this.#columns = columns
    this.#rankOf = rankOf ?? (() => 0)
    this.#gapsMost = gapsMost
    this.#wantsRows = rankOf !== undefined
    this.#budget = budget
    const tested = columns.map((column) => rows.filter((row) => !acceptsAll(column, row)).length)
    this.#order = columns
      .map((_, index) => index)
      .sort((one, other) => (tested[other] ?? 0) - (tested[one] ?? 0) || one - other)
    const openUntil = (row: number) =>
      this.#order.findLastIndex((index) => {
        const column = columns[index]
        return column !== undefined && !acceptsAll(column, row)
      }) + 1
    this.#openUntil = new Map(rows.map((row) => [row, openUntil(row)]))
  }

  run(rows: readonly number[]): Explored {
    const isEmpty = this.#columns.some(({ size }) => size === 0)
    const isWhole = isEmpty || this.#look(0, this.#inQuestion(0, rows))
    return { gaps: this.#gaps, deciding: this.#deciding, isWhole }
  }

  /** False when the steps ran out. */
  #look(depth: number, active: readonly number[]): boolean {
    if (active.length === 0) {
      if (this.#gaps.length < this.#gapsMost) this.#gaps.push(this.#example(depth))
      return true
    }
    if (this.#isSettled(depth, active)) return true
    const key = `${depth}:${active.join(',')}`
    if (this.#done.has(key)) return true
    const before = this.#gaps.length
    for (const { first, rows } of segmentsOf(this.#columns[this.#order[depth] ?? 0], active)) {
      const left = this.#inQuestion(depth + 1, rows)
      this.#budget.left -= left.length + rows.size / 8 + 1
      if (this.#budget.left < 0) return false
      this.#chosen[depth] = first
      if (!this.#look(depth + 1, left)) return false
      if (!this.#wantsRows && this.#gaps.length >= this.#gapsMost) return true
    }
    if (this.#gaps.length === before) this.#done.add(key)
    return true
  }

  /** Rows of no greater rank than the best that accepts all that is left; those after it can't decide here. */
  #inQuestion(depth: number, rows: Iterable<number>): number[] {
    let best = Number.POSITIVE_INFINITY
    for (const row of rows) if (this.#isFull(row, depth)) best = Math.min(best, this.#rankOf(row))
    const left: number[] = []
    for (const row of rows) if (this.#rankOf(row) <= best) left.push(row)
    return left.sort((one, other) => one - other)
  }

  /** Whether one row accepts all that is left and no better one is in question: then these rows decide. */
  #isSettled(depth: number, active: readonly number[]): boolean {
    const full = active.find((row) => this.#isFull(row, depth))
    if (full === undefined) return false
    if (active.every((row) => this.#deciding.has(row))) return true
    if (active.some((row) => this.#rankOf(row) < this.#rankOf(full))) return false
    for (const row of active) this.#deciding.add(row)
    return true
  }

  #isFull(row: number, depth: number): boolean {
    return (this.#openUntil.get(row) ?? 0) <= depth
  }

  #example(depth: number): number[] {
    const atoms = this.#columns.map(() => 0)
    for (const [index, column] of this.#order.slice(0, depth).entries())
      atoms[column] = this.#chosen[index] ?? 0
    return atoms
  }
}

function acceptsAll({ size, rows }: ColumnAtoms, row: number): boolean {
  const [range, more] = rows[row] ?? []
  return range !== undefined && more === undefined && range[0] === 0 && range[1] === size - 1
}

/** The pieces of a column within which the same rows accept, in order. `rows` changes from piece to piece. */
function* segmentsOf(
  column: ColumnAtoms | undefined,
  active: readonly number[],
): Generator<{ readonly first: number; readonly rows: ReadonlySet<number> }> {
  const starts = new Map<number, number[]>()
  const ends = new Map<number, number[]>()
  const cuts = new Set<number>([0])
  const note = (map: Map<number, number[]>, at: number, row: number) => {
    cuts.add(at)
    const list = map.get(at)
    if (list === undefined) map.set(at, [row])
    else list.push(row)
  }
  for (const row of active) {
    for (const [first, last] of column?.rows[row] ?? []) {
      note(starts, first, row)
      note(ends, last + 1, row)
    }
  }
  const rows = new Set<number>()
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    if (cut >= (column?.size ?? 0)) return
    for (const row of ends.get(cut) ?? []) rows.delete(row)
    for (const row of starts.get(cut) ?? []) rows.add(row)
    yield { first: cut, rows }
  }
}
