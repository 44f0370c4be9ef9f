import { z } from 'zod'
import { Decimal, readDecimal, writeDecimal } from '../domain/decimal.ts'
import { decimalTypes, type FactValue } from '../domain/fact.ts'
import { FactName } from '../domain/names.ts'
import { DerivedDeclaration, FactDeclaration, type FactsFile, type Tolerance } from '../domain/policy.ts'
import { ComparisonOperator } from '../domain/rule.ts'
import { builtIn } from './declared-facts.ts'
import { reservedWords } from './expression.ts'
import { suggestion } from './nearest-name.ts'
import { describeNode, readShape } from './read-shape.ts'
import type { FaultList, Place } from './source-file.ts'
import { fold, quote } from './typed-value.ts'
import { typeYaml } from './yaml-fact-value.ts'
import { field, lineText, type YamlEntry, type YamlMap, type YamlNode } from './yaml-node.ts'

/** `facts.yaml` as read: what was well declared, names whose declaration is at fault, and where each stands. */
export interface FactsRead {
  readonly facts: FactsFile
  readonly broken: ReadonlySet<string>
  readonly nodes: ReadonlyMap<string, YamlEntry>
}

const sections = ['facts', 'derived', 'memory'] as const

/** Reads the declarations; `zone` is where a day given for a time begins. */
export function readFacts(node: YamlNode, zone: string, faults: FaultList): FactsRead {
  const facts: Record<string, FactDeclaration> = {}
  const derived: Record<string, DerivedDeclaration> = {}
  const memory: Record<string, FactDeclaration> = {}
  const nodes = new Map<string, YamlEntry>()
  const broken = new Set<string>()
  for (const section of sectionsOf(node, faults)) {
    for (const entry of entriesOf(section.value, faults)) {
      if (!isFreeName(entry, nodes, faults)) continue
      nodes.set(entry.key, entry)
      const before = faults.faults.length
      if (section.key === 'derived') {
        const declaration = readShape(DerivedDeclaration, entry.value, faults)
        if (declaration !== undefined) derived[entry.key] = declaration
      } else {
        const declaration = readDeclaration(entry.value, zone, faults)
        if (declaration !== undefined) (section.key === 'facts' ? facts : memory)[entry.key] = declaration
      }
      if (faults.faults.length > before) broken.add(entry.key)
    }
  }
  const file: FactsFile = {
    facts,
    ...(Object.keys(derived).length === 0 ? {} : { derived }),
    ...(Object.keys(memory).length === 0 ? {} : { memory }),
  }
  return { facts: file, broken, nodes }
}

function sectionsOf(node: YamlNode, faults: FaultList): readonly YamlEntry[] {
  if (node.kind !== 'map') {
    faults.add(node.place, `expected the fields ${sections.map(quote).join(', ')}; got ${describeNode(node)}`)
    return []
  }
  if (field(node, 'facts') === undefined) faults.add(node.place, 'the field `facts` is missing')
  return node.entries.filter((entry) => {
    if ((sections as readonly string[]).includes(entry.key)) return true
    faults.add(entry.keyPlace, `there is no field ${quote(entry.key)} here${suggestion(entry.key, sections)}`)
    return false
  })
}

function entriesOf(node: YamlNode, faults: FaultList): readonly YamlEntry[] {
  if (node.kind === 'map') return node.entries
  if (node.kind !== 'scalar' || node.value !== null) {
    faults.add(node.place, `expected names with their declarations; got ${describeNode(node)}`)
  }
  return []
}

function isFreeName(entry: YamlEntry, nodes: ReadonlyMap<string, YamlEntry>, faults: FaultList): boolean {
  const { key, keyPlace } = entry
  const name = FactName.safeParse(key)
  const first = nodes.get(key)
  if (!name.success)
    faults.add(keyPlace, `${quote(key)} is no valid name: ${name.error.issues[0]?.message ?? ''}`)
  else if (builtIn.has(key)) faults.add(keyPlace, `${quote(key)} is always there and cannot be declared`)
  else if (reservedWords.has(key))
    faults.add(keyPlace, `${quote(key)} is a word of the expressions and no name`)
  else if (first !== undefined) {
    faults.add(keyPlace, `${quote(key)} is declared a second time; the first is ${lineText(first.keyPlace)}`)
  } else return true
  return false
}

const ExceptShape = z.strictObject({
  rule: z.string(),
  operator: ComparisonOperator,
  value: z.unknown().optional(),
})

function readDeclaration(node: YamlNode, zone: string, faults: FaultList): FactDeclaration | undefined {
  const before = faults.faults.length
  const replace: Record<string, unknown> = {}
  for (const name of ['min', 'max']) {
    const value = field(node, name)
    if (value !== undefined) replace[name] = decimalText(value, faults)
  }
  const tolerance = field(node, 'tolerance')
  if (tolerance !== undefined) replace.tolerance = readTolerance(tolerance, faults)
  const values = field(node, 'values')
  if (values?.kind === 'map') replace.values = readValues(values, zone, faults)
  const except = field(node, 'except')
  // Its values are typed by the declaration itself, so they come after it.
  if (except !== undefined) replace.except = undefined
  const changeable = field(node, 'changeable')
  const step = field(changeable, 'step')
  if (changeable?.kind === 'map' && step !== undefined) {
    const rest = { ...changeable, entries: changeable.entries.filter((entry) => entry.key !== 'step') }
    replace.changeable = { ...plainFields(rest), step: decimalText(step, faults) }
  }
  if (faults.faults.length > before) return undefined
  const declaration = readShape(FactDeclaration, node, faults, replace)
  if (declaration === undefined) return undefined
  checkDeclaration(declaration, node, faults)
  if (except === undefined || faults.faults.length > before) return declaration
  return { ...declaration, except: readExcept(except, declaration, zone, faults) }
}

function plainFields(node: YamlMap): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const entry of node.entries) {
    result[entry.key] =
      entry.value.kind === 'map'
        ? Object.fromEntries(
            entry.value.entries.map((each) => [
              each.key,
              each.value.kind === 'scalar' ? each.value.text : null,
            ]),
          )
        : entry.value.kind === 'scalar'
          ? entry.value.value
          : null
  }
  return result
}

function decimalText(node: YamlNode, faults: FaultList): string | undefined {
  const value = node.kind === 'scalar' ? readDecimal(node.text) : undefined
  if (value !== undefined) return writeDecimal(value)
  faults.add(node.place, `expected a decimal number, such as \`0.45\`; got ${describeNode(node)}`)
  return undefined
}

function readTolerance(node: YamlNode, faults: FaultList): Tolerance | undefined {
  const percentNode = field(node, 'percent')
  const amountNode = field(node, 'amount')
  if (node.kind === 'map' && node.entries.length === 1) {
    const text = decimalText(percentNode ?? amountNode ?? node, faults)
    if (text === undefined) return undefined
    return percentNode === undefined ? { amount: text } : { percent: text }
  }
  const match = node.kind === 'scalar' ? /^(\S+?)\s*(%?)$/.exec(node.text.trim()) : null
  const value = match === null ? undefined : readDecimal(match[1] ?? '')
  if (value === undefined || value.isNegative()) {
    faults.add(
      node.place,
      `expected an amount such as \`50\` or a share such as \`10 %\`; got ${describeNode(node)}`,
    )
    return undefined
  }
  return match?.[2] === '%' ? { percent: writeDecimal(value) } : { amount: writeDecimal(value) }
}

function readValues(node: YamlMap, zone: string, faults: FaultList): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  const owners = new Map<string, string>()
  for (const entry of node.entries) {
    const name = entry.key.normalize('NFC')
    const synonyms = typeYaml({ type: 'list', of: 'text' }, entry.value, zone, faults)
    const list = Array.isArray(synonyms) ? synonyms.filter((each) => typeof each === 'string') : []
    values[name] = list
    for (const text of [name, ...list]) {
      const owner = owners.get(fold(text))
      if (owner !== undefined && owner !== name) {
        faults.add(entry.keyPlace, `${quote(text)} would mean both ${quote(owner)} and ${quote(name)}`)
      }
      owners.set(fold(text), name)
    }
  }
  return values
}

function readExcept(
  node: YamlNode,
  declaration: FactDeclaration,
  zone: string,
  faults: FaultList,
): NonNullable<FactDeclaration['except']> {
  if (node.kind !== 'list') {
    faults.add(node.place, `expected a list of exceptions; got ${describeNode(node)}`)
    return []
  }
  const result: { rule: string; operator: ComparisonOperator; value: FactValue }[] = []
  for (const item of node.items) {
    const shape = readShape(ExceptShape, item, faults)
    const valueNode = field(item, 'value')
    if (shape === undefined) continue
    if (valueNode === undefined) {
      faults.add(item.place, 'the field `value` is missing')
      continue
    }
    const isMembership = shape.operator === 'in' || shape.operator === 'notIn'
    const { min: _min, max: _max, ...type } = declaration
    const value = typeYaml(
      isMembership ? { ...type, type: 'list', of: declaration.type } : type,
      valueNode,
      zone,
      faults,
    )
    if (value === null) faults.add(valueNode.place, 'expected a value; got nothing')
    else if (value !== undefined) result.push({ rule: shape.rule, operator: shape.operator, value })
  }
  return result
}

function checkDeclaration(declaration: FactDeclaration, node: YamlNode, faults: FaultList): void {
  const { type, min, max } = declaration
  const place = (name: string): Place => field(node, name)?.place ?? node.place
  const onlyFor = (name: keyof FactDeclaration, fits: boolean, types: string) => {
    if (declaration[name] !== undefined && !fits)
      faults.add(place(name), `\`${name}\` goes with ${types}; this fact is ${quote(type)}`)
  }
  const element = type === 'list' ? (declaration.of ?? 'text') : type
  onlyFor('values', element === 'enum', '`enum`')
  onlyFor('unlisted', element === 'enum', '`enum`')
  onlyFor('of', type === 'list', '`list`')
  onlyFor('min', decimalTypes.has(element), 'numbers')
  onlyFor('max', decimalTypes.has(element), 'numbers')
  onlyFor('tolerance', decimalTypes.has(type), 'numbers')
  onlyFor('changeable', decimalTypes.has(type), 'numbers')
  onlyFor('except', declaration.prohibited === true, '`prohibited: true`')
  if (element === 'enum' && Object.keys(declaration.values ?? {}).length === 0) {
    faults.add(
      node.place,
      'an `enum` lists its `values`, such as `values: {personal_loan: [personal], mortgage: []}`',
    )
  }
  if (min !== undefined && max !== undefined && new Decimal(min).greaterThan(max)) {
    faults.add(place('max'), `\`max\` ${quote(max)} lies below \`min\` ${quote(min)}`)
  }
  if (declaration.changeable !== undefined && !new Decimal(declaration.changeable.step).greaterThan(0)) {
    faults.add(place('changeable'), `\`step\` is more than 0; got ${quote(declaration.changeable.step)}`)
  }
}
