import { type Computed, mergeNames, strongestOf, type Trust, weakestOf } from '../computed.ts'
import { accepts, type CompiledTable, isWithin } from './compile-table.ts'
import { type Decided, type Ground, settleHits } from './settle-hits.ts'

/** An input's state, and the piece of its column where a known value lies. */
interface Input {
  readonly state: Computed
  /** -1: not known. */
  readonly piece: number
}

/**
 * Decides a table for the facts that `read` gives; `fact` is the derived fact that it makes. A `-` cell asks for
 * nothing; a row with a cell that does not match is out whatever else is open. Where an open row could change the
 * result it is error, else unknown, else none; where no row matches it is unknown; more rows than the hit policy
 * allows are an error. Confidence is that of the strongest sufficient ground: the weakest of the inputs by which
 * the deciding rows match and others that could overrule them do not.
 */
export function decideTable(fact: string, table: CompiledTable, read: (name: string) => Computed): Computed {
  const inputs = table.columns.map((column): Input => {
    const state = read(column.fact)
    if (state.state !== 'known') return { state, piece: -1 }
    const piece = column.locate(state.value)
    if (isWithin(column.domain, piece)) return { state, piece }
    const why = `\`${column.fact}\` lies outside the values that table \`${table.name}\` is made for`
    return { state: { state: 'unknown', why, missing: [fact] }, piece: -1 }
  })
  const pieces = inputs.map(({ piece }) => piece)
  const matched: number[] = []
  const open: number[] = []
  for (const row of table.rows.keys()) {
    const verdict = judgeRow(table, row, pieces)
    if (verdict === 'matches') matched.push(row)
    else if (verdict === 'open') open.push(row)
  }
  const decided = settleHits(table, matched, open)
  switch (decided.kind) {
    case 'violated':
      return { state: 'error', why: violation(table, decided.rows) }
    case 'nothing':
      return { state: 'unknown', why: noMatch(table), missing: [fact] }
    case 'open':
      return openState(table, decided.rows, inputs)
    case 'value':
      return valueState(table, decided, inputs)
  }
}

function judgeRow(
  table: CompiledTable,
  row: number,
  pieces: readonly number[],
): 'matches' | 'open' | 'misses' {
  let isOpen = false
  for (let index = 0; index < pieces.length; index += 1) {
    const column = table.columns[index]
    if (column === undefined || column.tests[row] !== 1) continue
    const piece = pieces[index] ?? -1
    if (piece < 0) isOpen = true
    else if (!accepts(column, row, piece)) return 'misses'
  }
  return isOpen ? 'open' : 'matches'
}

function violation(table: CompiledTable, rows: readonly number[]): string {
  const labels = rows.map((row) => `\`${table.rows[row]?.label ?? ''}\``).join(', ')
  return table.hitPolicy === 'any'
    ? `rows ${labels} of table \`${table.name}\` match with different results`
    : `rows ${labels} of table \`${table.name}\` match; its hit policy allows one`
}

function noMatch(table: CompiledTable): string {
  const names = table.columns.map(({ fact }) => `\`${fact}\``).join(', ')
  return `no row of table \`${table.name}\` matches these values of ${names}`
}

/** State of a result that rows could still change: error, else unknown, else none, of the rows that are in the way. */
function openState(table: CompiledTable, rows: readonly number[], inputs: readonly Input[]): Computed {
  const unknownNames: string[] = []
  const missing: (readonly string[])[] = []
  const nones: Trust[] = []
  for (const [index, column] of table.columns.entries()) {
    const { state } = inputs[index] ?? {}
    if (state === undefined || state.state === 'known' || !rows.some((row) => column.tests[row] === 1))
      continue
    if (state.state === 'error') return { state: 'error', why: `${column.fact}: ${state.why}` }
    if (state.state === 'none') nones.push(state)
    else {
      unknownNames.push(`\`${column.fact}\``)
      missing.push(state.missing)
    }
  }
  if (unknownNames.length > 0) {
    const why = `table \`${table.name}\` needs ${unknownNames.join(', ')}`
    return { state: 'unknown', why, missing: mergeNames(missing) }
  }
  const { confidence, weakest } = weakestOf(nones)
  return { state: 'none', confidence, weakest }
}

function valueState(
  table: CompiledTable,
  decided: Extract<Decided, { kind: 'value' }>,
  inputs: readonly Input[],
): Computed {
  const grounds = decided.grounds.map((ground) => trustOf(ground, table, inputs))
  const { confidence, weakest } = strongestOf(grounds)
  const rows = decided.rows.map((row) => table.rows[row]?.label ?? '')
  return { state: 'known', value: decided.value, confidence, weakest, rows }
}

function trustOf({ matched, overrules }: Ground, table: CompiledTable, inputs: readonly Input[]): Trust {
  const trusts = inputs.map(({ state }) => (state.state === 'known' ? state : undefined))
  const used: Trust[] = []
  for (const [index, column] of table.columns.entries()) {
    const trust = trusts[index]
    // A row matches by all its cells, so the weakest input counts.
    if (trust !== undefined && matched.some((row) => column.tests[row] === 1)) used.push(trust)
  }
  let weakest = weakestOf(used)
  const least = weakestOf(trusts.filter((trust) => trust !== undefined)).confidence
  for (let row = 0; row < table.rows.length && weakest.confidence > least; row += 1) {
    if (!overrules(row)) continue
    const miss = trustOfMiss(table, row, inputs)
    if (miss !== undefined) weakest = weakestOf([weakest, miss])
  }
  return weakest
}

/** One cell rules a row out, so the strongest of those that do counts; `undefined`: none does. */
function trustOfMiss(table: CompiledTable, row: number, inputs: readonly Input[]): Trust | undefined {
  const against: Trust[] = []
  for (const [index, column] of table.columns.entries()) {
    const { state, piece = -1 } = inputs[index] ?? {}
    if (column.tests[row] !== 1 || piece < 0 || state?.state !== 'known') continue
    if (!accepts(column, row, piece)) against.push(state)
  }
  return against.length === 0 ? undefined : strongestOf(against)
}
