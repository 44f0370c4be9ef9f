/**
 * The boundary at which a question of whole steps begins to hold: it holds at the number found and not at one less.
 * `none`: it held at none of the numbers tried. `spent`: it was not told of one, so the search ended early.
 */
export type Boundary = number | 'none' | 'spent'

/**
 * Looks from one step up to `stepsMax`, first further and further apart, then halving between the last number that
 * did not hold (0 never does) and the first that did. Where the question holds from some number on, that number is
 * the smallest; where it comes and goes, what is found is still a boundary. Yields each number to try and is told
 * whether it holds, so that the caller decides when to go on.
 */
export function* findBoundary(stepsMax: number): Generator<number, Boundary, boolean | undefined> {
  let below = 0
  for (const steps of widening(stepsMax)) {
    const held = yield steps
    if (held === undefined) return 'spent'
    if (held) return yield* halve(below, steps)
    below = steps
  }
  return 'none'
}

function* halve(from: number, until: number): Generator<number, Boundary, boolean | undefined> {
  let [below, above] = [from, until]
  // Invariant: it holds at `above` and not at `below`.
  while (above - below > 1) {
    const middle = below + Math.floor((above - below) / 2)
    const held = yield middle
    if (held === undefined) return 'spent'
    if (held) above = middle
    else below = middle
  }
  return above
}

/** 1, 2, 3, 4, 6, 8, 12, 16, 24 … and the last number itself. */
function* widening(last: number): Generator<number> {
  for (let power = 1; power < last; power *= 2) {
    yield power
    const between = power + power / 2
    if (Number.isInteger(between) && between < last) yield between
  }
  if (last >= 1) yield last
}
