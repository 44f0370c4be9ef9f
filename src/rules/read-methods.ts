import { suggestion } from '../domain/nearest-name.ts'
import type { ConditionLeaf } from '../domain/rule.ts'
import type { PackContext } from './pack-context.ts'
import { describeNode } from './read-shape.ts'
import type { DeclaredFact } from './rule-set.ts'
import { quote } from './typed-value.ts'
import { field, type YamlMap, type YamlNode } from './yaml-node.ts'

/** The question how a fact was read; tells where nothing has read it, or a method is not declared. */
export function verifiedBy(
  fact: DeclaredFact,
  methods: readonly string[],
  node: YamlMap,
  context: PackContext,
): ConditionLeaf | undefined {
  const place = field(node, 'operator')?.place ?? node.place
  const before = context.faults.faults.length
  if (fact.origin === 'derived' || fact.origin === 'memory' || fact.origin === 'built_in')
    context.faults.add(
      place,
      `${quote(fact.name)} is worked out, so no method has read it; ask about a fact it is made of`,
    )
  for (const method of methods) {
    if (context.methods === undefined || context.methods.has(method)) continue
    const hint = suggestion(method, context.methods)
    context.faults.add(place, `there is no method ${quote(method)} under \`methods\` in sources.yaml${hint}`)
  }
  if (context.faults.faults.length > before) return undefined
  return { fact: fact.name, operator: 'verified_by', value: [...new Set(methods)].sort() }
}

/** A method's name, or a list of them. */
export function readMethods(node: YamlNode, context: PackContext): string[] | undefined {
  const items = node.kind === 'list' ? node.items : [node]
  const texts = items.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
  )
  if (texts.length === items.length && texts.length > 0) return texts
  context.faults.add(node.place, `expected a method or a list of methods; got ${describeNode(node)}`)
  return undefined
}
