import type { Place } from './source-file.ts'

/** A YAML value with its place. Keys are text; `text` of a plain scalar is exactly what stands in the file. */
export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly place: Place
  readonly value: string | number | boolean | null
  readonly text: string
  /** Not in quotes and no block text: YAML decided what it is. */
  readonly plain: boolean
}

export interface YamlList {
  readonly kind: 'list'
  readonly place: Place
  readonly items: readonly YamlNode[]
}

export interface YamlMap {
  readonly kind: 'map'
  readonly place: Place
  readonly entries: readonly YamlEntry[]
}

export interface YamlEntry {
  readonly key: string
  readonly keyPlace: Place
  readonly value: YamlNode
}

/** `path:line:column` of a place. */
export function lineText(place: Place): string {
  const before = place.file.text.slice(0, place.offset)
  const lastBreak = before.lastIndexOf('\n')
  return `${place.file.path}:${before.split('\n').length}:${place.offset - lastBreak}`
}

/** The value of a field of a map. */
export function field(node: YamlNode | undefined, name: string): YamlNode | undefined {
  if (node?.kind !== 'map') return undefined
  return node.entries.find((entry) => entry.key === name)?.value
}

/** The text of a text field; `undefined` when it is none. */
export function textField(node: YamlNode | undefined, name: string): string | undefined {
  const value = field(node, name)
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined
}
