import { createToken, EmbeddedActionsParser, type IToken, Lexer, type ParserMethod } from 'chevrotain'
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
  Sign,
  Space,
  TextLiteral,
  True,
} from './expression-tokens.ts'
import { ExpressionFault } from './expression-tree.ts'

/** A `trigger` as read; `at` is the offset in its text. */
export type Trigger =
  | { readonly kind: 'all' | 'any'; readonly at: number; readonly parts: readonly Trigger[] }
  | { readonly kind: 'not'; readonly at: number; readonly part: Trigger }
  | {
      readonly kind: 'test'
      readonly at: number
      readonly fact: string
      /** Absent where the fact stands alone: then it is true. */
      readonly operator?: { readonly at: number; readonly name: string }
      readonly value?: TriggerValue
    }

export type TriggerValue =
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly TriggerValue[] }
  | { readonly kind: 'fact' | 'text' | 'plain'; readonly at: number; readonly text: string }

const In = createToken({ name: 'In', pattern: /in/, longer_alt: Identifier })
const Between = createToken({ name: 'Between', pattern: /between/, longer_alt: Identifier })
const OpenList = createToken({ name: 'OpenList', pattern: /\[/ })
const CloseList = createToken({ name: 'CloseList', pattern: /\]/ })
const tokenTypes = [
  ...[Space, And, Or, Not, True, False, In, Between, Identifier, NumberLiteral, TextLiteral],
  ...[Comparison, Sign, Open, Close, OpenList, CloseList, Comma],
]
export const triggerLexer = new Lexer(tokenTypes, { positionTracking: 'onlyOffset' })

const operatorOf: Readonly<Record<string, string>> = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
}

type Rule<Value> = ParserMethod<[], Value>

/** Grammar of a trigger, from the loosest binding to the tightest. */
export class TriggerParser extends EmbeddedActionsParser {
  readonly whole: Rule<Trigger> = this.RULE('whole', (): Trigger => this.SUBRULE(this.either))

  readonly either: Rule<Trigger> = this.RULE('either', (): Trigger => {
    const parts = [this.SUBRULE(this.both)]
    this.MANY(() => {
      this.CONSUME(Or)
      parts.push(this.SUBRULE2(this.both))
    })
    return this.ACTION(() => group('any', parts))
  })

  readonly both: Rule<Trigger> = this.RULE('both', (): Trigger => {
    const parts = [this.SUBRULE(this.negation)]
    this.MANY(() => {
      this.CONSUME(And)
      parts.push(this.SUBRULE2(this.negation))
    })
    return this.ACTION(() => group('all', parts))
  })

  readonly negation: Rule<Trigger> = this.RULE(
    'negation',
    (): Trigger =>
      this.OR<Trigger>([
        {
          ALT: () => {
            const at = this.CONSUME(Not).startOffset
            return { kind: 'not', at, part: this.SUBRULE(this.negation) }
          },
        },
        {
          ALT: () => {
            this.CONSUME(Open)
            const inner = this.SUBRULE(this.either)
            this.CONSUME(Close)
            return inner
          },
        },
        { ALT: () => this.SUBRULE(this.test) },
      ]),
  )

  readonly test: Rule<Trigger> = this.RULE('test', (): Trigger => {
    const { image: fact, startOffset: at } = this.CONSUME(Identifier)
    const test = (token: IToken, name: string, value: TriggerValue | undefined): Trigger => {
      const operator = { at: token.startOffset, name }
      return { kind: 'test', at, fact, operator, ...(value === undefined ? {} : { value }) }
    }
    return (
      this.OPTION(() =>
        this.OR<Trigger>([
          {
            ALT: () => {
              const token = this.CONSUME(Comparison)
              return test(token, operatorOf[token.image] ?? token.image, this.SUBRULE(this.value))
            },
          },
          { ALT: () => test(this.CONSUME(In), 'in', this.SUBRULE(this.list)) },
          {
            ALT: () => {
              const token = this.CONSUME(Not)
              this.CONSUME2(In)
              return test(token, 'notIn', this.SUBRULE2(this.list))
            },
          },
          {
            ALT: () => {
              const token = this.CONSUME(Between)
              const low = this.SUBRULE2(this.value)
              this.CONSUME(And)
              const items = [low, this.SUBRULE3(this.value)]
              return test(token, 'between', { kind: 'list', at: this.ACTION(() => low.at), items })
            },
          },
          {
            ALT: () => {
              const token = this.CONSUME2(Identifier)
              const value = this.OPTION2(() =>
                this.OR2<TriggerValue>([
                  { ALT: () => this.SUBRULE3(this.list) },
                  { ALT: () => this.SUBRULE4(this.value) },
                ]),
              )
              return test(token, token.image, value)
            },
          },
        ]),
      ) ?? { kind: 'test', at, fact }
    )
  })

  readonly list: Rule<TriggerValue> = this.RULE('list', (): TriggerValue => {
    const items: TriggerValue[] = []
    const at = this.OR([
      {
        ALT: () => {
          const { startOffset } = this.CONSUME(Open)
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.value)) })
          this.CONSUME(Close)
          return startOffset
        },
      },
      {
        ALT: () => {
          const { startOffset } = this.CONSUME(OpenList)
          this.AT_LEAST_ONE_SEP2({ SEP: Comma, DEF: () => items.push(this.SUBRULE2(this.value)) })
          this.CONSUME(CloseList)
          return startOffset
        },
      },
    ])
    return { kind: 'list', at, items }
  })

  readonly value: Rule<TriggerValue> = this.RULE(
    'value',
    (): TriggerValue =>
      this.OR<TriggerValue>([
        {
          ALT: () => {
            const sign = this.OPTION(() => this.CONSUME(Sign))
            const number = this.CONSUME(NumberLiteral)
            return this.ACTION(() => signed(sign, number))
          },
        },
        { ALT: () => textOf(this.CONSUME(TextLiteral)) },
        { ALT: () => plain(this.CONSUME(True)) },
        { ALT: () => plain(this.CONSUME(False)) },
        {
          ALT: () => {
            const { image, startOffset } = this.CONSUME(Identifier)
            return { kind: 'fact', at: startOffset, text: image }
          },
        },
      ]),
  )

  constructor() {
    super(tokenTypes, { maxLookahead: 1 })
    this.performSelfAnalysis()
  }
}

function group(kind: 'all' | 'any', parts: readonly Trigger[]): Trigger {
  const [first] = parts
  return first !== undefined && parts.length === 1 ? first : { kind, at: first?.at ?? 0, parts }
}

function signed(sign: IToken | undefined, number: IToken): TriggerValue {
  if (sign?.image === '+') throw new ExpressionFault(sign.startOffset, 'a number carries no `+`')
  return { kind: 'plain', at: (sign ?? number).startOffset, text: (sign?.image ?? '') + number.image }
}

function textOf(token: IToken): TriggerValue {
  const text = token.image.slice(1, -1).replaceAll("''", "'").normalize('NFC')
  return { kind: 'text', at: token.startOffset, text }
}

function plain(token: IToken): TriggerValue {
  return { kind: 'plain', at: token.startOffset, text: token.image }
}
