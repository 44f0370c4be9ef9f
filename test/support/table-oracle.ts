import fc from 'fast-check'

/** A random cell: its text as a person would write it, and what it means, said with plain JavaScript values. */
export interface OracleCell {
  readonly text: string
  readonly isAny: boolean
  readonly accepts: (value: OracleValue) => boolean
}

export type OracleValue = number | string | boolean

/** A kind of column: its type, how a value is written, and all values that a brute force has to look at. */
export interface OracleColumn {
  readonly type: 'integer' | 'ratio' | 'enum' | 'boolean' | 'date' | 'text'
  readonly values?: readonly string[]
  readonly domain?: { readonly text: string; readonly accepts: (value: OracleValue) => boolean }
  /** Everything inside the domain that cells can tell apart, and perhaps more. */
  readonly inside: readonly OracleValue[]
  /** Values outside the domain. */
  readonly outside: readonly OracleValue[]
  readonly write: (value: OracleValue) => string | boolean
}

/** Random cells of each column. */
const cellsOf = new Map<OracleColumn, fc.Arbitrary<OracleCell>>()

const any: OracleCell = { text: '-', isAny: true, accepts: () => true }

function column(basis: OracleColumn, points: readonly OracleValue[], isOrdered: boolean): OracleColumn {
  const point = fc.constantFrom(...points)
  const word = (value: OracleValue): string => {
    const text = String(basis.write(value))
    return basis.type === 'text' || (basis.type === 'enum' && text.includes(' ')) ? `"${text}"` : text
  }
  const one = point.map((value): OracleCell => {
    return { text: word(value), isAny: false, accepts: (each) => each === value }
  })
  const interval = fc
    .record({ ends: fc.tuple(point, point), open: fc.boolean(), close: fc.boolean() })
    .filter(({ ends: [low, high], open, close }) => low < high || (low === high && !open && !close))
    .map(
      ({ ends: [low, high], open, close }): OracleCell => ({
        text: `${open ? '(' : '['}${word(low)}..${word(high)}${close ? ')' : ']'}`,
        isAny: false,
        accepts: (each) => (open ? each > low : each >= low) && (close ? each < high : each <= high),
      }),
    )
  const bound = fc.record({ sign: fc.constantFrom('<', '<=', '>', '>='), value: point }).map(
    ({ sign, value }): OracleCell => ({
      text: `${sign} ${word(value)}`,
      isAny: false,
      accepts: (each) => {
        if (sign === '<') return each < value
        if (sign === '<=') return each <= value
        return sign === '>' ? each > value : each >= value
      },
    }),
  )
  const part = isOrdered ? fc.oneof(one, interval, bound) : one
  const list = fc.array(part, { minLength: 1, maxLength: 3 }).map(
    (parts): OracleCell => ({
      text: parts.map((each) => each.text).join(', '),
      isAny: false,
      accepts: (value) => parts.some((each) => each.accepts(value)),
    }),
  )
  const not = list.map(
    (inner): OracleCell => ({
      text: `not(${inner.text})`,
      isAny: false,
      accepts: (value) => !inner.accepts(value),
    }),
  )
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.constant(any) },
    { weight: 5, arbitrary: part },
    { weight: 1, arbitrary: list },
    { weight: 1, arbitrary: not },
  )
  cellsOf.set(basis, cell)
  return basis
}

const steps = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    Number((from + index * step).toFixed(3)),
  )
const dates = steps(10, 16, 1).map((day) => `2026-02-${day}`)

export const columns: readonly OracleColumn[] = [
  column(
    {
      type: 'integer',
      domain: { text: '[0..5]', accepts: (value) => Number(value) >= 0 && Number(value) <= 5 },
      inside: steps(0, 5, 1),
      outside: [-1, 6, 100],
      write: String,
    },
    steps(0, 5, 1),
    true,
  ),
  column({ type: 'integer', inside: steps(-2, 7, 1), outside: [], write: String }, steps(0, 5, 1), true),
  column(
    {
      type: 'ratio',
      domain: { text: '[0..0.3)', accepts: (value) => Number(value) >= 0 && Number(value) < 0.3 },
      inside: steps(0, 0.25, 0.05),
      outside: [-0.1, 0.3, 1],
      write: String,
    },
    steps(0, 0.3, 0.1),
    true,
  ),
  column(
    { type: 'enum', values: ['a', 'b', 'c d'], inside: ['a', 'b', 'c d'], outside: [], write: String },
    ['a', 'b', 'c d'],
    false,
  ),
  column(
    { type: 'boolean', inside: [true, false], outside: [], write: (value) => value === true },
    [true, false],
    false,
  ),
  column({ type: 'text', inside: ['x', 'y', 'neither'], outside: [], write: String }, ['x', 'y'], false),
  column(
    { type: 'date', inside: ['2026-02-09', ...dates, '2026-02-17'], outside: [], write: String },
    dates.slice(1, -1),
    true,
  ),
]

export const hitPolicies = [
  'unique',
  'first',
  'priority',
  'any',
  'collect',
  'sum',
  'min',
  'max',
  'count',
] as const
export type Policy = (typeof hitPolicies)[number]

export interface OracleTable {
  readonly policy: Policy
  readonly columns: readonly OracleColumn[]
  readonly rows: readonly { readonly cells: readonly OracleCell[]; readonly output: number }[]
  /** Of `priority`: outputs, the one that wins first. */
  readonly order: readonly number[]
}

/** Random tables of one to three columns, cells from all columns that a table may have. */
export function anOracleTable(policies: readonly Policy[], rowsMax: number): fc.Arbitrary<OracleTable> {
  return fc.array(fc.constantFrom(...columns), { minLength: 1, maxLength: 3 }).chain((chosen) =>
    fc.record({
      policy: fc.constantFrom(...policies),
      columns: fc.constant(chosen),
      rows: fc.array(
        fc.record({
          cells: fc.tuple(...chosen.map((each) => cellsOf.get(each) ?? fc.constant(any))),
          output: fc.integer({ min: -1, max: 2 }),
        }),
        { minLength: 1, maxLength: rowsMax },
      ),
      order: fc.shuffledSubarray([-1, 0, 1, 2], { minLength: 4, maxLength: 4 }),
    }),
  )
}

export type OracleState =
  | { readonly state: 'known'; readonly value: OracleValue; readonly confidence: number }
  | { readonly state: 'unknown' | 'none' | 'error' }

export type OracleResult =
  | { readonly state: 'known'; readonly value: string }
  | { readonly state: 'unknown' | 'none' | 'error' }

/** What the matching rows alone come to; `nothing` and `violated` are no values. */
function resultOf(table: OracleTable, matching: readonly number[]): string {
  if (matching.length === 0) return 'nothing'
  const outputs = matching.map((row) => table.rows[row]?.output ?? 0)
  switch (table.policy) {
    case 'unique':
      return outputs.length > 1 ? 'violated' : String(outputs[0])
    case 'any':
      return new Set(outputs).size > 1 ? 'violated' : String(outputs[0])
    case 'first':
      return String(outputs[0])
    case 'priority':
      return String(table.order.find((output) => outputs.includes(output)))
    case 'collect':
      return `[${outputs.join(',')}]`
    case 'count':
      return String(outputs.length)
    case 'sum':
      return String(outputs.reduce((sum, each) => sum + each, 0))
    case 'min':
      return String(Math.min(...outputs))
    case 'max':
      return String(Math.max(...outputs))
  }
}

/**
 * The plain reading: judge every row by itself, then try every way in which the rows that nobody can tell could come
 * out. If all ways give one result it stands; else the rows that make a difference say why nobody knows.
 */
export function plainReading(table: OracleTable, states: readonly OracleState[]): OracleResult {
  const seen = states.map((state, index): OracleState => {
    const domain = table.columns[index]?.domain
    return state.state === 'known' && domain?.accepts(state.value) === false ? { state: 'unknown' } : state
  })
  const verdicts = table.rows.map(({ cells }) => {
    let verdict = 'true'
    for (const rank of ['none', 'unknown', 'error']) {
      if (cells.some((cell, index) => !cell.isAny && seen[index]?.state === rank)) verdict = rank
    }
    const isOut = cells.some((cell, index) => {
      const state = seen[index]
      return state?.state === 'known' && !cell.accepts(state.value)
    })
    return isOut ? 'false' : verdict
  })
  const matching = [...verdicts.keys()].filter((row) => verdicts[row] === 'true')
  const open = [...verdicts.keys()].filter((row) => !['true', 'false'].includes(verdicts[row] ?? ''))
  const ways = subsets(open).map((more) => ({
    more,
    result: resultOf(
      table,
      [...matching, ...more].sort((one, other) => one - other),
    ),
  }))
  const results = new Map(ways.map(({ more, result }) => [more.join(), result]))
  const [first] = results.values()
  if (new Set(results.values()).size === 1 && first !== undefined) {
    if (first === 'nothing') return { state: 'unknown' }
    return first === 'violated' ? { state: 'error' } : { state: 'known', value: first }
  }
  const relevant = open.filter((row) =>
    ways.some(({ more, result }) => {
      if (more.includes(row)) return false
      const with_ = [...more, row].sort((one, other) => one - other).join()
      return results.get(with_) !== result
    }),
  )
  for (const state of ['error', 'unknown'] as const) {
    if (relevant.some((row) => verdicts[row] === state)) return { state }
  }
  return { state: 'none' }
}

/**
 * How sure a known result is: the best that can be had by looking at some of the inputs only and still knowing it;
 * among those looked at the weakest counts.
 */
export function plainConfidence(table: OracleTable, states: readonly OracleState[], value: string): number {
  const known = [...states.keys()].filter((index) => states[index]?.state === 'known')
  let best = 0
  for (const looked of subsets(known)) {
    const seen = states.map(
      (state, index): OracleState =>
        state.state === 'known' && !looked.includes(index) ? { state: 'unknown' } : state,
    )
    const result = plainReading(table, seen)
    if (result.state !== 'known' || result.value !== value) continue
    const weakest = looked.reduce((least, index) => {
      const state = states[index]
      return state?.state === 'known' ? Math.min(least, state.confidence) : least
    }, 1)
    best = Math.max(best, weakest)
  }
  return best
}

function subsets(list: readonly number[]): number[][] {
  let all: number[][] = [[]]
  for (const each of list) all = all.flatMap((some) => [some, [...some, each]])
  return all
}

/** Every combination of values inside the domains. */
export function everyApplicant(table: OracleTable): OracleValue[][] {
  return table.columns.reduce<OracleValue[][]>(
    (all, { inside }) => all.flatMap((some) => inside.map((value) => [...some, value])),
    [[]],
  )
}

/** Rows that match an applicant of known values. */
export function matchingRows(table: OracleTable, applicant: readonly OracleValue[]): number[] {
  return [...table.rows.keys()].filter((row) =>
    table.rows[row]?.cells.every((cell, index) => cell.accepts(applicant[index] ?? '')),
  )
}
