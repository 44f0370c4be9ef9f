import { compareText } from '../domain/compare-text.ts'
import type { PackContent } from '../domain/policy.ts'
import { type Condition, type ConditionLeaf, conditionsOf, type Rule, ruleVersionId } from '../domain/rule.ts'
import { type Expression, factsRead } from './expression-tree.ts'
import { isElementLeaf } from './judge-elements.ts'
import { isFactOperand } from './operators.ts'

/** Something that is worked out, and what has to be there before. Facts and rules have names that never meet. */
export interface Node {
  readonly id: string
  readonly needs: readonly string[]
}

export type Ordered = { readonly order: readonly string[] } | { readonly cycle: readonly string[] }

/** Names that a condition reads, sorted. */
export function factsOfCondition(condition: Condition): string[] {
  const names = new Set<string>()
  visitLeaves(condition, (leaf) => {
    for (const name of factsOfLeaf(leaf)) names.add(name)
  })
  return [...names].sort(compareText)
}

/** Names that a leaf itself reads; what its elements are tested with is leaves of their own. */
export function factsOfLeaf(leaf: ConditionLeaf): string[] {
  const other = factOperandOf(leaf)
  return other === undefined ? [leaf.fact] : [leaf.fact, other]
}

/** The other fact that a leaf compares its own with. */
export function factOperandOf(leaf: ConditionLeaf): string | undefined {
  if (!('value' in leaf) || isElementLeaf(leaf) || leaf.operator === 'verified_by') return undefined
  return isFactOperand(leaf.value) ? leaf.value.fact : undefined
}

/**
 * Calls `see` on every leaf of a condition, and after `some` or `every` on those that its elements are tested with;
 * `negated` when an odd number of `not` stands above it.
 */
export function visitLeaves(
  condition: Condition,
  see: (leaf: ConditionLeaf, negated: boolean) => void,
  negated = false,
): void {
  if ('all' in condition) for (const part of condition.all) visitLeaves(part, see, negated)
  else if ('any' in condition) for (const part of condition.any) visitLeaves(part, see, negated)
  else if ('not' in condition) visitLeaves(condition.not, see, !negated)
  else {
    see(condition, negated)
    if (isElementLeaf(condition)) visitLeaves(condition.value, see, negated)
  }
}

/** Names that a rule reads to judge: its conditions and what dates its findings. */
export function factsOfRule(rule: Pick<Rule, 'when' | 'boosts' | 'then'>): string[] {
  const names = new Set(conditionsOf(rule).flatMap(factsOfCondition))
  for (const consequence of rule.then) {
    if ('episode' in consequence && consequence.dated_by !== undefined) names.add(consequence.dated_by)
  }
  return [...names].sort(compareText)
}

/** Memory keys that a rule sets. */
export function keysSet(rule: Pick<Rule, 'then'>): string[] {
  return rule.then.flatMap((consequence) => ('set_memory' in consequence ? [consequence.set_memory.key] : []))
}

/** Derived facts, memory keys and rule versions of a pack, with what each needs. */
export function nodesOf(
  content: Pick<PackContent, 'facts' | 'rules' | 'tables'>,
  expressions: ReadonlyMap<string, Expression>,
): Node[] {
  const writers = new Map<string, string[]>()
  for (const key of Object.keys(content.facts.memory ?? {})) writers.set(key, [])
  for (const rule of content.rules) {
    for (const key of keysSet(rule)) writers.get(key)?.push(ruleNode(rule))
  }
  const derived = Object.entries(content.facts.derived ?? {})
  const isWorkedOut = (name: string) => writers.has(name) || Object.hasOwn(content.facts.derived ?? {}, name)
  return [
    ...derived.map(([id, declaration]) => {
      const expression = expressions.get(id)
      const table = 'table' in declaration ? content.tables?.[declaration.table] : undefined
      const reads =
        expression === undefined ? table?.inputs.map((input) => input.fact) : factsRead(expression)
      return { id, needs: (reads ?? []).filter(isWorkedOut) }
    }),
    ...[...writers].map(([id, needs]) => ({ id, needs })),
    ...content.rules.map((rule) => ({ id: ruleNode(rule), needs: factsOfRule(rule).filter(isWorkedOut) })),
  ]
}

/** Name of a rule version among the nodes; no fact's name holds an `@`. */
export function ruleNode(rule: Pick<Rule, 'rule_id' | 'version'>): string {
  return ruleVersionId(rule)
}

/** An order in which everything comes after what it needs, the same for any order of `nodes`; or a cycle. */
export function orderNodes(nodes: readonly Node[]): Ordered {
  const byId = new Map(
    [...nodes].sort((one, two) => compareText(one.id, two.id)).map((node) => [node.id, node]),
  )
  const order: string[] = []
  const done = new Set<string>()
  const onPath = new Set<string>()
  for (const root of byId.keys()) {
    const path: { node: Node; next: number }[] = []
    enter(root)
    while (path.length > 0) {
      const top = path.at(-1)
      if (top === undefined) break
      const need = top.node.needs[top.next]
      top.next += 1
      if (need === undefined) {
        path.pop()
        onPath.delete(top.node.id)
        done.add(top.node.id)
        order.push(top.node.id)
      } else if (onPath.has(need)) {
        const ids = path.map((entry) => entry.node.id)
        return { cycle: [...ids.slice(ids.indexOf(need)), need] }
      } else {
        enter(need)
      }
    }
    function enter(id: string): void {
      const node = byId.get(id)
      if (node === undefined || done.has(id)) return
      onPath.add(id)
      path.push({ node, next: 0 })
    }
  }
  return { order }
}
