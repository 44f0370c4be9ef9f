import { Decimal, readDecimal } from '../domain/decimal.ts'
import { decimalTypes, type FactState, type FactType, type FactValue } from '../domain/fact.ts'
import type { FactDeclaration, PackContent } from '../domain/policy.ts'
import { type ConditionLeaf, conditionsOf } from '../domain/rule.ts'
import { dateInZone, readInstant } from '../domain/time.ts'
import { declaredFacts } from './declared-facts.ts'
import { factOperandOf, visitLeaves } from './order-steps.ts'
import type { DeclaredFact } from './rule-set.ts'

export type TemplateFormat = 'percent' | 'money' | 'number' | 'date'

/** Formats of a placeholder and the fact types that each can write. */
export const templateFormats: Readonly<Record<TemplateFormat, ReadonlySet<FactType>>> = {
  percent: decimalTypes,
  money: decimalTypes,
  number: decimalTypes,
  date: new Set<FactType>(['date', 'instant']),
}

export type TemplatePart =
  | { readonly text: string }
  | { readonly fact: string; readonly format: string | undefined; readonly at: number }

/** Splits a reason's text at its placeholders `{fact}` and `{fact|format}`; a brace left over is a fault. */
export function parseTemplate(
  template: string,
): TemplatePart[] | { readonly at: number; readonly why: string } {
  const parts: TemplatePart[] = []
  let from = 0
  for (const match of template.matchAll(/\{([^{}|]*)(?:\|([^{}|]*))?\}/g)) {
    parts.push({ text: template.slice(from, match.index) })
    parts.push({ fact: (match[1] ?? '').trim(), format: match[2]?.trim(), at: match.index })
    from = match.index + match[0].length
  }
  parts.push({ text: template.slice(from) })
  let at = 0
  for (const part of parts) {
    const brace = 'text' in part ? part.text.search(/[{}]/) : -1
    if ('text' in part && brace !== -1)
      return { at: at + brace, why: 'a brace stands alone; write `{fact}` or `{fact|percent}`' }
    at = 'text' in part ? at + part.text.length : template.indexOf('}', part.at) + 1
  }
  return parts
}

/**
 * Writes a reason's text with the values behind it; `undefined` when one of them is not known, so that no sentence
 * ever shows a hole. A rounded number keeps as many digits as it takes not to show as a limit that it is not.
 */
export function fillTemplate(
  template: string,
  states: ReadonlyMap<string, FactState>,
  content: PackContent,
  language: 'en' | 'zh',
): string | undefined {
  const parts = parseTemplate(template)
  if (!Array.isArray(parts)) return undefined
  const knowledge = knowledgeOf(content)
  let sentence = ''
  for (const part of parts) {
    if ('text' in part) {
      sentence += part.text
      continue
    }
    const fact = knowledge.declared.get(part.fact)
    const state = states.get(part.fact)
    if (fact === undefined || state?.state !== 'known') return undefined
    const limits = limitsOf(knowledge.limits.get(part.fact) ?? [], states)
    const written = writeValue(state.value, part.format, fact.declaration, { content, limits, language })
    if (written === undefined) return undefined
    sentence += written
  }
  return sentence
}

interface WriteContext {
  readonly content: PackContent
  readonly limits: readonly Decimal[]
  readonly language: 'en' | 'zh'
}

function writeValue(
  value: FactValue,
  format: string | undefined,
  declaration: FactDeclaration,
  context: WriteContext,
): string | undefined {
  if (decimalTypes.has(declaration.type)) {
    const decimal = typeof value === 'string' ? readDecimal(value) : undefined
    return decimal === undefined ? undefined : writeNumber(decimal, format, declaration, context)
  }
  if (typeof value === 'boolean') return yesNo[context.language][value ? 1 : 0]
  if (Array.isArray(value)) {
    const separator = context.language === 'zh' ? '、' : ', '
    return value.every((element) => typeof element === 'string') ? value.join(separator) : undefined
  }
  if (typeof value !== 'string') return undefined
  const atMs = declaration.type === 'instant' ? readInstant(value) : undefined
  return atMs === undefined ? value : dateInZone(atMs, context.content.policy.zone)
}

const yesNo = { en: ['no', 'yes'], zh: ['否', '是'] } as const

function writeNumber(
  value: Decimal,
  format: string | undefined,
  declaration: FactDeclaration,
  context: WriteContext,
): string | undefined {
  const { limits } = context
  switch (format ?? (declaration.type === 'money' ? 'money' : 'plain')) {
    case 'plain':
      return value.toFixed()
    case 'percent': {
      const shown = shorten(
        value.times(100),
        limits.map((limit) => limit.times(100)),
      )
      return `${group(stripZeros(shown))} %`
    }
    case 'number':
      return group(stripZeros(shorten(value, limits)))
    case 'money': {
      const unit = declaration.unit ?? context.content.policy.currency
      const amount = group(shorten(value, limits))
      return context.language === 'zh' && unit === 'CNY' ? `${amount} 元` : `${unit} ${amount}`
    }
    default:
      return undefined
  }
}

/** Two decimals, or as many more as keep it apart from each limit that it does not equal. */
function shorten(value: Decimal, limits: readonly Decimal[]): string {
  for (let digits = 2; digits < 34; digits += 1) {
    const rounded = value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
    if (!limits.some((limit) => rounded.equals(limit) && !value.equals(limit))) return rounded.toFixed(digits)
  }
  return value.toFixed()
}

function stripZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function group(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

type Limit = { readonly literal: Decimal } | { readonly fact: string }

interface Knowledge {
  readonly declared: ReadonlyMap<string, DeclaredFact>
  /** What each fact is compared with anywhere in the pack. */
  readonly limits: ReadonlyMap<string, readonly Limit[]>
}

// Content never changes, so what is read from it is kept beside it.
const known = new WeakMap<PackContent, Knowledge>()

function knowledgeOf(content: PackContent): Knowledge {
  const kept = known.get(content)
  if (kept !== undefined) return kept
  const limits = new Map<string, Limit[]>()
  for (const rule of content.rules) {
    for (const condition of conditionsOf(rule)) {
      visitLeaves(condition, (leaf) => {
        limits.set(leaf.fact, [...(limits.get(leaf.fact) ?? []), ...limitsIn(leaf)])
      })
    }
  }
  const knowledge = { declared: declaredFacts(content.facts), limits }
  known.set(content, knowledge)
  return knowledge
}

function limitsIn(leaf: ConditionLeaf): Limit[] {
  const fact = factOperandOf(leaf)
  if (fact !== undefined) return [{ fact }]
  const values = 'value' in leaf ? (leaf.operator === 'between' ? [leaf.value].flat() : [leaf.value]) : []
  return values.flatMap((value) => {
    const literal = typeof value === 'string' ? readDecimal(value) : undefined
    return literal === undefined ? [] : [{ literal }]
  })
}

function limitsOf(limits: readonly Limit[], states: ReadonlyMap<string, FactState>): Decimal[] {
  return limits.flatMap((limit) => {
    if ('literal' in limit) return [limit.literal]
    const state = states.get(limit.fact)
    const value =
      state?.state === 'known' && typeof state.value === 'string' ? readDecimal(state.value) : undefined
    return value === undefined ? [] : [value]
  })
}
