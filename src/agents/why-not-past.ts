import type { FactValue } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import { dateInZone, readInstant } from '../domain/time.ts'

/**
 * What is wrong with a value of a fact declared `past`: a day after the day of the decision in the policy's zone can't
 * have come to pass. `undefined`: nothing, or the fact is not declared so.
 */
export function whyNotPast(
  { past, type }: Pick<FactDeclaration, 'past' | 'type'>,
  value: FactValue | null,
  zone: string,
  asOfMs: number,
): string | undefined {
  if (past !== true || typeof value !== 'string') return undefined
  const atMs = type === 'instant' ? readInstant(value) : undefined
  const day = atMs === undefined ? value : dateInZone(atMs, zone)
  const today = dateInZone(asOfMs, zone)
  if (day <= today) return undefined
  return `expected a day that has come, so \`${today}\` (today in ${zone}) or earlier; \`${value}\` lies in the future`
}
