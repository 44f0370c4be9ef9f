import { JsonNumber, type RawValue } from '../domain/decision.ts'
import { decimalTypes, type FactType, type FactValue } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
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
    node.entries.map((entry) => [entry.key, rawOf({ type: 'object' }, entry.value, faults) ?? null]),
  )
}

function rawScalar(type: FactType, node: YamlScalar, faults: FaultList): RawValue | undefined {
  if (decimalTypes.has(type)) return rawDecimal(type, node, faults)
  if (!node.plain) return node.text
  if (type === 'boolean' || node.value === null) return node.value as boolean | null
  if (type === 'object') return typeof node.value === 'number' ? new JsonNumber(node.text) : node.value
  if (typeof node.value === 'string' && !isReadDifferently(node.text)) return node.value
  if (typeof node.value !== 'string' && type !== 'text' && type !== 'enum') {
    faults.add(node.place, `expected ${nouns[type]}; got ${quote(node.text)}`)
  } else {
    faults.add(node.place, `${quote(node.text)} is not read as a text everywhere; quote it: '${node.text}'`)
  }
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

// Plain scalars that some YAML reader takes for a number, a time or base 60: `1_000`, `0x1F`, `12:30`, `.5`.
function isReadDifferently(text: string): boolean {
  return (
    /^[-+]?(?:\d[\d_]*)?\.?[\d_]+(?:[eE][-+]?\d+)?$/.test(text) ||
    /^[-+]?0[xob][\da-fA-F_]+$/.test(text) ||
    /^[-+]?\d+(?::\d+)+(?:\.\d*)?$/.test(text)
  )
}
