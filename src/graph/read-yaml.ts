import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import type { Fault } from '../errors.ts'
import type { Locate } from './check-change-set.ts'

const depthMax = 20
const aliasesMax = 100
const tooDeep = `nested more than ${depthMax} levels deep; a change set needs 6`

export type YamlReading =
  | { readonly value: unknown; readonly locate: Locate }
  | { readonly faults: readonly Fault[] }

/**
 * Reads one YAML document as plain data, nothing evaluated, and finds places again: `locate` gives the
 * `file:line:column` of a path into it. Duplicate keys, alias bombs and deep nesting are faults.
 */
export function readYaml(path: string, text: string): YamlReading {
  const lines = new LineCounter()
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const complaints = [...document.errors, ...document.warnings]
    if (complaints.some(({ message }) => /call stack|stack overflow/i.test(message))) {
      return { faults: [{ at: path, why: tooDeep }] }
    }
    const faults = [
      ...complaints.map(({ code, pos, message }) => ({
        at: place(pos[0]),
        why: code === 'MULTIPLE_DOCS' ? 'a second document begins; a file holds one change set' : message,
      })),
      ...structureFaults(document, place),
    ]
    if (faults.length > 0) return { faults }
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax })
    return { value, locate: (steps) => place(offsetOf(document, steps)) }
  } catch (error) {
    // Nesting past what the stack holds ends in a RangeError, an alias bomb in a ReferenceError.
    const why = error instanceof RangeError ? tooDeep : error instanceof Error ? error.message : String(error)
    return { faults: [{ at: path, why }] }
  }
}

function structureFaults(document: Document.Parsed, place: (offset: number) => string): Fault[] {
  const faults: Fault[] = []
  visit(document, (_key, node, path) => {
    if (path.length > 4 * depthMax) {
      faults.push({ at: place(startOf(node)), why: tooDeep })
      return visit.BREAK
    }
    if (isMap(node)) faults.push(...keyFaults(node, place))
    return undefined
  })
  return faults
}

/** Every key plain text, and none twice: both places are named. */
function keyFaults(map: YAMLMap, place: (offset: number) => string): Fault[] {
  const faults: Fault[] = []
  const first = new Map<string, number>()
  for (const { key } of map.items) {
    const at = startOf(key)
    if (isAlias(key) || !isScalar(key) || typeof key.value !== 'string') {
      faults.push({ at: place(at), why: 'a key must be plain text' })
      continue
    }
    const before = first.get(key.value)
    if (before === undefined) first.set(key.value, at)
    else faults.push({ at: place(at), why: `the key \`${key.value}\` stands at ${place(before)} already` })
  }
  return faults
}

/** Offset of what stands at a path, or of the nearest thing around it that exists; a key if the path ends at one. */
function offsetOf(document: Document.Parsed, steps: readonly (string | number)[]): number {
  for (let length = steps.length; length > 0; length -= 1) {
    const node = document.getIn(steps.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return startOf(document.contents)
}

function startOf(node: unknown): number {
  return isNode(node) && node.range ? node.range[0] : 0
}
