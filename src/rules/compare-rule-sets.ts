import { canonicalJson } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import type { RulesDifference } from '../domain/rules-report.ts'
import type { RuleSet } from './rule-set.ts'

/**
 * What `after` changes against `before`: rule versions added, changed, removed, and which declarations and tables
 * differ.
 */
export function compareRuleSets(before: RuleSet | undefined, after: RuleSet): RulesDifference {
  const old = before?.rules ?? new Map()
  const added = [...after.rules.keys()].filter((id) => !old.has(id))
  const removed = [...old.keys()].filter((id) => !after.rules.has(id))
  const changed = [...after.rules].flatMap(([id, { rule }]) => {
    const earlier = before?.rules.get(id)?.rule
    return earlier === undefined || canonicalJson(earlier) === canonicalJson(rule) ? [] : [id]
  })
  return {
    before: before?.hash ?? null,
    added,
    changed,
    removed,
    declarations: before === undefined ? [] : changedSections(before, after),
  }
}

/** Everything of a pack's content but its rules, and how it is made. */
function changedSections(before: RuleSet, after: RuleSet): string[] {
  const [old, now] = [sectionsOf(before), sectionsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort(compareText)
  return names.filter((name) => old.get(name) !== now.get(name))
}

function sectionsOf({ content }: RuleSet): Map<string, string> {
  const { rules: _rules, format: _format, tables = {}, ...others } = content
  return new Map(
    Object.entries({ ...others, ...tables }).flatMap(([name, section]) =>
      section === undefined ? [] : [[name, canonicalJson(section)]],
    ),
  )
}
