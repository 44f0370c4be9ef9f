import { createToken, EmbeddedActionsParser, type IToken, Lexer, type ParserMethod } from 'chevrotain'
import { readDate } from '../domain/time.ts'
import { quote } from './typed-value.ts'

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

const nestingMax = 40

/** Reads an expression; nothing in it is run as code. Throws `ExpressionFault`. */
export function parseExpression(text: string): Expression {
  const { tokens, errors } = lexer.tokenize(text)
  const unread = errors[0]
  if (unread !== undefined) {
    throw new ExpressionFault(
      unread.offset,
      `did not expect ${quote(text.slice(unread.offset, unread.offset + 1))} here`,
    )
  }
  refuseDeepNesting(tokens)
  parser.input = tokens
  const expression = parser.whole()
  const error = parser.errors[0]
  if (error !== undefined) {
    const { token } = error
    if (Number.isNaN(token.startOffset) || token.image === '') {
      throw new ExpressionFault(text.length, 'the expression ends too early')
    }
    throw new ExpressionFault(token.startOffset, `did not expect ${quote(token.image)} here`)
  }
  return expression
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

// The parser and whatever walks its result are recursive, so nesting is bounded before it starts.
function refuseDeepNesting(tokens: readonly IToken[]): void {
  let open = 0
  let signs = 0
  for (const token of tokens) {
    if (token.tokenType === Open) open += 1
    if (token.tokenType === Close) open -= 1
    if (token.tokenType === Power || token.tokenType === Not) signs += 1
    if (open + signs > nestingMax) {
      throw new ExpressionFault(
        token.startOffset,
        `nested deeper than ${nestingMax} levels; split it into several facts`,
      )
    }
  }
}

const Space = createToken({ name: 'Space', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true })
const Identifier = createToken({ name: 'Identifier', pattern: /[A-Za-z][A-Za-z0-9_]*/ })
const word = (name: string, pattern: RegExp) => createToken({ name, pattern, longer_alt: Identifier })
const And = word('And', /and/)
const Or = word('Or', /or/)
const Not = word('Not', /not/)
const True = word('True', /true/)
const False = word('False', /false/)
const NumberLiteral = createToken({
  name: 'Number',
  pattern: /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,4})?/,
})
const TextLiteral = createToken({ name: 'Text', pattern: /'(?:[^'\n]|'')*'/ })
const Comparison = createToken({ name: 'Comparison', pattern: /<=|>=|==|!=|<|>|=/ })
const Sign = createToken({ name: 'Sign', pattern: /[+-]/ })
const Times = createToken({ name: 'Times', pattern: /[*/]/ })
const Power = createToken({ name: 'Power', pattern: /\^/ })
const Open = createToken({ name: 'Open', pattern: /\(/ })
const Close = createToken({ name: 'Close', pattern: /\)/ })
const Comma = createToken({ name: 'Comma', pattern: /,/ })
const tokenTypes = [
  ...[Space, And, Or, Not, True, False, Identifier, NumberLiteral, TextLiteral],
  ...[Comparison, Sign, Times, Power, Open, Close, Comma],
]
const lexer = new Lexer(tokenTypes, { positionTracking: 'onlyOffset' })

type Rule = ParserMethod<[], Expression>

class ExpressionParser extends EmbeddedActionsParser {
  readonly whole: Rule = this.RULE('whole', (): Expression => this.SUBRULE(this.disjunction))

  readonly disjunction: Rule = this.RULE('disjunction', (): Expression => {
    let left = this.SUBRULE(this.conjunction)
    this.MANY(() => {
      const { startOffset } = this.CONSUME(Or)
      left = binary('or', startOffset, left, this.SUBRULE2(this.conjunction))
    })
    return left
  })

  readonly conjunction: Rule = this.RULE('conjunction', (): Expression => {
    let left = this.SUBRULE(this.negation)
    this.MANY(() => {
      const { startOffset } = this.CONSUME(And)
      left = binary('and', startOffset, left, this.SUBRULE2(this.negation))
    })
    return left
  })

  readonly negation: Rule = this.RULE(
    'negation',
    (): Expression =>
      this.OR([
        {
          ALT: (): Expression => {
            const at = this.CONSUME(Not).startOffset
            return { kind: 'not', at, operand: this.SUBRULE(this.negation) }
          },
        },
        { ALT: () => this.SUBRULE(this.comparison) },
      ]),
  )

  readonly comparison: Rule = this.RULE('comparison', (): Expression => {
    let left = this.SUBRULE(this.sum)
    this.OPTION(() => {
      const { image, startOffset } = this.CONSUME(Comparison)
      const operator = (image === '=' ? '==' : image) as BinaryOperator
      left = binary(operator, startOffset, left, this.SUBRULE2(this.sum))
    })
    return left
  })

  readonly sum: Rule = this.RULE('sum', (): Expression => {
    let left = this.SUBRULE(this.product)
    this.MANY(() => {
      const { image, startOffset } = this.CONSUME(Sign)
      left = binary(image as BinaryOperator, startOffset, left, this.SUBRULE2(this.product))
    })
    return left
  })

  readonly product: Rule = this.RULE('product', (): Expression => {
    let left = this.SUBRULE(this.signed)
    this.MANY(() => {
      const { image, startOffset } = this.CONSUME(Times)
      left = binary(image as BinaryOperator, startOffset, left, this.SUBRULE2(this.signed))
    })
    return left
  })

  readonly signed: Rule = this.RULE('signed', (): Expression => {
    const sign = this.OPTION(() => this.CONSUME(Sign))
    const operand = this.SUBRULE(this.power)
    return this.ACTION(() => withSign(sign, operand))
  })

  readonly power: Rule = this.RULE('power', (): Expression => {
    const base = this.SUBRULE(this.atom)
    return (
      this.OPTION((): Expression => {
        const { startOffset } = this.CONSUME(Power)
        // Right associative: the exponent takes further powers with it.
        return binary('^', startOffset, base, this.SUBRULE(this.signed))
      }) ?? base
    )
  })

  readonly atom: Rule = this.RULE(
    'atom',
    (): Expression =>
      this.OR<Expression>([
        { ALT: () => numberOf(this.CONSUME(NumberLiteral)) },
        { ALT: () => textOf(this.CONSUME(TextLiteral)) },
        { ALT: () => ({ kind: 'boolean', at: this.CONSUME(True).startOffset, value: true }) },
        { ALT: () => ({ kind: 'boolean', at: this.CONSUME(False).startOffset, value: false }) },
        { ALT: () => this.SUBRULE(this.named) },
        {
          ALT: () => {
            this.CONSUME(Open)
            const inner = this.SUBRULE(this.disjunction)
            this.CONSUME(Close)
            return this.ACTION(() => parenthesised(inner))
          },
        },
      ]),
  )

  readonly named: Rule = this.RULE('named', (): Expression => {
    const name = this.CONSUME(Identifier)
    const args = this.OPTION(() => {
      const list: Expression[] = []
      this.CONSUME(Open)
      this.MANY_SEP({ SEP: Comma, DEF: () => list.push(this.SUBRULE(this.disjunction)) })
      this.CONSUME(Close)
      return list
    })
    return this.ACTION(() =>
      args === undefined ? { kind: 'fact', at: name.startOffset, name: name.image } : call(name, args),
    )
  })

  constructor() {
    super(tokenTypes, { maxLookahead: 1 })
    this.performSelfAnalysis()
  }
}

const parser = new ExpressionParser()

function binary(operator: BinaryOperator, at: number, left: Expression, right: Expression): Expression {
  return { kind: 'binary', at, operator, left, right }
}

const inParentheses = new WeakSet<Expression>()

function parenthesised(inner: Expression): Expression {
  inParentheses.add(inner)
  return inner
}

function withSign(sign: IToken | undefined, operand: Expression): Expression {
  if (sign === undefined) return operand
  if (sign.image === '+') throw new ExpressionFault(sign.startOffset, 'a `+` stands only between two values')
  if (operand.kind === 'binary' && operand.operator === '^' && !inParentheses.has(operand)) {
    throw new ExpressionFault(
      sign.startOffset,
      'write `-(a ^ b)` or `(-a) ^ b`; a minus before a power can be read either way',
    )
  }
  return { kind: 'minus', at: sign.startOffset, operand }
}

function numberOf(token: IToken): Expression {
  return { kind: 'number', at: token.startOffset, text: token.image }
}

function textOf(token: IToken): Expression {
  const value = token.image.slice(1, -1).replaceAll("''", "'").normalize('NFC')
  return { kind: 'text', at: token.startOffset, value }
}

function call(name: IToken, args: readonly Expression[]): Expression {
  const at = name.startOffset
  if (name.image === 'date') {
    const [text] = args
    const day = args.length === 1 && text?.kind === 'text' ? readDate(text.value) : undefined
    if (day === undefined)
      throw new ExpressionFault(at, "expected `date('2026-01-31')` with an existing day in quotes")
    return { kind: 'date', at, value: day }
  }
  if (!Object.hasOwn(functions, name.image)) {
    const known = ['date', ...Object.keys(functions)].map((each) => `\`${each}\``).join(', ')
    throw new ExpressionFault(at, `there is no function ${quote(name.image)}; known are ${known}`)
  }
  const functionName = name.image as FunctionName
  const [least, most] = functions[functionName]
  if (args.length < least || args.length > most) {
    const wanted = least === most ? String(least) : `${least} to ${most}`
    throw new ExpressionFault(at, `\`${functionName}\` takes ${wanted} arguments; got ${args.length}`)
  }
  return { kind: 'call', at, name: functionName, args }
}
