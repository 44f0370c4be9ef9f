/** The known name closest to a misspelt one (at most a third of its letters wrong), or `undefined`. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, lengthMax).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of [...known].sort()) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.slice(0, lengthMax).toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean `x`?`, or the list of what is known where it is short, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const names = [...known]
  const near = nearestName(name, names)
  if (near !== undefined) return `; did you mean \`${near}\`?`
  if (names.length === 0 || names.length > 14) return ''
  return `; known are ${names.map((each) => `\`${each}\``).join(', ')}`
}

const lengthMax = 80

/** Letters to insert, remove or replace; two neighbours swapped count as one. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return at(last, right.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
