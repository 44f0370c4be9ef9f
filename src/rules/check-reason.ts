import { decimalTypes } from '../domain/fact.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { parseTemplate, templateFormats } from './fill-template.ts'
import { factNamed, type RuleContext } from './pack-context.ts'
import type { RuleDraft } from './read-rule.ts'
import type { Place } from './source-file.ts'
import { areComparable } from './static-type.ts'
import { nouns, quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells what is wrong with a rule's reason: its code, the placeholders of its texts, its terms. */
export function checkReason(rule: RuleDraft, node: YamlNode, context: RuleContext): void {
  const { reason } = rule
  if (reason === undefined) return
  const reasonNode = field(node, 'reason') ?? node
  const { reasonCodes, faults } = context
  if (reasonCodes !== null && !reasonCodes.has(reason.code)) {
    const place = field(reasonNode, 'code')?.place ?? reasonNode.place
    faults.add(
      place,
      `there is no reason code ${quote(reason.code)} in reasons.yaml${suggestion(reason.code, reasonCodes)}`,
    )
  }
  const texts = field(reasonNode, 'text')
  for (const language of ['en', 'zh'] as const) {
    const textNode = field(texts, language) ?? reasonNode
    checkTemplate(reason.text[language], textNode.place, context)
  }
  const terms = field(reasonNode, 'terms')
  if (reason.terms !== undefined && reason.tell !== 'offer') {
    faults.add((terms ?? reasonNode).place, '`terms` go with `tell: offer`')
  }
  for (const [name, source] of Object.entries(reason.terms ?? {})) {
    checkTerm(name, source, field(terms, name)?.place ?? reasonNode.place, context)
  }
}

function checkTemplate(template: string, place: Place, context: RuleContext): void {
  const { faults } = context
  const parts = parseTemplate(template)
  if (!Array.isArray(parts)) {
    faults.add(place, parts.why)
    return
  }
  for (const part of parts) {
    if ('text' in part) continue
    const fact = factNamed(part.fact, place, context)
    if (fact === undefined) continue
    const { type } = fact.declaration
    if (type === 'object')
      faults.add(place, `\`{${part.fact}}\` is ${nouns[type]}, which no sentence can hold`)
    if (part.format === undefined) continue
    if (!Object.hasOwn(templateFormats, part.format)) {
      const known = Object.keys(templateFormats)
      faults.add(place, `there is no format ${quote(part.format)}${suggestion(part.format, known)}`)
    } else if (!templateFormats[part.format as keyof typeof templateFormats].has(type)) {
      faults.add(place, `\`{${part.fact}|${part.format}}\` cannot be written: the fact is ${nouns[type]}`)
    }
  }
}

function checkTerm(name: string, source: string, place: Place, context: RuleContext): void {
  const fact = factNamed(name, place, context)
  const value = factNamed(source, place, context)
  if (fact === undefined || value === undefined) return
  if (fact.origin !== 'fact')
    context.faults.add(place, `${quote(name)} is worked out; an offer changes facts of the application`)
  const fits = areComparable(fact.declaration, value.declaration, context.currency)
  const bothDecimal = decimalTypes.has(fact.declaration.type) === decimalTypes.has(value.declaration.type)
  if (fits && bothDecimal) return
  context.faults.add(
    place,
    `${quote(source)} is ${nouns[value.declaration.type]}, but ${quote(name)} is ${nouns[fact.declaration.type]}`,
  )
}
