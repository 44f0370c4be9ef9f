/** JSON pointer of a path (RFC 6901); the whole value is the empty pointer. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${pointerPart(String(part))}`).join('')
}

/** One part of a JSON pointer, escaped. */
export function pointerPart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
