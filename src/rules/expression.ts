import type { IToken } from 'chevrotain'
import { ExpressionParser } from './expression-parser.ts'
import { Close, lexer, Not, Open, Power } from './expression-tokens.ts'
import { type Expression, ExpressionFault } from './expression-tree.ts'
import { quote } from './typed-value.ts'

export { type Expression, ExpressionFault, factsRead } from './expression-tree.ts'

const parser = new ExpressionParser()
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
