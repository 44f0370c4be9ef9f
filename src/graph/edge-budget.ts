import type { SearchQuestion } from './question.ts'

const edgesBetweenAsking = 256

/** Counts the edges that a search looks at, and stops it at a count that a replay can be given. */
export interface EdgeBudget {
  /** True when one more edge may be examined (it is counted); false from the cut on. */
  take(): boolean
  readonly examined: number
  /** Count at which the search was cut short; null: it was not. */
  readonly cutAt: number | null
}

/** The budget of one question: its recorded limit, its deadline, or none. */
export function edgeBudget({
  edgesExaminedMax,
  mayContinue,
}: Pick<SearchQuestion, 'edgesExaminedMax' | 'mayContinue'>): EdgeBudget {
  const max = edgesExaminedMax ?? Number.POSITIVE_INFINITY
  let examined = 0
  let cutAt: number | null = null
  return {
    take() {
      if (cutAt !== null) return false
      const late = examined % edgesBetweenAsking === 0 && mayContinue?.() === false
      if (late || examined >= max) {
        cutAt = examined
        return false
      }
      examined += 1
      return true
    },
    get examined() {
      return examined
    },
    get cutAt() {
      return cutAt
    },
  }
}
