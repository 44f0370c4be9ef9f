import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '../../errors.ts'

/** What became of one entry of a batch that was committed. */
export type Outcome<R> = { readonly result: R } | { readonly failure: unknown }

export interface CommitQueue<E, R> {
  /** Resolves when the entry's batch is durable. `OVERLOADED` when too many wait. */
  add(entry: E): Promise<R>
  /** Resolves when nothing waits any more. */
  drained(): Promise<void>
}

interface Waiting<E, R> {
  readonly entry: E
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: entries added in one turn, or while a batch is being committed, share the next batch. When a batch
 * fails as a whole, all that wait fail with its error, so that a full disk is not tried ten thousand times.
 */
export function openCommitQueue<E, R>(
  commitBatch: (entries: readonly E[]) => Promise<readonly Outcome<R>[]>,
  limits: { readonly batchMax: number; readonly waitingMax: number },
): CommitQueue<E, R> {
  let waiting: Waiting<E, R>[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await nextTurn()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batchMax)
      waiting = waiting.slice(limits.batchMax)
      try {
        const outcomes = await commitBatch(batch.map(({ entry }) => entry))
        batch.forEach((one, index) => {
          settle(one, outcomes[index])
        })
      } catch (error) {
        for (const { reject } of [...batch, ...waiting]) reject(error)
        waiting = []
      }
      // Lets answers out and new entries in.
      await nextTurn()
    }
    running = undefined
  }

  return {
    add(entry) {
      if (waiting.length >= limits.waitingMax) {
        const why = `${waiting.length} decisions wait to be recorded; try again later`
        return Promise.reject(new Failure('OVERLOADED', { at: '', why }))
      }
      return new Promise((resolve, reject) => {
        waiting.push({ entry, resolve, reject })
        running ??= run()
      })
    },
    async drained() {
      while (running !== undefined) await running
    },
  }
}

function settle<E, R>({ resolve, reject }: Waiting<E, R>, outcome: Outcome<R> | undefined): void {
  if (outcome === undefined) reject(new TypeError('a batch gives one outcome for each entry'))
  else if ('result' in outcome) resolve(outcome.result)
  else reject(outcome.failure)
}
