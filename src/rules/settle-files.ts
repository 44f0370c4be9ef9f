/** What is known of files that somebody may be writing; starts as `unsettled`. Times are of one clock that never jumps back. */
export interface Settling {
  /** Names, sizes and times as they were last seen. */
  readonly seen: string | undefined
  /** Since when they have been just so. */
  readonly sinceMs: number
  /** Since when something has been going on that was not read yet. */
  readonly restlessSinceMs: number | undefined
  /** What they were when they were last read. */
  readonly read: string | undefined
}

export const unsettled: Settling = {
  seen: undefined,
  sinceMs: 0,
  restlessSinceMs: undefined,
  read: undefined,
}

/** Somebody who never stops writing is waited for this many times as long; then what is there is read all the same. */
const restlessTimes = 20

/**
 * Takes one more look. `waitMs` says when to look again; 0: they have settled, read them now; `undefined`: they are
 * what was read last. Sizes and times only say that nobody seems to be writing; what counts is what is read.
 */
export function settle(
  before: Settling,
  seen: string,
  nowMs: number,
  settleMs: number,
): { readonly next: Settling; readonly waitMs: number | undefined } {
  if (seen === before.read)
    return { next: { ...before, seen, restlessSinceMs: undefined }, waitMs: undefined }
  const restlessSinceMs = before.restlessSinceMs ?? nowMs
  const sinceMs = seen === before.seen ? before.sinceMs : nowMs
  const next = { ...before, seen, sinceMs, restlessSinceMs }
  const leftMs = settleMs - (nowMs - sinceMs)
  if (leftMs <= 0 || nowMs - restlessSinceMs >= settleMs * restlessTimes) return { next, waitMs: 0 }
  return { next, waitMs: leftMs }
}

/** They were read while they were `seen`. */
export function settledAs(before: Settling, seen: string): Settling {
  return { ...before, read: seen, restlessSinceMs: undefined }
}
