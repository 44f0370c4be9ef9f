import { EmbeddedActionsParser, type IToken, type ParserMethod } from 'chevrotain'
import { readDate } from '../domain/time.ts'
import {
  And,
  Close,
  Comma,
  Comparison,
  False,
  Identifier,
  Not,
  NumberLiteral,
  Open,
  Or,
  Power,
  Sign,
  TextLiteral,
  Times,
  True,
  tokenTypes,
} from './expression-tokens.ts'
import {
  type BinaryOperator,
  type Expression,
  ExpressionFault,
  type FunctionName,
  functions,
} from './expression-tree.ts'
import { quote } from './typed-value.ts'

type Rule = ParserMethod<[], Expression>

/** Grammar of the expressions, from the loosest binding to the tightest; it throws `ExpressionFault` or gathers errors. */
export class ExpressionParser extends EmbeddedActionsParser {
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
