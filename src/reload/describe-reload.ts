import type { CurrentRules, LoadFailure, Swap } from '../rules/current-rule-sets.ts'

const faultsShown = 3

/** One line of the log for a change that is in force. */
export function describeSwap(swap: Swap): string {
  if (swap.kind === 'withdraw') return `rules ${swap.policy}: withdrawn, ${swap.hash} decides no more`
  const { policy, ruleSet, difference } = swap
  const { added, changed, removed, declarations } = difference
  const parts = [
    ...(difference.before === null ? [] : [counts(added.length, changed.length, removed.length)]),
    ...(declarations.length === 0 ? [] : [`changed: ${declarations.join(', ')}`]),
  ]
  return [`rules ${policy}: in force ${ruleSet.hash}`, `${ruleSet.rules.size} rules`, ...parts].join(', ')
}

function counts(added: number, changed: number, removed: number): string {
  return `${added} added, ${changed} changed, ${removed} removed`
}

/** One line of the log for something that is refused. */
export function describeFailure(failure: LoadFailure, { active }: CurrentRules): string {
  const { folder, policy, faults } = failure
  const serving = policy === null ? undefined : active.get(policy)?.ruleSet.hash
  const fate = serving === undefined ? 'nothing of it is in force' : `${serving} goes on deciding`
  const shown = faults.slice(0, faultsShown).map(({ at, why }) => `${at}: ${why.split('\n')[0]}`)
  const more = faults.length > faultsShown ? ` | and ${faults.length - faultsShown} more` : ''
  const name = policy ?? (folder === '' ? '(all)' : folder)
  return `rules ${name}: refused, ${fate}: ${shown.join(' | ')}${more}`
}
