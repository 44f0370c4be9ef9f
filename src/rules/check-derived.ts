import { decimalTypes, type FactType } from '../domain/fact.ts'
import type { DerivedDeclaration, EpisodeCount } from '../domain/policy.ts'
import { parseAttributeTest } from './count-episodes.ts'
import { type Expression, ExpressionFault, factsRead, parseExpression } from './expression.ts'
import { checkExpression } from './expression-type.ts'
import { type PackContext, protectedLaw } from './pack-context.ts'
import type { FaultList, Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, type YamlEntry, type YamlNode } from './yaml-node.ts'

/**
 * Checks the derived facts: expressions read, typed, and free of protected attributes. Gives the expressions that
 * can be read, by name.
 */
export function checkDerived(
  derived: Readonly<Record<string, DerivedDeclaration>>,
  nodes: ReadonlyMap<string, YamlEntry>,
  context: PackContext,
): Map<string, Expression> {
  const expressions = new Map<string, Expression>()
  for (const [name, declaration] of Object.entries(derived)) {
    const node = nodes.get(name)?.value
    if (node === undefined) continue
    if ('episodes' in declaration) {
      checkCount(declaration.type, declaration.episodes, field(node, 'episodes') ?? node, context)
      continue
    }
    if ('table' in declaration) continue
    const expression = readExpression(
      declaration.expression,
      field(node, 'expression') ?? node,
      context.faults,
    )
    if (expression === undefined) continue
    expressions.set(name, expression)
    const place = expressionPlaces(declaration.expression, field(node, 'expression') ?? node)
    checkExpression(expression, declaration, {
      declared: context.declared,
      broken: context.broken,
      currency: context.currency,
      report: (at, why) => context.faults.add(place(at), why),
    })
    refuseProtected(`the derived fact ${quote(name)}`, factsRead(expression), place(0), context)
  }
  return expressions
}

/** Reads an expression written in a pack; tells what is wrong at its place. */
export function readExpression(text: string, node: YamlNode, faults: FaultList): Expression | undefined {
  try {
    return parseExpression(text)
  } catch (cause) {
    if (!(cause instanceof ExpressionFault)) throw cause
    faults.add(expressionPlaces(text, node)(cause.at), cause.message)
    return undefined
  }
}

/** Where an offset in an expression stands in its file; the expression's start where it runs over lines. */
export function expressionPlaces(text: string, node: YamlNode): (at: number) => Place {
  const { file, offset } = node.place
  for (const skip of [0, 1]) {
    if (file.text.startsWith(text, offset + skip)) return (at) => ({ file, offset: offset + skip + at })
  }
  return () => node.place
}

/** Tells each protected attribute among names that something reads. */
export function refuseProtected(
  who: string,
  names: Iterable<string>,
  place: Place,
  context: PackContext,
): void {
  for (const name of names) {
    if (context.declared.get(name)?.declaration.prohibited !== true) continue
    context.faults.add(
      place,
      `${who} reads ${quote(name)}, a protected attribute (${protectedLaw}); take it out`,
    )
  }
}

function checkCount(type: FactType, count: EpisodeCount, node: YamlNode, context: PackContext): void {
  const { faults } = context
  const { take, attribute } = count
  const needsAttribute = take === 'max' || take === 'sum'
  if (needsAttribute && attribute === undefined) {
    faults.add(node.place, `\`take: ${take}\` needs the \`attribute\` to go over`)
  }
  if (!needsAttribute && attribute !== undefined) {
    faults.add(field(node, 'attribute')?.place ?? node.place, `\`take: ${take}\` takes no \`attribute\``)
  }
  const fits =
    take === 'latest'
      ? type === 'date' || type === 'instant'
      : take === 'count'
        ? type === 'integer' || type === 'number'
        : decimalTypes.has(type)
  if (!fits) {
    const right = take === 'latest' ? '`date` or `instant`' : take === 'count' ? '`integer`' : 'a number'
    faults.add(
      field(node, 'take')?.place ?? node.place,
      `\`take: ${take}\` yields ${right}; this fact is ${quote(type)}`,
    )
  }
  const where = field(node, 'where')
  for (const [name, test] of Object.entries(count.where ?? {})) {
    const place = field(where, name)?.place ?? node.place
    const parsed = parseAttributeTest(test)
    if ('why' in parsed) faults.add(place, parsed.why)
    refuseProtected('this count', [name], place, context)
  }
  if (attribute !== undefined) {
    refuseProtected('this count', [attribute], field(node, 'attribute')?.place ?? node.place, context)
  }
}
