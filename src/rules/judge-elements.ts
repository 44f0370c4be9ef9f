import type { FactValue } from '../domain/fact.ts'
import type { ConditionLeaf } from '../domain/rule.ts'
import { type Computed, type Operand, type Trust, toFactValue } from './computed.ts'
import type { ConditionTrace } from './evaluation.ts'
import { type JudgeContext, type Judgement, leafOf, noneThere, openLeaf } from './judgement.ts'
import { elementTests } from './operators.ts'
import { partOf } from './part-of.ts'

export type ElementLeaf = Extract<ConditionLeaf, { operator: 'some' | 'every' }>

/** Whether a leaf tests the elements of a list. */
export function isElementLeaf(leaf: ConditionLeaf): leaf is ElementLeaf {
  return leaf.operator === 'some' || leaf.operator === 'every'
}

type Join = (parts: readonly Judgement[]) => Judgement

/**
 * Judges a list one element at a time: within `judge`, the names `list[].field` are the element's own fields, with
 * the list's confidence; all other names stay what they are. The trace shows the first element that decides.
 */
export function judgeElements(
  leaf: ElementLeaf,
  context: JudgeContext,
  judge: (element: JudgeContext) => Judgement,
  joins: { readonly all: Join; readonly any: Join },
): Judgement {
  const { fact, operator } = leaf
  const list = context.read(fact)
  const trace = {
    kind: 'elements' as const,
    fact,
    operator,
    actual: list.state === 'known' ? toFactValue(list.value) : null,
    required: null,
    requiredFact: null,
    margin: null,
    element: null,
  }
  if (list.state === 'unknown' || list.state === 'error') return openLeaf(list, trace)
  if (list.state === 'none') return leafOf('none', list, [], { ...trace, why: noneThere })
  if (!Array.isArray(list.value)) throw new TypeError(`\`${fact}\` is no list`)
  const values = list.value as readonly Operand[]
  const test = elementTests[operator]
  if (values.length === 0) return leafOf(test.empty, list, [], { ...trace, why: 'the list is empty' })
  const parts = values.map((element) => judge(elementContext(fact, element as FactValue, list, context)))
  const joined = joins[test.joins](parts)
  const index = parts.findIndex((part) => part.result === joined.result)
  const decides: ConditionTrace | undefined = parts[index]?.trace
  return {
    ...joined,
    trace: {
      ...trace,
      result: joined.result,
      confidence: joined.trace.confidence,
      why: `element ${index + 1} of ${values.length} is ${joined.result}`,
      element: decides === undefined ? null : { index, trace: decides },
    },
  }
}

function elementContext(
  fact: string,
  element: FactValue,
  trust: Trust & { readonly method?: string | null },
  context: JudgeContext,
): JudgeContext {
  const prefix = `${fact}[].`
  const read = (name: string): Computed => {
    if (!name.startsWith(prefix)) return context.read(name)
    const declared = context.declared.get(name)
    if (declared === undefined) throw new TypeError(`there is no field \`${name}\``)
    return partOf(element, name.slice(prefix.length), declared, trust)
  }
  return { declared: context.declared, read }
}
