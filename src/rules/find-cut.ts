import type { Fault } from '../errors.ts'
import { compareRuleSets } from './compare-rule-sets.ts'
import type { RuleSet } from './rule-set.ts'
import type { PackFile } from './split-files.ts'

const declaring = /(?:^|\/)(?:(?:policy|facts|sources|reasons)\.yaml|tables\/[^/]+\.(?:ya?ml|csv))$/i

/**
 * Faults of files that look cut: the text is exactly the beginning of what is in force, and what it says changed for
 * it. Cut inside the last rule, or the last list of a policy, a file may well still be valid, and say less.
 */
export function findCut(
  before: RuleSet,
  textsBefore: ReadonlyMap<string, string>,
  after: RuleSet,
  files: readonly PackFile[],
): readonly Fault[] {
  const cut = files.filter(({ path, text }) => isBeginning(text, textsBefore.get(path)))
  if (cut.length === 0 || before.hash === after.hash) return []
  const { changed, declarations } = compareRuleSets(before, after)
  const changedRules = changed.map((id) => after.rules.get(id)?.rule.rule_id ?? id)
  return cut
    .filter(({ path, text }) => {
      const isRules = !declaring.test(path) && /\.ya?ml$/i.test(path)
      return (
        (isRules && changedRules.some((id) => text.includes(id))) || (!isRules && declarations.length > 0)
      )
    })
    .map(({ path, text }) => {
      const whole = textsBefore.get(path)?.length ?? 0
      return {
        at: path,
        why: `the file is exactly the first ${text.length} of the ${whole} characters in force, as if it had been cut; put the rest back, or, if you took it out, say so in a comment at the end`,
      }
    })
}

function isBeginning(text: string, whole: string | undefined): boolean {
  return whole !== undefined && text.length < whole.length && whole.startsWith(text)
}
