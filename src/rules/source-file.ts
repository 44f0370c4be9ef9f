import type { Fault } from '../errors.ts'

/** A spot in a text file, as an offset in UTF-16 code units. */
export interface Place {
  readonly file: SourceFile
  readonly offset: number
}

/** One file of a pack: its text and where its lines begin. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lineStarts: readonly number[]
}

/** Takes a byte order mark and CR LF off, so that the same rule is the same rule whoever's editor wrote it. */
export function sourceFile(path: string, raw: string): SourceFile {
  const text = raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  return { path, text, lineStarts }
}

const shownBefore = 70
const shownAfter = 40

/** A fault at a place: `path:line:column`, the sentence, and below it the source line with a caret. */
export function faultAt(place: Place, sentence: string): Fault {
  const { file } = place
  const offset = Math.max(0, Math.min(place.offset, file.text.length))
  const line = lineOf(file, offset)
  const start = file.lineStarts[line] ?? 0
  const end = file.lineStarts[line + 1] ?? file.text.length + 1
  const column = offset - start
  const from = Math.max(0, column - shownBefore)
  const shown = file.text
    .slice(start, end - 1)
    .slice(from, column + shownAfter)
    .toWellFormed()
  const blank = shown.slice(0, column - from).replace(/[^\t]/gu, (char) => (isWide(char) ? '\u3000' : ' '))
  return { at: `${file.path}:${line + 1}:${column + 1}`, why: `${sentence}\n  ${shown}\n  ${blank}^` }
}

function lineOf(file: SourceFile, offset: number): number {
  let low = 0
  let high = file.lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((file.lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function isWide(char: string): boolean {
  return /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u.test(
    char,
  )
}

const faultsMax = 500

/** Gathers the faults of a pack, so that all are told at once; after 500 a last one says that there are more. */
export class FaultList {
  readonly faults: Fault[] = []
  readonly #seen = new Set<string>()

  get isFull(): boolean {
    return this.faults.length > faultsMax
  }

  add(place: Place, sentence: string): void {
    if (this.isFull) return
    if (this.faults.length === faultsMax) {
      this.faults.push({
        at: place.file.path,
        why: `more than ${faultsMax} faults; the others are not shown`,
      })
      return
    }
    const fault = faultAt(place, sentence)
    const key = `${fault.at} ${sentence}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.faults.push(fault)
  }

  /** One that was found before, in the same file. */
  take(fault: Fault): void {
    if (this.faults.length <= faultsMax) this.faults.push(fault)
  }
}
