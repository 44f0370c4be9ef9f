const differencesMax = 20

/** Names the places where two JSON values differ, by JSON pointer, with both values; 20 at most. */
export function listDifferences(recorded: unknown, again: unknown): readonly string[] {
  const differences: string[] = []
  compare(recorded, again, '', differences)
  return differences
}

function compare(recorded: unknown, again: unknown, at: string, differences: string[]): void {
  if (differences.length >= differencesMax) return
  if (isBranch(recorded) && isBranch(again) && Array.isArray(recorded) === Array.isArray(again)) {
    for (const key of [...new Set([...Object.keys(recorded), ...Object.keys(again)])].sort()) {
      compare(own(recorded, key), own(again, key), `${at}/${key}`, differences)
    }
  } else if (recorded !== again) {
    differences.push(`${at === '' ? '/' : at}: recorded ${shown(recorded)}, now ${shown(again)}`)
  }
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return `\`${text.length > 120 ? `${text.slice(0, 117)}...` : text}\``
}
