import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { RuleSource } from '../ports/rule-source.ts'
import type { LiveRules } from '../reload/open-rules.ts'
import { settle, settledAs, unsettled } from '../rules/settle-files.ts'

export interface KeepOptions {
  readonly source: RuleSource
  readonly rules: Pick<LiveRules, 'offer'>
  readonly clock: Clock
  readonly log: (line: string) => void
  /** How long sizes and times must stay the same before files are read. */
  readonly settleMs: number
  /** How often to look without a hint. */
  readonly rescanMs?: number
  /** How often to read without a sign of change: two writes of one size within a tick of a clock look the same. */
  readonly rereadMs?: number
}

const retryMs = 1000
const firstLooksMax = 20

/**
 * Keeps the rules as their source has them: takes what is there now, then whatever comes, until it is stopped.
 * Hints make it quick; without any it looks every few seconds. Failures only of the first taking: those of the store.
 */
export async function keepRulesCurrent(options: KeepOptions): Promise<{ stop(): Promise<void> }> {
  const { source, rules, clock, log, settleMs, rescanMs = 5000, rereadMs = 30_000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let settling = unsettled
  let readMs = Number.NEGATIVE_INFINITY
  let isHinted = false
  let wake = () => {}

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  async function hintOr(ms: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    if (!isHinted)
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {})
    isHinted = false
  }

  /** Reads what is there; what changed while it was read is read again. False: look again at once. */
  async function take(stamp: string): Promise<boolean> {
    const offer = await source.read()
    if ((await source.look()).stamp !== stamp) return false
    readMs = performance.now()
    if (await rules.offer(offer)) settling = settledAs(settling, stamp)
    else await pause(retryMs)
    return true
  }

  async function step(): Promise<void> {
    const { stamp } = await source.look()
    const isDue = performance.now() - readMs >= rereadMs
    const { next, waitMs } = settle(settling, stamp, performance.now(), settleMs)
    settling = next
    if (waitMs === 0 || (waitMs === undefined && isDue)) await take(stamp)
    else if (waitMs === undefined) await hintOr(rescanMs)
    else await pause(waitMs)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await step()
      } catch (error) {
        log(
          `rules: looking for changes failed, it is tried again: ${error instanceof Error ? error.name : error}`,
        )
        await pause(retryMs)
      }
    }
  }

  const watching = await source.watch(() => {
    isHinted = true
    wake()
  })
  // What has lain there for a while has settled; a start need not wait for it, nor for what never settles.
  for (let looks = 0; looks < firstLooksMax; looks++) {
    const { stamp, changedMs = 0 } = await source.look()
    if (clock.nowMs() - changedMs < settleMs && changedMs <= clock.nowMs()) await pause(settleMs)
    else if (await take(stamp)) break
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await watching[Symbol.asyncDispose]()
      await running
    },
  }
}
