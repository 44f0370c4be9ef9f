import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  Scalar,
} from 'yaml'
import type { FaultList, Place, SourceFile } from './source-file.ts'
import { lineText, type YamlEntry, type YamlNode } from './yaml-node.ts'

const textMax = 1_048_576
const depthMax = 64
const nodesMax = 200_000
/** What a file of 1 MB full of rules has. */
const lexemesMax = 400_000

/**
 * Reads the documents of one file (YAML 1.2, core schema). What is wrong goes to `faults`, and that document is
 * left out. Work is bounded: 1 MB a file, 64 levels, 200,000 values with aliases written out.
 */
export function readYaml(file: SourceFile, faults: FaultList): YamlNode[] {
  const start = { file, offset: 0 }
  if (file.text.length > textMax || Buffer.byteLength(file.text) > textMax) {
    faults.add(start, 'the file is larger than 1 MB; split it')
    return []
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const control = file.text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/)
  if (control !== -1) {
    faults.add({ file, offset: control }, 'a control character stands here; remove it')
    return []
  }
  const tokens = readTokens(file, faults)
  if (tokens === undefined) return []
  const nodes: YamlNode[] = []
  for (const document of withoutTraces(() => [...compose(tokens, file)])) {
    const node = readDocument(document, file, faults)
    if (node !== undefined) nodes.push(node)
  }
  return nodes
}

/** Hundreds of thousands of mistakes are hundreds of thousands of errors; nobody reads where those were made. */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The concrete syntax, given up as soon as it nests too deep, before anything recursive sees it. */
function readTokens(file: SourceFile, faults: FaultList): CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let lexemes = 0
  for (const lexeme of new Lexer().lex(file.text)) {
    lexemes += 1
    if (lexemes > lexemesMax) {
      faults.add({ file, offset: parser.offset }, 'the file holds too many values to be rules; split it')
      return undefined
    }
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > depthMax + 1) {
      faults.add({ file, offset: parser.offset }, `nested deeper than ${depthMax} levels`)
      return undefined
    }
  }
  for (const token of parser.end()) tokens.push(token)
  const directive = tokens.find((token) => token.type === 'directive')
  if (directive !== undefined) {
    faults.add({ file, offset: directive.offset }, 'a `%` directive is not supported; remove it')
    return undefined
  }
  return tokens
}

function compose(tokens: CST.Token[], file: SourceFile): Iterable<Document> {
  // Duplicate keys are found below (with both places), in time linear in the file.
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, merge: false })
  return composer.compose(tokens, false, file.text.length)
}

function readDocument(document: Document, file: SourceFile, faults: FaultList): YamlNode | undefined {
  for (const error of document.errors) {
    faults.add({ file, offset: error.pos[0] }, `not valid YAML: ${plainMessage(error.message)}`)
  }
  if (document.errors.length > 0) return undefined
  const { contents } = document
  if (contents === null) return undefined
  if (isScalar(contents) && contents.value === null && contents.source === '') return undefined
  const before = faults.faults.length
  const node = new NodeReader(file, faults).read(contents, 0)
  return faults.faults.length === before ? node : undefined
}

function plainMessage(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message
}

const reservedKeys = new Set(['__proto__', 'constructor', 'prototype'])

class NodeReader {
  readonly #file: SourceFile
  readonly #faults: FaultList
  readonly #anchors = new Map<string, Node>()
  #nodes = 0

  constructor(file: SourceFile, faults: FaultList) {
    this.#file = file
    this.#faults = faults
  }

  read(node: Node | null, depth: number): YamlNode | undefined {
    const place = { file: this.#file, offset: node?.range?.[0] ?? 0 }
    this.#nodes += 1
    if (this.#nodes > nodesMax) {
      if (this.#nodes === nodesMax + 1) {
        this.#faults.add(place, `more than ${nodesMax} values with aliases written out`)
      }
      return undefined
    }
    if (depth > depthMax) return this.#refuse(place, `nested deeper than ${depthMax} levels`)
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source)
      if (target === undefined) {
        return this.#refuse(place, `the alias \`*${node.source}\` stands for nothing above, or for itself`)
      }
      return this.read(target, depth)
    }
    if (node === null || node === undefined)
      return { kind: 'scalar', place, value: null, text: '', plain: true }
    const read = this.#readValue(node, place, depth)
    const anchor = (node as { anchor?: string }).anchor
    // Set after reading, so that a value that contains its own alias is refused.
    if (anchor !== undefined) this.#anchors.set(anchor, node)
    return read
  }

  #readValue(node: Node, place: Place, depth: number): YamlNode | undefined {
    const tag = (node as { tag?: string }).tag
    if (tag !== undefined)
      return this.#refuse(place, `the tag \`${tag}\` is not supported; write the value plainly`)
    if (isSeq(node)) {
      const items: YamlNode[] = []
      for (const item of node.items) {
        const read = this.read(item as Node | null, depth + 1)
        if (read !== undefined) items.push(read)
      }
      return { kind: 'list', place, items }
    }
    if (isMap(node)) return this.#readMap(node.items as readonly Pair[], place, depth)
    if (!isScalar(node)) return this.#refuse(place, 'expected a value')
    return this.#readScalar(node, place)
  }

  #readScalar(node: Scalar, place: Place): YamlNode | undefined {
    const { value } = node
    const plain = node.type === Scalar.PLAIN || node.type === undefined
    if (typeof value === 'string' && !value.isWellFormed()) {
      return this.#refuse(place, 'the text holds half a surrogate pair; write whole characters')
    }
    if (
      value !== null &&
      typeof value !== 'string' &&
      typeof value !== 'number' &&
      typeof value !== 'boolean'
    ) {
      return this.#refuse(place, 'expected a text, a number, true or false')
    }
    return { kind: 'scalar', place, value, text: plain ? (node.source ?? '') : String(value), plain }
  }

  #readMap(pairs: readonly Pair[], place: Place, depth: number): YamlNode {
    const entries: YamlEntry[] = []
    const seen = new Map<string, Place>()
    for (const pair of pairs) {
      const entry = this.#readEntry(pair, place, depth)
      if (entry === undefined) continue
      const first = seen.get(entry.key)
      if (first !== undefined) {
        this.#faults.add(
          entry.keyPlace,
          `\`${entry.key}\` stands here a second time; the first is ${lineText(first)}`,
        )
        continue
      }
      seen.set(entry.key, entry.keyPlace)
      entries.push(entry)
    }
    return { kind: 'map', place, entries }
  }

  #readEntry(pair: Pair, mapPlace: Place, depth: number): YamlEntry | undefined {
    const keyNode = pair.key
    const keyPlace = { file: this.#file, offset: keyNode?.range?.[0] ?? mapPlace.offset }
    const key = isScalar(keyNode) ? this.read(keyNode, depth + 1) : undefined
    if (key === undefined || key.kind !== 'scalar' || (key.value === null && key.text === '')) {
      return this.#refuse(keyPlace, 'expected a name before the `:`')
    }
    if (key.text === '<<')
      return this.#refuse(keyPlace, 'merge keys (`<<`) are not supported; write the fields out')
    if (reservedKeys.has(key.text)) return this.#refuse(keyPlace, `the name \`${key.text}\` is reserved`)
    const value = this.read(pair.value, depth + 1)
    // An empty value has no place of its own.
    if (value?.kind === 'scalar' && pair.value === null)
      return { key: key.text, keyPlace, value: { ...value, place: keyPlace } }
    return value === undefined ? undefined : { key: key.text, keyPlace, value }
  }

  #refuse(place: Place, why: string): undefined {
    // One fault says that there is too much; those that follow from it say nothing new.
    if (this.#nodes <= nodesMax) this.#faults.add(place, why)
    return undefined
  }
}

interface Pair {
  readonly key: Node | null
  readonly value: Node | null
}
