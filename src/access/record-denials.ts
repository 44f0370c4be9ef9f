import type { AccessDenied } from '../domain/record.ts'
import { writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/** A call that was refused; `route` is a pattern, so that there are only so many. */
export type DeniedCall = Pick<AccessDenied, 'key_id' | 'method' | 'route' | 'why'>

export interface Denials {
  /** Counts a refused call; the first of its kind in a minute is recorded at once, the others at its end. */
  note(call: DeniedCall): void
  /** Records what minutes that have passed still hold; to be called every few seconds. */
  tick(): Promise<void>
  /** Records everything that is counted and not recorded yet. */
  flush(): Promise<void>
}

interface Counter {
  readonly call: DeniedCall
  /** When the last record of this kind was written. */
  recordedMs: number
  count: number
  firstMs: number
  lastMs: number
}

const minuteMs = 60_000

/**
 * Records refused calls with at most one record a minute for the same key, address and reason, so that a flood of
 * them cannot fill the ledger. A `kill -9` loses the counts of its last minute, never that there were such calls.
 */
export function openDenials(deps: {
  readonly store: Pick<Store, 'appendRecord'>
  readonly clock: Clock
  readonly log: (line: string) => void
}): Denials {
  const counters = new Map<string, Counter>()
  let writing: Promise<void> = Promise.resolve()

  const isOver = ({ recordedMs }: Counter, nowMs: number) =>
    nowMs < recordedMs || nowMs - recordedMs >= minuteMs

  function record(counter: Counter, nowMs: number): void {
    const { call, count, firstMs, lastMs } = counter
    const [first_at, last_at] = [writeInstant(firstMs), writeInstant(lastMs)]
    const payload = { ...call, count, first_at, last_at }
    counter.count = 0
    counter.recordedMs = nowMs
    writing = writing.then(async () => {
      try {
        const actor = call.key_id ?? 'anonymous'
        await deps.store.appendRecord(actor, writeInstant(nowMs), { kind: 'access_denied', payload })
      } catch (error) {
        // The call stays refused; its count goes into the next record.
        counter.firstMs = counter.count === 0 ? firstMs : Math.min(firstMs, counter.firstMs)
        counter.lastMs = Math.max(lastMs, counter.lastMs)
        counter.count += count
        const what = error instanceof Failure ? error.code : 'unexpected'
        deps.log(`refused calls could not be recorded (${what}); they are counted on`)
      }
    })
  }

  return {
    note(call) {
      const nowMs = deps.clock.nowMs()
      const name = JSON.stringify([call.key_id, call.method, call.route, call.why])
      const counter = counters.get(name) ?? {
        call,
        recordedMs: Number.NEGATIVE_INFINITY,
        count: 0,
        firstMs: nowMs,
        lastMs: nowMs,
      }
      counters.set(name, counter)
      if (counter.count === 0) counter.firstMs = nowMs
      counter.count += 1
      counter.lastMs = nowMs
      if (isOver(counter, nowMs)) record(counter, nowMs)
    },
    async tick() {
      const nowMs = deps.clock.nowMs()
      for (const [name, counter] of counters) {
        if (!isOver(counter, nowMs)) continue
        if (counter.count > 0) record(counter, nowMs)
        else counters.delete(name)
      }
      await writing
    },
    async flush() {
      const nowMs = deps.clock.nowMs()
      for (const counter of counters.values()) if (counter.count > 0) record(counter, nowMs)
      await writing
    },
  }
}
