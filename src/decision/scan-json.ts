/** Something a JSON parser would let pass, or would not survive. `position` is a zero-based index into the text. */
export interface JsonFlaw {
  readonly kind: 'too_deep' | 'key' | 'unicode'
  readonly position: number
  readonly why: string
}

/**
 * Walks JSON text once, without recursion, and finds nesting beyond `nestingMax` levels, or else the first key
 * that stands twice in its object, is `__proto__`, or string that is no valid Unicode. Exact for valid JSON; for
 * anything else the answer means nothing beyond the nesting, and the parser's own complaint comes first.
 */
export function scanJson(text: string, nestingMax: number): JsonFlaw | undefined {
  const open: (Set<string> | undefined)[] = []
  let flaw: JsonFlaw | undefined
  let keyExpected = false
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]
    if (sign === '"') {
      const end = endOfString(text, i)
      const keys = open.at(-1)
      flaw ??= flawOfString(text.slice(i, end), i, keyExpected ? keys : undefined)
      keyExpected = false
      i = end - 1
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : undefined)
      keyExpected = sign === '{'
      if (open.length > nestingMax) {
        const why = `lists and objects are nested deeper than ${nestingMax} levels`
        return { kind: 'too_deep', position: i, why }
      }
    } else if (sign === '}' || sign === ']') {
      open.pop()
      keyExpected = false
    } else if (sign === ',') {
      keyExpected = open.at(-1) !== undefined
    }
  }
  return flaw
}

/** Index after the closing quote of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
  return text.length
}

function flawOfString(token: string, position: number, keys: Set<string> | undefined): JsonFlaw | undefined {
  const content = contentOf(token)
  if (content === undefined) return undefined
  if (!content.isWellFormed()) {
    return { kind: 'unicode', position, why: 'a text holds half of a surrogate pair, which is no character' }
  }
  if (keys === undefined) return undefined
  if (content === '__proto__') {
    return { kind: 'key', position, why: 'the key `__proto__` is not taken' }
  }
  if (keys.has(content)) {
    return { kind: 'key', position, why: `the key \`${content.slice(0, 60)}\` stands twice in one object` }
  }
  keys.add(content)
  return undefined
}

function contentOf(token: string): string | undefined {
  if (!token.includes('\\')) return token.slice(1, -1)
  try {
    return JSON.parse(token)
  } catch {
    return undefined
  }
}
