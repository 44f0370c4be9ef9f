export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | 'and'
  | 'or'

/** Functions, with the number of arguments each takes. */
export const functions = {
  if: [3, 3],
  min: [1, 50],
  max: [1, 50],
  sum: [1, 1],
  count: [1, 1],
  abs: [1, 1],
  round: [1, 2],
  floor: [1, 1],
  ceil: [1, 1],
  ifNone: [2, 2],
  days: [2, 2],
  months: [2, 2],
  years: [2, 2],
} as const satisfies Record<string, readonly [number, number]>
export type FunctionName = keyof typeof functions

/** An expression of a derived fact. `at` is the offset in its text, for messages. */
export type Expression =
  | { readonly kind: 'number'; readonly at: number; readonly text: string }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'date'; readonly at: number; readonly value: string }
  | { readonly kind: 'fact'; readonly at: number; readonly name: string }
  | { readonly kind: 'minus' | 'not'; readonly at: number; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly at: number
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'call'
      readonly at: number
      readonly name: FunctionName
      readonly args: readonly Expression[]
    }

/** Words of the expression language; no fact may have such a name, since no expression could read it. */
export const reservedWords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false', 'if', 'date'])

/** Why a text is no expression, and where in it. */
export class ExpressionFault extends Error {
  readonly at: number
  constructor(at: number, why: string) {
    super(why)
    this.at = at
  }
}

/** Names of facts that an expression reads, sorted. */
export function factsRead(expression: Expression): string[] {
  const names = new Set<string>()
  visit(expression, (part) => {
    if (part.kind === 'fact') names.add(part.name)
  })
  return [...names].sort()
}

/** Calls `see` on the expression and every part of it. */
export function visit(expression: Expression, see: (part: Expression) => void): void {
  see(expression)
  if (expression.kind === 'binary') {
    visit(expression.left, see)
    visit(expression.right, see)
  } else if (expression.kind === 'minus' || expression.kind === 'not') {
    visit(expression.operand, see)
  } else if (expression.kind === 'call') {
    for (const argument of expression.args) visit(argument, see)
  }
}
