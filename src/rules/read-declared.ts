import { checkDerived, readExpression, refuseProtected } from './check-derived.ts'
import { declaredFacts } from './declared-facts.ts'
import { type Expression, factsRead } from './expression-tree.ts'
import { checkExpression } from './expression-type.ts'
import type { PackContext } from './pack-context.ts'
import type { FactsRead } from './read-facts.ts'
import type { PolicyFrame } from './read-policy.ts'
import type { FaultList } from './source-file.ts'
import { checkTableFact } from './tables/check-table-fact.ts'
import type { TableFrame } from './tables/read-table-frame.ts'
import { field } from './yaml-node.ts'

/**
 * Makes the declared facts ready for what reads them, and checks the derived ones and `changes_with`. `tables`: frames
 * by path, `undefined` where the table's own file is at fault.
 */
export function readDeclared(
  read: FactsRead,
  policy: PolicyFrame | undefined,
  tables: ReadonlyMap<string, TableFrame | undefined>,
  faults: FaultList,
): { context: PackContext; expressions: Map<string, Expression> } {
  const proxies = new Map<string, string>()
  const context: PackContext = {
    faults,
    zone: policy?.zone ?? 'UTC',
    currency: policy?.currency ?? 'USD',
    declared: declaredFacts(read.facts, wholeFrames(tables)),
    broken: read.broken,
    proxies,
  }
  const expressions = checkDerived(read.facts.derived ?? {}, read.nodes, context)
  const reads = new Map([...expressions].map(([name, expression]) => [name, factsRead(expression)]))
  for (const [name, declaration] of Object.entries(read.facts.derived ?? {})) {
    const entry = read.nodes.get(name)
    if (!('table' in declaration) || entry === undefined) continue
    checkTableFact(declaration, entry, tables, context)
    reads.set(
      name,
      (tables.get(declaration.table)?.inputs ?? []).map(({ fact }) => fact),
    )
  }
  for (const [name, proxy] of proxiesAmong(context, reads)) proxies.set(name, proxy)
  checkChangesWith(read, context)
  return { context, expressions }
}

function wholeFrames(tables: ReadonlyMap<string, TableFrame | undefined>): Record<string, TableFrame> {
  return Object.fromEntries(
    [...tables].flatMap(([path, frame]) => (frame === undefined ? [] : [[path, frame]])),
  )
}

/** Derived facts that read a proxy, directly or through others; `reads`: names that each reads. */
function proxiesAmong(
  context: PackContext,
  reads: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const fact of context.declared.values())
    if (fact.declaration.proxy === true) found.set(fact.name, fact.name)
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [name, names] of reads) {
      const proxy = names.map((each) => found.get(each)).find((each) => each !== undefined)
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
