import { createToken, Lexer } from 'chevrotain'

/** The words and signs of the expression language. */
export const Space = createToken({ name: 'Space', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true })
/** A name, or a plain path into an object such as `employer.size`. */
export const Identifier = createToken({
  name: 'Identifier',
  pattern: /[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*/,
})
const word = (name: string, pattern: RegExp) => createToken({ name, pattern, longer_alt: Identifier })
export const And = word('And', /and/)
export const Or = word('Or', /or/)
export const Not = word('Not', /not/)
export const True = word('True', /true/)
export const False = word('False', /false/)
export const NumberLiteral = createToken({
  name: 'Number',
  pattern: /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,4})?/,
})
export const TextLiteral = createToken({ name: 'Text', pattern: /'(?:[^'\n]|'')*'/ })
export const Comparison = createToken({ name: 'Comparison', pattern: /<=|>=|==|!=|<|>|=/ })
export const Sign = createToken({ name: 'Sign', pattern: /[+-]/ })
export const Times = createToken({ name: 'Times', pattern: /[*/]/ })
export const Power = createToken({ name: 'Power', pattern: /\^/ })
export const Open = createToken({ name: 'Open', pattern: /\(/ })
export const Close = createToken({ name: 'Close', pattern: /\)/ })
export const Comma = createToken({ name: 'Comma', pattern: /,/ })
export const tokenTypes = [
  ...[Space, And, Or, Not, True, False, Identifier, NumberLiteral, TextLiteral],
  ...[Comparison, Sign, Times, Power, Open, Close, Comma],
]
export const lexer = new Lexer(tokenTypes, { positionTracking: 'onlyOffset' })
