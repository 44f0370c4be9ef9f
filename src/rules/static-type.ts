import { decimalTypes } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'

/**
 * What a part of an expression yields. A decimal's dimension is its currency, `plain`, or `free` for literals and
 * what is multiplied by them, which fit either. `any` follows a fault already told.
 */
export type StaticType =
  | { readonly kind: 'decimal'; readonly dimension: string }
  | { readonly kind: 'text'; readonly values?: readonly string[]; readonly literal?: string }
  | { readonly kind: 'boolean' | 'date' | 'instant' | 'duration' | 'object' | 'any' }
  | { readonly kind: 'list'; readonly of: StaticType }

export const any: StaticType = { kind: 'any' }
export const plain: StaticType = { kind: 'decimal', dimension: 'plain' }
export const boolean: StaticType = { kind: 'boolean' }

/** Whether two declared facts can be compared with each other. */
export function areComparable(
  left: Pick<FactDeclaration, 'type' | 'unit' | 'values' | 'of'>,
  right: Pick<FactDeclaration, 'type' | 'unit' | 'values' | 'of'>,
  currency: string,
): boolean {
  return unify(typeOfDeclaration(left, currency), typeOfDeclaration(right, currency)) !== undefined
}

/** What a fact of this declaration yields. */
export function typeOfDeclaration(
  declaration: Pick<FactDeclaration, 'type' | 'unit' | 'values' | 'of'>,
  currency: string,
): StaticType {
  const { type, unit } = declaration
  if (type === 'money') return { kind: 'decimal', dimension: unit ?? currency }
  if (decimalTypes.has(type)) return plain
  if (type === 'list') {
    const { of: _, ...rest } = declaration
    return { kind: 'list', of: typeOfDeclaration({ ...rest, type: declaration.of ?? 'text' }, currency) }
  }
  if (type === 'enum') {
    return declaration.values === undefined
      ? { kind: 'text' }
      : { kind: 'text', values: Object.keys(declaration.values) }
  }
  return { kind: type as 'text' | 'boolean' | 'date' | 'instant' | 'duration' | 'object' }
}

/** Dimension of a result, or `undefined` where the operator does not go between these two. */
export function dimensionOf(operator: string, left: string, right: string): string | undefined {
  const plainOrFree = (dimension: string) => dimension === 'plain' || dimension === 'free'
  switch (operator) {
    case '*':
      if (left === 'free' || right === 'free')
        return left === 'free' && plainOrFree(right)
          ? 'free'
          : left === 'free'
            ? right
            : plainOrFree(left)
              ? 'free'
              : left
      return plainOrFree(left) ? right : plainOrFree(right) ? left : undefined
    case '/':
      if (left === right) return left === 'free' ? 'free' : 'plain'
      if (plainOrFree(right)) return plainOrFree(left) ? 'free' : left
      return left === 'free' ? 'plain' : undefined
    case '^':
      return plainOrFree(left) && plainOrFree(right) ? 'free' : undefined
    default:
      if (left === 'free') return right
      return right === 'free' || left === right ? left : undefined
  }
}

/** Whether values of the type have an order. */
export function isOrdered(type: StaticType): boolean {
  return ['decimal', 'date', 'instant', 'duration'].includes(type.kind)
}

/** The type that fits both, or `undefined`. */
export function unify(left: StaticType, right: StaticType): StaticType | undefined {
  if (left.kind === 'any') return right
  if (right.kind === 'any') return left
  if (left.kind === 'decimal' && right.kind === 'decimal') {
    const dimension = dimensionOf('+', left.dimension, right.dimension)
    return dimension === undefined ? undefined : { kind: 'decimal', dimension }
  }
  if (left.kind === 'list' && right.kind === 'list') {
    const of = unify(left.of, right.of)
    return of === undefined ? undefined : { kind: 'list', of }
  }
  if (left.kind === 'text' && right.kind === 'text') return { kind: 'text' }
  return left.kind === right.kind ? left : undefined
}

/** What a type is called in a sentence. */
export function nameOf(type: StaticType): string {
  switch (type.kind) {
    case 'decimal':
      return type.dimension === 'plain' || type.dimension === 'free'
        ? 'a plain number'
        : `an amount in ${type.dimension}`
    case 'text':
      return 'a text'
    case 'boolean':
      return 'true or false'
    case 'date':
      return 'a day'
    case 'instant':
      return 'a time'
    case 'duration':
      return 'a duration'
    case 'list':
      return 'a list'
    case 'object':
      return 'an object'
    case 'any':
      return 'anything'
  }
}
