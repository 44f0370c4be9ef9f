import type { Clock } from '../../ports/clock.ts'

/**
 * The machine's wall clock, as it is. It may step backwards; nothing is ordered by it (the ledger's order is its
 * sequence).
 */
export const systemClock: Clock = { nowMs: () => Date.now() }
