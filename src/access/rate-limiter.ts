/** Counts the requests of each key. */
export interface RateLimiter {
  /** Takes one request of a key: 0 when it may go on, else the milliseconds until the next one may. */
  take(keyId: string, ratePerMinute: number, nowMs: number): number
}

/** Seconds' worth of requests that may come at once after a pause. */
const burstSeconds = 10

/**
 * A token bucket a key: it fills at the key's rate and holds ten seconds' worth, so no minute sees more than seven
 * sixths of the rate. Only keys that exist have one, so there are no more buckets than keys.
 */
export function openRateLimiter(): RateLimiter {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return {
    take(keyId, ratePerMinute, nowMs) {
      const perMs = ratePerMinute / 60_000
      const most = Math.max(1, perMs * burstSeconds * 1000)
      const bucket = buckets.get(keyId) ?? { tokens: most, atMs: nowMs }
      // A clock that stepped back refills nothing.
      const elapsedMs = Math.max(0, nowMs - bucket.atMs)
      bucket.tokens = Math.min(most, bucket.tokens + elapsedMs * perMs)
      bucket.atMs = nowMs
      buckets.set(keyId, bucket)
      // A hair below one is one: what rounding took away must not refuse a request that waited as told.
      if (bucket.tokens < 1 - 1e-6) return Math.ceil((1 - bucket.tokens) / perMs)
      bucket.tokens = Math.max(0, bucket.tokens - 1)
      return 0
    },
  }
}
