import { toSixDecimals } from '../domain/confidence.ts'
import type { Finding } from '../domain/episode.ts'
import { readDate, readInstant, startOfDateMs, writeInstant } from '../domain/time.ts'
import { type Computed, type Trust, weaker } from './computed.ts'
import { judgeWhole } from './judge-boosts.ts'
import { broken, closed, type JudgedRule, notFired, open } from './rule-result.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'

/** Judges one rule version on the states of an evaluation, with its whole trace. One that breaks is an error. */
export function judgeRule(
  compiled: CompiledRule,
  ruleSet: RuleSet,
  read: (name: string) => Computed,
): JudgedRule {
  try {
    const judged = judgeWhole(compiled.rule, { declared: ruleSet.declared, read })
    if (judged.result !== 'true') return notFired(compiled, judged)
    const found = findingsOf(compiled, judged.trust, ruleSet.policy.zone, read)
    if ('unknownFacts' in found) return open(compiled, judged, 'unknown', found.unknownFacts, null)
    if ('error' in found) return open(compiled, judged, 'error', [], found.error)
    return closed(compiled, judged, 'fired', found.findings)
  } catch (cause) {
    return broken(compiled, cause instanceof Error ? cause.message : String(cause))
  }
}

/** What a rule whose condition holds finds; or why that can't be told, where a fact that dates it is lost. */
export type FoundByRule =
  | { readonly findings: readonly Finding[] }
  | { readonly unknownFacts: readonly string[] }
  | { readonly error: string }

/** Findings of a rule whose condition holds with this trust. */
export function findingsOf(
  compiled: CompiledRule,
  trust: Trust,
  zone: string,
  read: (name: string) => Computed,
): FoundByRule {
  const findings: Finding[] = []
  for (const consequence of compiled.rule.then) {
    if (!('episode' in consequence)) continue
    const date = consequence.dated_by === undefined ? undefined : read(consequence.dated_by)
    // Invariant: a lost date makes a rule unknown; undated, its finding would weigh more than before.
    if (date?.state === 'unknown') return { unknownFacts: date.missing }
    if (date?.state === 'error') return { error: `${consequence.dated_by}: ${date.why}` }
    const { confidence, weakest } = date === undefined ? trust : weaker(trust, date)
    findings.push({
      type: consequence.episode,
      toward: consequence.toward ?? null,
      rule: compiled.id,
      confidence: toSixDecimals(confidence),
      weakest,
      occurred_at: date?.state === 'known' ? instantOf(String(date.value), zone) : null,
      may_prevent: compiled.mayPrevent && date?.state !== 'none',
    })
  }
  return { findings }
}

function instantOf(text: string, zone: string): string {
  const day = readDate(text)
  const atMs = day === undefined ? readInstant(text) : startOfDateMs(day, zone)
  if (atMs === undefined) throw new TypeError(`\`${text}\` dates nothing`)
  return writeInstant(atMs)
}
