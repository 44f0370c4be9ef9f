/** The one clock a decision reads, in epoch milliseconds. */
export interface Clock {
  nowMs(): number
}

/** Random bytes as hex, and unique ids; handed in so that tests can repeat a run. */
export interface Randomness {
  saltHex(): string
  id(): string
}
