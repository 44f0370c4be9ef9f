import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import { type LiveRules, openRules } from '../reload/open-rules.ts'
import { restoreActive } from '../reload/restore-active.ts'
import type { CheckRuleSet } from '../reload/rule-set-check.ts'
import type { Surroundings } from './command.ts'
import { keepRulesCurrent } from './keep-rules-current.ts'

export interface StartedRules extends AsyncDisposable {
  readonly rules: LiveRules
}

/**
 * Puts the rules in force that were, takes what lies among them now, and keeps them current. A rules folder that is
 * not there yet is waited for. Failures: RULE_FILE_INVALID when a pack is bad and nothing was ever in force over this
 * store, so that a first start says what is wrong; those of the store.
 */
export async function startRules(
  store: Store,
  config: Config,
  metrics: Metrics,
  checkRuleSet: CheckRuleSet,
  { clock, err, ruleSource }: Pick<Surroundings, 'clock' | 'err' | 'ruleSource'>,
): Promise<StartedRules> {
  const log = (line: string) => err(`${line}\n`)
  const active = await restoreActive(store, log, checkRuleSet)
  const failingMaxMs = config.rulesFailingMaxS * 1000
  // What a first start says is said by the start itself.
  let isStarted = active.size > 0
  const tell = (line: string) => {
    if (isStarted) log(line)
  }
  const rules = openRules({ store, clock, metrics, failingMaxMs, active, log: tell, checkRuleSet })
  const source = ruleSource(config, log)
  const kept = await keepRulesCurrent({ source, rules, clock, log, settleMs: config.rulesSettleMs })
  isStarted = true
  const faults = rules.current().failures.flatMap(({ folder, faults }) => (folder === '' ? [] : faults))
  if (active.size === 0 && faults.length > 0) {
    await kept.stop()
    throw new Failure('RULE_FILE_INVALID', faults)
  }
  return { rules, [Symbol.asyncDispose]: () => kept.stop() }
}
