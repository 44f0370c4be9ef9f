import { type Belief, statesUnder } from '../agents/believe.ts'
import type { Claim } from '../agents/latest-claims.ts'
import type { FactState } from '../domain/fact.ts'
import type { FactsFile, Policy } from '../domain/policy.ts'

/** One way in which contested facts may be true: which claim each contest keeps, and the states that follow. */
export interface FactReading {
  readonly kept: readonly Claim[]
  readonly states: ReadonlyMap<string, FactState>
}

/** More combinations than this go to a person instead. */
export const readingsMax = 16

/**
 * Every combination of the readings of all open contests; exactly one when nothing is contested. More than
 * `readingsMax`: none, and a person decides.
 */
export function readingsOf(
  belief: Belief,
  declarations: FactsFile['facts'],
  policy: Policy,
): readonly FactReading[] {
  const count = belief.contests.reduce((product, contest) => product * contest.heads.length, 1)
  if (count > readingsMax) return []
  let readings: readonly FactReading[] = [{ kept: [], states: belief.states }]
  for (const contest of belief.contests) {
    readings = readings.flatMap((reading) =>
      contest.heads.map((head) => ({
        kept: [...reading.kept, head],
        states: new Map([...reading.states, ...statesUnder(head, contest.claims, declarations, policy)]),
      })),
    )
  }
  return readings
}
