import type { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'
import type { FaultList, Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * Checks a node against a schema. Each issue becomes a fault at its own place, with the nearest name for an unknown
 * field or value; then there is no value. `replace` puts values that were read otherwise in the place of fields.
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  node: YamlNode,
  faults: FaultList,
  replace: Readonly<Record<string, unknown>> = {},
): z.infer<Schema> | undefined {
  const plain = plainValue(node)
  if (node.kind === 'map') {
    for (const [name, value] of Object.entries(replace)) {
      if (value === undefined) delete (plain as Record<string, unknown>)[name]
      else (plain as Record<string, unknown>)[name] = value
    }
  }
  const result = schema.safeParse(plain)
  if (result.success) return result.data
  for (const issue of result.error.issues) tell(issue, [], schema, node, faults)
  return undefined
}

/** The node as plain data, numbers as JavaScript reads them: for shape only, never for a fact's value. */
export function plainValue(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'list':
      return node.items.map(plainValue)
    case 'map':
      return Object.fromEntries(node.entries.map((entry) => [entry.key, plainValue(entry.value)]))
  }
}

function tell(issue: Issue, before: Path, schema: z.ZodType, root: YamlNode, faults: FaultList): void {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union') {
    const branch = fewest(issue.errors)
    if (branch !== undefined) {
      for (const inner of branch) tell(inner, path, schema, root, faults)
      return
    }
  }
  const { node, entry, missing, parent } = find(root, path)
  if (issue.code === 'unrecognized_keys') {
    tellUnknownFields(issue.keys, node, root, fieldsOf(schemasAt(schema, path)), faults)
    return
  }
  if (missing !== undefined) {
    faults.add(placeOf(parent, root), `the field ${quote(missing)} is missing`)
    return
  }
  if (issue.code === 'invalid_key') {
    const why = issue.issues[0]?.message ?? 'not a valid name'
    faults.add(
      entry?.keyPlace ?? placeOf(node, root),
      `${quote(String(path.at(-1)))} is no valid name: ${why}`,
    )
    return
  }
  faults.add(placeOf(node, root), sentence(issue, node))
}

function tellUnknownFields(
  keys: readonly string[],
  node: YamlNode | undefined,
  root: YamlNode,
  fields: readonly string[],
  faults: FaultList,
): void {
  const places = new Map(node?.kind === 'map' ? node.entries.map((entry) => [entry.key, entry.keyPlace]) : [])
  const known = fields.filter((name) => !places.has(name))
  for (const key of keys) {
    if (faults.isFull) return
    faults.add(
      places.get(key) ?? placeOf(node, root),
      `there is no field ${quote(key)} here${suggestion(key, known)}`,
    )
  }
}

function sentence(issue: Issue, node: YamlNode | undefined): string {
  const found = node === undefined ? 'nothing' : describeNode(node)
  switch (issue.code) {
    case 'invalid_type': {
      const hint =
        issue.expected === 'string' && node?.kind === 'scalar' && node.value !== null
          ? '; write it in quotes'
          : ''
      return `expected ${kinds[issue.expected] ?? issue.expected}; got ${found}${hint}`
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      const text = node?.kind === 'scalar' ? node.text : ''
      const near = suggestion(text, values)
      return `expected ${values.length === 1 ? quote(values[0] ?? '') : 'one of the known values'}; got ${found}${near}`
    }
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unitOf(issue.origin)}; got ${found}`
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unitOf(issue.origin)}; got ${found}`
    default:
      return `${issue.message}; got ${found}`
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' || origin === 'record' ? ' entries' : ''
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'fields',
  record: 'names with values',
}

/** What stands at a node, for a message. */
export function describeNode(node: YamlNode): string {
  if (node.kind === 'list') return 'a list'
  if (node.kind === 'map') return 'fields'
  if (node.value === null && node.text === '') return 'nothing'
  return quote(node.text)
}

function fewest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.reduce<readonly Issue[] | undefined>(
    (best, branch) => (best === undefined || weight(branch) < weight(best) ? branch : best),
    undefined,
  )
}

// A branch that expected another kind of thing altogether says less than one that found one field wrong.
function weight(branch: readonly Issue[]): number {
  return branch.reduce(
    (sum, issue) => sum + (issue.path.length === 0 && issue.code === 'invalid_type' ? 100 : 1),
    0,
  )
}

interface Found {
  readonly node: YamlNode | undefined
  readonly entry: YamlEntry | undefined
  readonly parent: YamlNode | undefined
  /** Name of the last field of the path when it is not there. */
  readonly missing: string | undefined
}

function find(root: YamlNode, path: Path): Found {
  let node: YamlNode | undefined = root
  let entry: YamlEntry | undefined
  let parent: YamlNode | undefined
  for (const [index, step] of path.entries()) {
    parent = node
    entry = undefined
    if (node?.kind === 'map') {
      entry = node.entries.find((each) => each.key === step)
      node = entry?.value
    } else {
      node = node?.kind === 'list' ? node.items[Number(step)] : undefined
    }
    if (node === undefined) {
      return { node: parent, entry, parent, missing: index === path.length - 1 ? String(step) : undefined }
    }
  }
  return { node, entry, parent, missing: undefined }
}

function placeOf(node: YamlNode | undefined, root: YamlNode): Place {
  return (node ?? root).place
}

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
  readonly getter?: () => z.ZodType
}

/** The schemas that a path leads to, through optional fields, lists, records and the branches of unions. */
function schemasAt(schema: z.ZodType, path: Path): z.ZodType[] {
  let current = flatten(schema)
  for (const step of path) {
    current = current.flatMap((each) => {
      const definition = each.def as Definition
      const next = definition.shape?.[String(step)] ?? definition.element ?? definition.valueType
      return next === undefined ? [] : flatten(next)
    })
  }
  return current
}

function flatten(schema: z.ZodType): z.ZodType[] {
  const definition = schema.def as Definition
  if (definition.innerType !== undefined) return flatten(definition.innerType)
  if (definition.getter !== undefined) return flatten(definition.getter())
  return definition.options === undefined ? [schema] : definition.options.flatMap(flatten)
}

function fieldsOf(schemas: readonly z.ZodType[]): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys((schema.def as Definition).shape ?? {})))].sort()
}
