import type { FactType } from '../domain/fact.ts'
import type { Condition, ConditionLeaf, Operand as RuleOperand } from '../domain/rule.ts'
import type { Operand } from './computed.ts'
import type { Layout } from './frame.ts'
import { comparisons, isFactOperand, literal } from './operators.ts'
import type { DeclaredFact } from './rule-set.ts'

/** What leaves are compiled against. */
export interface LeafContext {
  readonly declared: ReadonlyMap<string, DeclaredFact>
  readonly layout: Layout
}

export type ComparisonLeaf = Extract<ConditionLeaf, { operator: keyof typeof comparisons }>

/** Place of a name; fields of a list's elements have none, since each element has its own. */
export function slotOf(name: string, { declared, layout }: LeafContext): number | undefined {
  const origin = declared.get(name)?.origin
  return origin === undefined || origin === 'element' ? undefined : layout.slots.get(name)
}

export function isComparison(leaf: ConditionLeaf): leaf is ComparisonLeaf {
  return Object.hasOwn(comparisons, leaf.operator)
}

/** The literal a comparison holds a fact against, made ready; `undefined` for another fact, or where it does not fit. */
export function readyLiteral(leaf: ComparisonLeaf, context: LeafContext): Operand | undefined {
  const declaration = context.declared.get(leaf.fact)?.declaration
  if (declaration === undefined || isFactOperand(leaf.value)) return undefined
  if (!comparisons[leaf.operator].fits.has(declaration.type)) return undefined
  if (declaration.type === 'list' && !isSingle(declaration.of ?? 'text')) return undefined
  try {
    const ready = literal(leaf.operator, declaration.type, declaration.of, leaf.value)
    const isRange = comparisons[leaf.operator].operand === 'range'
    return isRange && (ready as readonly Operand[]).length !== 2 ? undefined : ready
  } catch {
    return undefined
  }
}

/** Whether the values of two facts always compare. */
export function areComparable(
  leaf: ComparisonLeaf,
  operand: Extract<RuleOperand, { fact: string }>,
  { declared }: LeafContext,
): boolean {
  const { operand: kind, fits } = comparisons[leaf.operator]
  const type = declared.get(leaf.fact)?.declaration.type
  const otherType = declared.get(operand.fact)?.declaration.type
  if (type === undefined || otherType === undefined) return false
  return kind === 'one' && fits.has(type) && familyOf(type) === familyOf(otherType)
}

/** Whether a condition can't break on values of the declared types; `list`: whose elements it is asked of. */
export function isSound(condition: Condition, context: LeafContext, list: string | undefined): boolean {
  if ('all' in condition) return condition.all.every((part) => isSound(part, context, list))
  if ('any' in condition) return condition.any.every((part) => isSound(part, context, list))
  if ('not' in condition) return isSound(condition.not, context, list)
  const { fact } = condition
  const type = context.declared.get(fact)?.declaration.type
  if (type === undefined || !isReadable(fact, context, list)) return false
  if (isComparison(condition)) {
    return isFactOperand(condition.value)
      ? isReadable(condition.value.fact, context, list) && areComparable(condition, condition.value, context)
      : readyLiteral(condition, context) !== undefined
  }
  if (condition.operator !== 'some' && condition.operator !== 'every') return true
  return type === 'list' && isSound(condition.value, context, fact)
}

function isReadable(name: string, context: LeafContext, list: string | undefined): boolean {
  if (list !== undefined && name.startsWith(`${list}[].`)) return context.declared.has(name)
  return slotOf(name, context) !== undefined
}

/** Types whose values compare with each other. */
function familyOf(type: FactType): string {
  return type === 'integer' || type === 'number' || type === 'ratio' || type === 'money' ? 'decimal' : type
}

function isSingle(type: FactType): boolean {
  return type !== 'list' && type !== 'object'
}
