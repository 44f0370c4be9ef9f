import { readDecimal } from '../domain/decimal.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import type { Expression, FunctionName } from './expression-tree.ts'
import type { DeclaredFact } from './rule-set.ts'
import {
  any,
  boolean,
  dimensionOf,
  isOrdered,
  nameOf,
  plain,
  type StaticType,
  typeOfDeclaration,
  unify,
} from './static-type.ts'
import { quote } from './typed-value.ts'

export interface TypeContext {
  readonly declared: ReadonlyMap<string, DeclaredFact>
  /** Names whose own declaration is at fault: nothing more is said of them. */
  readonly broken: ReadonlySet<string>
  readonly currency: string
  readonly report: (at: number, why: string) => void
}

/** Reports every type and unit error of an expression, and whether it yields what its fact declares. */
export function checkExpression(
  expression: Expression,
  declaration: Pick<FactDeclaration, 'type' | 'unit'>,
  context: TypeContext,
): void {
  const found = typeOf(expression, context)
  const wanted = typeOfDeclaration(declaration, context.currency)
  if (found.kind === 'any') return
  if (declaration.type === 'object') context.report(0, 'no expression yields an object')
  else if (unify(found, wanted) === undefined) {
    context.report(0, `the fact is declared ${declaration.type}, but this yields ${nameOf(found)}`)
  }
}

function typeOf(expression: Expression, context: TypeContext): StaticType {
  switch (expression.kind) {
    case 'number':
      if (readDecimal(expression.text) === undefined) {
        context.report(
          expression.at,
          `${quote(expression.text)} has more than 34 digits or lies outside 1e-34 to 1e34`,
        )
      }
      return { kind: 'decimal', dimension: 'free' }
    case 'text':
      return { kind: 'text', literal: expression.value }
    case 'boolean':
      return boolean
    case 'date':
      return { kind: 'date' }
    case 'fact':
      return typeOfFact(expression.name, expression.at, context)
    case 'minus':
      return need(expression.operand, 'decimal', context)
    case 'not':
      need(expression.operand, 'boolean', context)
      return boolean
    case 'binary':
      return typeOfBinary(expression, context)
    case 'call':
      return typeOfCall(expression.name, expression.args, expression.at, context)
  }
}

function typeOfFact(factName: string, at: number, context: TypeContext): StaticType {
  const fact = context.declared.get(factName)
  if (fact !== undefined) return typeOfDeclaration(fact.declaration, context.currency)
  if (context.broken.has(factName)) return any
  context.report(at, `there is no fact ${quote(factName)}${suggestion(factName, context.declared.keys())}`)
  return any
}

/** The type of a part that must be of one kind. */
function need(part: Expression, kind: 'decimal' | 'boolean', context: TypeContext): StaticType {
  const found = typeOf(part, context)
  if (found.kind === kind || found.kind === 'any') return found
  context.report(
    part.at,
    `expected ${kind === 'decimal' ? 'a number' : 'true or false'} here; this is ${nameOf(found)}`,
  )
  return any
}

function typeOfBinary(part: Expression & { kind: 'binary' }, context: TypeContext): StaticType {
  const { operator, left, right, at } = part
  if (operator === 'and' || operator === 'or') {
    need(left, 'boolean', context)
    need(right, 'boolean', context)
    return boolean
  }
  if (['<', '<=', '>', '>=', '==', '!='].includes(operator)) {
    checkComparison(part, typeOf(left, context), typeOf(right, context), context)
    return boolean
  }
  const one = need(left, 'decimal', context)
  const two = need(right, 'decimal', context)
  if (one.kind !== 'decimal' || two.kind !== 'decimal') return any
  const dimension = dimensionOf(operator, one.dimension, two.dimension)
  if (dimension !== undefined) return { kind: 'decimal', dimension }
  context.report(at, `\`${operator}\` does not go between ${nameOf(one)} and ${nameOf(two)}`)
  return any
}

function checkComparison(
  part: Expression & { kind: 'binary' },
  left: StaticType,
  right: StaticType,
  context: TypeContext,
): void {
  if (left.kind === 'any' || right.kind === 'any') return
  checkEnumLiteral(left, right, part.right.at, context)
  checkEnumLiteral(right, left, part.left.at, context)
  const both = unify(left, right)
  if (both === undefined) {
    context.report(part.at, `\`${part.operator}\` cannot compare ${nameOf(left)} with ${nameOf(right)}`)
  } else if (both.kind === 'list' || both.kind === 'object') {
    context.report(part.at, `\`${part.operator}\` does not compare ${nameOf(both)}`)
  } else if (
    part.operator !== '==' &&
    part.operator !== '!=' &&
    (both.kind === 'text' || both.kind === 'boolean')
  ) {
    context.report(
      part.at,
      `\`${part.operator}\` needs an order, and ${nameOf(both)} has none; use \`==\` or \`!=\``,
    )
  }
}

function checkEnumLiteral(
  enumeration: StaticType,
  literal: StaticType,
  at: number,
  context: TypeContext,
): void {
  if (enumeration.kind !== 'text' || enumeration.values === undefined) return
  if (literal.kind !== 'text' || literal.literal === undefined) return
  if (enumeration.values.includes(literal.literal)) return
  const wanted = suggestion(literal.literal, enumeration.values)
  context.report(at, `${quote(literal.literal)} is none of the declared values${wanted}`)
}

function typeOfCall(
  called: FunctionName,
  args: readonly Expression[],
  at: number,
  context: TypeContext,
): StaticType {
  const [first, second, third] = args
  if (first === undefined) return any
  switch (called) {
    case 'if':
      need(first, 'boolean', context)
      return second === undefined || third === undefined ? any : same([second, third], at, 'if', context)
    case 'ifNone':
      return same(args, at, 'ifNone', context)
    case 'min':
    case 'max':
      return args.length === 1
        ? typeOfListCall(called, first, context)
        : sameOrdered(args, at, called, context)
    case 'sum':
    case 'count':
      return typeOfListCall(called, first, context)
    case 'round':
      if (second !== undefined) checkDigits(second, context)
      return need(first, 'decimal', context)
    case 'abs':
    case 'floor':
    case 'ceil':
      return need(first, 'decimal', context)
    case 'days':
    case 'months':
    case 'years':
      for (const argument of args) {
        const found = typeOf(argument, context)
        if (found.kind === 'date' || found.kind === 'instant' || found.kind === 'any') continue
        context.report(argument.at, `\`${called}\` counts between two days; this is ${nameOf(found)}`)
      }
      return plain
  }
}

function typeOfListCall(called: string, argument: Expression, context: TypeContext): StaticType {
  const found = typeOf(argument, context)
  if (found.kind === 'any') return called === 'count' ? plain : any
  if (found.kind !== 'list') {
    context.report(argument.at, `\`${called}\` of one argument needs a list; this is ${nameOf(found)}`)
    return any
  }
  if (called === 'count') return plain
  if (found.of.kind === 'decimal' || (called !== 'sum' && isOrdered(found.of))) return found.of
  context.report(argument.at, `\`${called}\` does not go over ${nameOf(found)}`)
  return any
}

function checkDigits(digits: Expression, context: TypeContext): void {
  if (digits.kind === 'number' && /^(?:\d|1\d|20)$/.test(digits.text)) return
  context.report(digits.at, 'the number of decimal places is written out, from 0 to 20')
}

function same(args: readonly Expression[], at: number, called: string, context: TypeContext): StaticType {
  let both: StaticType = any
  for (const argument of args) {
    const found = typeOf(argument, context)
    const next = unify(both, found)
    if (next === undefined) {
      context.report(at, `\`${called}\` cannot choose between ${nameOf(both)} and ${nameOf(found)}`)
      return any
    }
    both = next
  }
  return both
}

function sameOrdered(
  args: readonly Expression[],
  at: number,
  called: string,
  context: TypeContext,
): StaticType {
  const found = same(args, at, called, context)
  if (found.kind === 'any' || isOrdered(found)) return found
  context.report(at, `\`${called}\` needs an order, and ${nameOf(found)} has none`)
  return any
}
