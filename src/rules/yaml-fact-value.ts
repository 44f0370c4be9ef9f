import { decimalTypes, type FactType, type FactValue } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { JsonNumber, type RawValue } from '../domain/request.ts'
import type { FaultList } from './source-file.ts'
import { nouns, quote, typeValue, type ValueType } from './typed-value.ts'
import type { YamlNode, YamlScalar } from './yaml-node.ts'

/**
 * Types a value written in a rule file by its fact's declaration, from the exact text in the file: numbers never
 * pass through binary floating point, and a text that YAML would change must stand in quotes. A fault is told at
 * its place, and there is no value; null is none.
 */
export function typeYaml(
  declaration: ValueType,
  node: YamlNode,
  zone: string,
  faults: FaultList,
): FactValue | null | undefined {
  if (node.kind === 'scalar' && node.value === null && node.plain) return null
  const before = faults.faults.length
  const raw = rawOf(declaration, node, faults)
  if (faults.faults.length > before || raw === undefined) return undefined
  const typed = typeValue(declaration, raw, zone)
  if ('value' in typed) return typed.value
  faults.add(
    node.place,
    'why' in typed ? typed.why + nearValue(declaration, node) : unlisted(declaration, node),
  )
  return undefined
}

function unlisted(declaration: ValueType, node: YamlNode): string {
  return `${node.kind === 'scalar' ? quote(node.text) : 'this'} is none of the declared values${nearValue(declaration, node)}`
}

function nearValue(declaration: ValueType, node: YamlNode): string {
  if (declaration.values === undefined || node.kind !== 'scalar') return ''
  return suggestion(node.text, Object.keys(declaration.values))
}

function rawOf(declaration: ValueType, node: YamlNode, faults: FaultList): RawValue | undefined {
  const { type } = declaration
  if (node.kind === 'scalar') return rawScalar(type, node, faults)
  if (node.kind === 'list') {
    const element: ValueType = {
      ...declaration,
      type: type === 'list' ? (declaration.of ?? 'text') : 'object',
    }
    return node.items.map((item) => rawOf(element, item, faults) ?? null)
  }
  return Object.fromEntries(
    node.entries.map((entry) => {
      const field = Object.hasOwn(declaration.fields ?? {}, entry.key)
        ? declaration.fields?.[entry.key]
        : undefined
      return [entry.key, rawOf(field ?? { type: 'object' }, entry.value, faults) ?? null]
    }),
  )
}

function rawScalar(type: FactType, node: YamlScalar, faults: FaultList): RawValue | undefined {
  if (decimalTypes.has(type)) return rawDecimal(type, node, faults)
  if (!node.plain) return node.text
  const { value, text } = node
  if (type === 'boolean') return rawBoolean(node, faults)
  if (value === null) return null
  if (type === 'object') return typeof value === 'number' ? new JsonNumber(text) : value
  if (type === 'text' || type === 'enum') {
    if (typeof value === 'string' && !isReadDifferently(text)) return value
    faults.add(node.place, `${quote(text)} is not read as a text everywhere; quote it: '${text}'`)
    return undefined
  }
  if (typeof value === 'string') return value
  faults.add(node.place, `expected ${nouns[type]}; got ${quote(text)}`)
  return undefined
}

function rawBoolean({ value, text, place }: YamlScalar, faults: FaultList): boolean | null | undefined {
  if (typeof value === 'boolean' || value === null) return value
  const meant = /^(?:y|yes|on)$/i.test(text) ? 'true' : /^(?:n|no|off)$/i.test(text) ? 'false' : undefined
  const hint = meant === undefined ? '' : `; write \`${meant}\``
  faults.add(place, `expected ${nouns.boolean}; got ${quote(text)}${hint}`)
  return undefined
}

function rawDecimal(type: FactType, node: YamlScalar, faults: FaultList): RawValue | undefined {
  if (!node.plain) {
    faults.add(
      node.place,
      `expected ${nouns[type]}; got the text ${quote(node.text)}; write it without quotes`,
    )
    return undefined
  }
  if (typeof node.value === 'boolean' || node.value === null) return node.value
  return new JsonNumber(node.text)
}

// Plain scalars that some YAML reader takes for a number, a day or time, base 60, or true and false: `1_000`, `0x1F`,
// `2024-01-31`, `12:30`, `.5`, `no`.
function isReadDifferently(text: string): boolean {
  return (
    /^[-+]?(?:\d[\d_]*)?\.?[\d_]+(?:[eE][-+]?\d+)?$/.test(text) ||
    /^[-+]?0[xob][\da-fA-F_]+$/.test(text) ||
    /^[-+]?\d+(?::\d+)+(?:\.\d*)?$/.test(text) ||
    /^\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?$/.test(text) ||
    /^(?:y|n|yes|no|on|off)$/i.test(text)
  )
}
