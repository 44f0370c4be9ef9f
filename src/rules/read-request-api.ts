import { z } from 'zod'
import { readDecimal, writeDecimal } from '../domain/decimal.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { ApiRequest, type Consequence } from '../domain/rule.ts'
import { factNamed, type PackContext } from './pack-context.ts'
import { describeNode, readShape } from './read-shape.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

const RequestShape = z.strictObject({ request_api: ApiRequest.extend({ params: z.unknown().optional() }) })

type Params = NonNullable<ApiRequest['params']>

/** Reads `{request_api: {api, params}}`: a declared source, and parameters that are plain values or facts. */
export function readRequest(node: YamlNode, context: PackContext): Consequence | undefined {
  const shape = readShape(RequestShape, node, context.faults)
  if (shape === undefined) return undefined
  const request = field(node, 'request_api')
  const { api } = shape.request_api
  if (context.sources !== undefined && !context.sources.has(api)) {
    const hint = suggestion(api, context.sources)
    context.faults.add(
      field(request, 'api')?.place ?? node.place,
      `there is no source ${quote(api)} in sources.yaml; declare whom the interface belongs to${hint}`,
    )
  }
  const paramsNode = field(request, 'params')
  if (paramsNode === undefined) return { request_api: { api } }
  const params = readParams(paramsNode, context)
  return params === undefined ? undefined : { request_api: { api, params } }
}

function readParams(node: YamlNode, context: PackContext): Params | undefined {
  if (node.kind !== 'map') {
    context.faults.add(
      node.place,
      `expected parameters by name, such as \`{number: {fact: student_id}}\`; got ${describeNode(node)}`,
    )
    return undefined
  }
  const before = context.faults.faults.length
  const params = node.entries.flatMap((entry): [string, Params[string]][] => {
    const value = readParam(entry.value, context)
    return value === undefined ? [] : [[entry.key, value]]
  })
  const checked = readShape(z.record(ApiRequest.shape.api, z.unknown()), node, context.faults)
  return context.faults.faults.length > before || checked === undefined
    ? undefined
    : Object.fromEntries(params)
}

/** A number is kept as decimal text, so that nothing of it is lost. */
function readParam(node: YamlNode, context: PackContext): Params[string] | undefined {
  if (node.kind === 'scalar') {
    if (!node.plain || typeof node.value === 'string') return node.text
    if (typeof node.value === 'boolean') return node.value
    const number = typeof node.value === 'number' ? readDecimal(node.text) : undefined
    if (number !== undefined) return writeDecimal(number)
    const right = node.value === null ? 'a value' : `a text in quotes or a plain number`
    context.faults.add(node.place, `expected ${right}; got ${describeNode(node)}`)
    return undefined
  }
  const name = node.kind === 'map' && node.entries.length === 1 ? field(node, 'fact') : undefined
  if (name?.kind === 'scalar' && typeof name.value === 'string') {
    const fact = factNamed(name.value, name.place, context)
    return fact === undefined ? undefined : { fact: fact.name }
  }
  context.faults.add(node.place, `expected a plain value or \`{fact: name}\`; got ${describeNode(node)}`)
  return undefined
}
