import { checkDerived, readExpression, refuseProtected } from './check-derived.ts'
import { declaredFacts } from './declared-facts.ts'
import { type Expression, factsRead } from './expression-tree.ts'
import { checkExpression } from './expression-type.ts'
import type { PackContext } from './pack-context.ts'
import type { FactsRead } from './read-facts.ts'
import type { PolicyFrame } from './read-policy.ts'
import type { FaultList } from './source-file.ts'
import { field } from './yaml-node.ts'

/** Makes the declared facts ready for what reads them, and checks the derived ones and `changes_with`. */
export function readDeclared(
  read: FactsRead,
  policy: PolicyFrame | undefined,
  faults: FaultList,
): { context: PackContext; expressions: Map<string, Expression> } {
  const proxies = new Map<string, string>()
  const context: PackContext = {
    faults,
    zone: policy?.zone ?? 'UTC',
    currency: policy?.currency ?? 'USD',
    declared: declaredFacts(read.facts),
    broken: read.broken,
    proxies,
  }
  const expressions = checkDerived(read.facts.derived ?? {}, read.nodes, context)
  for (const [name, proxy] of proxiesAmong(context, expressions)) proxies.set(name, proxy)
  checkChangesWith(read, context)
  return { context, expressions }
}

/** Derived facts that read a proxy, directly or through others. */
function proxiesAmong(
  context: PackContext,
  expressions: ReadonlyMap<string, Expression>,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const fact of context.declared.values())
    if (fact.declaration.proxy === true) found.set(fact.name, fact.name)
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [name, expression] of expressions) {
      const proxy = factsRead(expression)
        .map((each) => found.get(each))
        .find((each) => each !== undefined)
      if (proxy !== undefined && !found.has(name)) found.set(name, proxy)
    }
  }
  return found
}

function checkChangesWith(read: FactsRead, context: PackContext): void {
  for (const [name, declaration] of Object.entries(read.facts.facts)) {
    const changes = declaration.changeable?.changes_with ?? {}
    const node = field(field(read.nodes.get(name)?.value, 'changeable'), 'changes_with')
    for (const [other, text] of Object.entries(changes)) {
      const textNode = field(node, other)
      const target = context.declared.get(other)
      if (textNode === undefined) continue
      if (target === undefined) {
        context.faults.add(textNode.place, `there is no fact \`${other}\` that could change with \`${name}\``)
        continue
      }
      const expression = readExpression(text, textNode, context.faults)
      if (expression === undefined) continue
      const report = (_at: number, why: string) => context.faults.add(textNode.place, why)
      checkExpression(expression, target.declaration, { ...context, report })
      refuseProtected('this expression', factsRead(expression), textNode.place, context)
    }
  }
}
