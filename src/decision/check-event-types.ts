import { compareText } from '../domain/compare-text.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { Fault } from '../errors.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { hopsMax } from '../graph/walk.ts'
import type { RuleSet } from '../rules/rule-set.ts'

type Sets = Pick<RuleSet, 'policy' | 'facts' | 'rules'>
type Types = Pick<Knowledge, 'eventTypes' | 'edgesFrom'>

/**
 * Every name of an event type in a rule set that the knowledge does not hold, in any version: outcomes, episodes that
 * are counted, findings and where they lead. A misspelt one would count nothing or reach nothing in silence. `at` names
 * the policy and the file or rule version.
 */
export function checkEventTypes({ policy, facts, rules }: Sets, { eventTypes }: Types): readonly Fault[] {
  const faults: Fault[] = []
  const check = (type: string | undefined, where: string, what: string) => {
    if (type === undefined || eventTypes.has(type)) return
    const why = `${what}: there is no event type \`${type}\` in the causal knowledge${suggestion(type, eventTypes.keys())}`
    faults.push({ at: `${policy.policy}/${where}`, why })
  }
  for (const entry of policy.outcomes) {
    if ('event' in entry) check(entry.event, 'policy.yaml', `the outcome \`${entry.decision}\``)
  }
  for (const [name, declaration] of entriesOf(facts.derived)) {
    if ('episodes' in declaration) {
      check(declaration.episodes.type, 'facts.yaml', `the derived fact \`${name}\` counts episodes`)
    }
  }
  for (const [id, type, toward] of findingsOf(rules)) {
    check(type, id, 'a finding')
    check(toward, id, `\`toward\` of the finding \`${type}\``)
  }
  return faults
}

/**
 * Findings that no way of at most five CAUSES edges, of whatever version, leads to their `toward`. They keep approvals
 * back but decide nothing, so they are worth a warning; names that are unknown are `checkEventTypes`'s to tell.
 */
export function checkReach(
  { policy, rules }: Pick<Sets, 'policy' | 'rules'>,
  knowledge: Types,
): readonly Fault[] {
  const reached = new Map<string, ReadonlySet<string>>()
  return findingsOf(rules).flatMap(([id, type, toward]) => {
    if (toward === undefined) return []
    if (!knowledge.eventTypes.has(type) || !knowledge.eventTypes.has(toward)) return []
    const events = reached.get(type) ?? reachOf(type, knowledge)
    reached.set(type, events)
    if (events.has(toward)) return []
    const why = `no chain of at most ${hopsMax} edges leads from the finding \`${type}\` to \`${toward}\`: it keeps approvals back and decides nothing; add an edge to the causal knowledge`
    return [{ at: `${policy.policy}/${id}`, why }]
  })
}

type StatedFinding = readonly [ruleVersion: string, type: string, toward: string | undefined]

function findingsOf(rules: Sets['rules']): readonly StatedFinding[] {
  return [...rules.values()].flatMap(({ id, rule }) =>
    rule.then.flatMap((step): StatedFinding[] =>
      'episode' in step ? [[id, step.episode, step.toward]] : [],
    ),
  )
}

function reachOf(start: string, { eventTypes, edgesFrom }: Types): ReadonlySet<string> {
  const reached = new Set<string>()
  let frontier: readonly string[] = [start]
  for (let hops = 0; hops < hopsMax; hops += 1) {
    const next = new Set<string>()
    for (const node of frontier) {
      for (const type of kindsOf(node, eventTypes)) {
        for (const { to } of edgesFrom.CAUSES.get(type) ?? [])
          if (to !== start && !reached.has(to)) next.add(to)
      }
    }
    for (const node of next) reached.add(node)
    frontier = [...next]
  }
  return reached
}

/** A type and all it is a kind of in any version. */
function kindsOf(type: string, eventTypes: Types['eventTypes']): ReadonlySet<string> {
  const kinds = new Set([type])
  // A type added to a set while it is walked is visited too; the set makes a circle harmless.
  for (const one of kinds) {
    for (const { isA } of eventTypes.get(one) ?? []) for (const parent of isA) kinds.add(parent)
  }
  return kinds
}

function entriesOf<T>(record: Readonly<Record<string, T>> | undefined): readonly (readonly [string, T])[] {
  return Object.entries(record ?? {}).sort(([one], [other]) => compareText(one, other))
}
