import type { FaultList, Place, SourceFile } from '../source-file.ts'

/** One value of a CSV file: its text, blanks at the ends taken off, and where it begins. */
export interface CsvCell {
  readonly text: string
  readonly place: Place
}

const recordsMax = 10_001
const cellsMax = 100

/**
 * Reads the records of a CSV file (RFC 4180: commas, `"` around a value, `""` inside it; line ends and a byte order
 * mark are already made even). A quote inside a value that does not begin with one stands for itself. Empty lines
 * are left out. What is wrong goes to `faults`.
 */
export function readCsv(file: SourceFile, faults: FaultList): CsvCell[][] {
  const records: CsvCell[][] = []
  let record: CsvCell[] = []
  let at = 0
  const { text } = file
  while (at <= text.length) {
    const read = readValue(file, at, faults)
    if (read === undefined) return records
    record.push(read.cell)
    at = read.next
    const isEnd = at >= text.length || text[at] === '\n'
    at += 1
    if (!isEnd && record.length <= cellsMax) continue
    if (record.length > cellsMax) {
      faults.add(read.cell.place, `more than ${cellsMax} values in one line`)
      return records
    }
    if (record.length > 1 || record[0]?.text !== '') records.push(record)
    if (records.length > recordsMax) {
      faults.add(read.cell.place, `more than ${recordsMax - 1} rows`)
      return records
    }
    record = []
  }
  return records
}

/** The value that begins at an offset, and where it ends: at a comma, a line end or the end of the file. */
function readValue(
  file: SourceFile,
  start: number,
  faults: FaultList,
): { cell: CsvCell; next: number } | undefined {
  const { text } = file
  const from = skipBlanks(text, start)
  if (text[from] !== '"') {
    const next = endOfPlain(text, from)
    return { cell: { text: text.slice(from, next).trimEnd(), place: { file, offset: from } }, next }
  }
  let end = text.indexOf('"', from + 1)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end === -1) {
    faults.add({ file, offset: from }, 'the closing `"` of this value is missing')
    return undefined
  }
  const next = skipBlanks(text, end + 1)
  if (next < text.length && text[next] !== ',' && text[next] !== '\n') {
    faults.add(
      { file, offset: next },
      'expected a comma after the closing `"`; write a quote inside a value twice: `""`',
    )
    return undefined
  }
  const inner = text.slice(from + 1, end).replaceAll('""', '"')
  return { cell: { text: inner.trim(), place: { file, offset: from } }, next }
}

function skipBlanks(text: string, at: number): number {
  let next = at
  while (text[next] === ' ' || text[next] === '\t') next += 1
  return next
}

function endOfPlain(text: string, at: number): number {
  let next = at
  while (next < text.length && text[next] !== ',' && text[next] !== '\n') next += 1
  return next
}
