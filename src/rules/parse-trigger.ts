import type { IToken } from 'chevrotain'
import { Close, Not, Open } from './expression-tokens.ts'
import { ExpressionFault } from './expression-tree.ts'
import { type Trigger, TriggerParser, triggerLexer } from './trigger-parser.ts'
import { quote } from './typed-value.ts'

const parser = new TriggerParser()
const nestingMax = 40
const lengthMax = 2000

/**
 * Reads a `trigger` such as `user_age < 25 and education_status == 'student'`: comparisons, `in`, `not in`,
 * `between … and …`, any operator by its name, joined by `and`, `or`, `not` and parentheses. Throws
 * `ExpressionFault`.
 */
export function parseTrigger(text: string): Trigger {
  if (text.length > lengthMax)
    throw new ExpressionFault(0, `a trigger has at most ${lengthMax} characters; got ${text.length}`)
  const { tokens, errors } = triggerLexer.tokenize(text)
  const [unread] = errors
  if (unread !== undefined) throw new ExpressionFault(unread.offset, unreadable(text, unread.offset))
  refuseDeepNesting(tokens)
  parser.input = tokens
  const trigger = parser.whole()
  const [error] = parser.errors
  if (error === undefined) return trigger
  const { image, startOffset } = error.token
  if (Number.isNaN(startOffset) || image === '')
    throw new ExpressionFault(text.length, 'the trigger ends too early')
  throw new ExpressionFault(startOffset, `did not expect ${quote(image)} here`)
}

function unreadable(text: string, at: number): string {
  const found = text.slice(at, at + 1)
  if (found === '"') return "a text stands in single quotes, such as `'student'`"
  if (found === "'") return 'a text begins here and does not end'
  return `did not expect ${quote(found)} here`
}

function refuseDeepNesting(tokens: readonly IToken[]): void {
  let open = 0
  for (const token of tokens) {
    if (token.tokenType === Open || token.tokenType === Not) open += 1
    if (token.tokenType === Close) open -= 1
    if (open > nestingMax)
      throw new ExpressionFault(token.startOffset, `nested deeper than ${nestingMax} levels`)
  }
}
