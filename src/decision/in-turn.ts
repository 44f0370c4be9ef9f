import { Failure } from '../errors.ts'

/** Requests that may wait for one application; more are refused, so that no queue is unbounded. */
const waitingMax = 1000

/**
 * Lets work on one key run one after the other, in order of arrival. Failure: OVERLOADED when too many wait for the
 * key already.
 */
export function openTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= waitingMax) {
      const why = `${waitingMax} requests wait for \`${key}\` already; send it again shortly`
      throw new Failure('OVERLOADED', { at: '/application_id', why })
    }
    const mine = line.last.then(work)
    line.last = mine.catch(() => undefined)
    line.waiting++
    lines.set(key, line)
    try {
      return await mine
    } finally {
      line.waiting--
      if (line.waiting === 0) lines.delete(key)
    }
  }
}
