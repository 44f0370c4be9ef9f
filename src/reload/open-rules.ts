import { compareText } from '../domain/compare-text.ts'
import type { RecordBody } from '../domain/record.ts'
import { readInstant, writeInstant } from '../domain/time.ts'
import { Failure } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import {
  type ActiveSet,
  type CurrentRules,
  judgeOffer,
  type LoadFailure,
  type Offer,
  type Swap,
  startingWith,
  withoutSwap,
  withSwap,
} from '../rules/current-rule-sets.ts'
import { loadPack } from '../rules/load-pack.ts'
import { openYamlMemory } from '../rules/remember-yaml.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { checkPack } from './check-pack.ts'
import { describeFailure, describeSwap } from './describe-reload.ts'
import { openUnderWay } from './open-under-way.ts'
import { readAhead } from './read-ahead.ts'
import { reportRules, reportVersions } from './report-rules.ts'
import { type CheckRuleSet, requireGood } from './rule-set-check.ts'
import type { RulesService } from './rules-service.ts'

export interface RulesDeps {
  readonly store: Pick<Store, 'saveRuleSet' | 'lastActiveRuleSets' | 'appendRecord'>
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly metrics: Metrics
  /** Decisions of a policy are refused when its pack has been bad for longer; 0: never. */
  readonly failingMaxMs: number
  /** What was in force before, by policy (`restoreActive`). */
  readonly active?: ReadonlyMap<string, ActiveSet>
  /** Holds a rule set against the causal knowledge, which stays the same while the process runs. */
  readonly checkRuleSet?: CheckRuleSet
}

/** The rules of a service, and the way in for new ones. */
export interface LiveRules extends RulesService {
  /**
   * Takes what lies there now: good packs go into force one by one, each once it is stored; bad ones are refused and
   * change nothing. One offer at a time. False when something could not be stored, and should be offered again.
   */
  offer(offer: Offer): Promise<boolean>
  current(): CurrentRules
}

const actor = 'service'
const checksWaitingMax = 4

export function openRules(deps: RulesDeps): LiveRules {
  const { store, clock, log, metrics } = deps
  const memory = openYamlMemory()
  const underWay = openUnderWay()
  const reloads = metrics.counter('causebook_rule_reloads_total', 'Changes of the rules, by how they ended.')
  let current = startingWith(deps.active)
  let ruleSets = setsOf(current)
  let checking: Promise<unknown> = Promise.resolve()
  let checks = 0
  const nowText = () => writeInstant(clock.nowMs())

  metrics.gauge('causebook_rule_set_age_seconds', 'How long each rule set has been in force.', () =>
    [...current.active].map(([policy, { since }]) => ({
      labels: { policy },
      value: secondsSince(since, clock.nowMs()),
    })),
  )
  metrics.gauge('causebook_rules_failing_seconds', 'How long each bad pack has been bad.', () =>
    current.failures.map(({ policy, folder, since }) => ({
      labels: { policy: policy ?? '', folder },
      value: secondsSince(since, clock.nowMs()),
    })),
  )

  async function offer(offered: Offer): Promise<boolean> {
    const before = current
    await readAhead(offered, memory, clock)
    const { next, swaps } = judgeOffer(before, offered, nowText(), (files) =>
      requireGood(loadPack(files, memory.read), deps.checkRuleSet),
    )
    current = next
    tellFailures(before.failures, next.failures)
    tellGoodAgain(before.failures, swaps)
    let isStored = true
    for (const swap of swaps) {
      try {
        const since = await record(swap)
        // Invariant: one assignment, between decisions; each decision reads the map once.
        current = withSwap(current, swap, since)
        ruleSets = setsOf(current)
        underWay.turn()
        reloads.add({ result: 'ok' })
        log(describeSwap(swap))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        isStored = false
        const why = `the rules are good, but could not be stored, so they are not in force: ${error.message}`
        const held = current
        current = withoutSwap(held, swap, nowText(), why, before)
        tellFailures([...before.failures, ...held.failures], current.failures)
      }
    }
    return isStored
  }

  /** Stores a change, its content first, and gives the time it is in force from. */
  async function record(swap: Swap): Promise<string> {
    if (swap.kind === 'activate') await store.saveRuleSet(swap.ruleSet.hash, swap.ruleSet.canonical)
    const last = (await store.lastActiveRuleSets()).find(({ policy }) => policy === swap.policy)
    // Another process over the same store was there before.
    if (swap.kind === 'activate' && last?.hash === swap.ruleSet.hash) return last.since
    const at = nowText()
    if (swap.kind === 'activate' || last !== undefined) await store.appendRecord(actor, at, bodyOf(swap))
    return at
  }

  function tellFailures(before: readonly LoadFailure[], now: readonly LoadFailure[]): void {
    const told = new Set(before.map(({ folder, policy, at }) => `${folder}\n${policy}\n${at}`))
    for (const failure of now) {
      if (told.has(`${failure.folder}\n${failure.policy}\n${failure.at}`)) continue
      reloads.add({ result: 'bad' })
      log(describeFailure(failure, current))
    }
  }

  /** What lies there is once more what decides; a change of what decides is told when it is in force. */
  function tellGoodAgain(before: readonly LoadFailure[], swaps: readonly Swap[]): void {
    const still = new Set([...current.failures, ...swaps].map(({ policy }) => policy))
    for (const policy of new Set(before.map((failure) => failure.policy))) {
      const active = policy === null || still.has(policy) ? undefined : current.active.get(policy)
      if (active !== undefined) log(`rules ${policy}: good again, ${active.ruleSet.hash} decides`)
    }
  }

  /** After every decision by an earlier set has been answered. */
  async function settled(): Promise<CurrentRules> {
    const told = current
    await underWay.settled()
    // Lets those answers out first.
    await new Promise((resolve) => setImmediate(resolve))
    return told
  }

  return {
    offer,
    current: () => current,
    ruleSets: () => ruleSets,
    begin(policy) {
      const failing = failingSince(policy, current.failures)
      if (deps.failingMaxMs > 0 && failing !== undefined) {
        const forMs = clock.nowMs() - (readInstant(failing) ?? 0)
        if (forMs > deps.failingMaxMs) throw failingFor(policy, failing)
      }
      return underWay.begin()
    },
    report: async () => reportRules(await settled()),
    versions: async (ruleId) => reportVersions(ruleId, await settled(), clock.nowMs()),
    async check(files) {
      if (checks >= checksWaitingMax) {
        throw new Failure('OVERLOADED', {
          at: '',
          why: `${checks} packs wait to be checked; try again later`,
        })
      }
      checks += 1
      const turn = checking.then(() => new Promise((resolve) => setImmediate(resolve)))
      const result = turn.then(() => checkPack(files, current, deps.checkRuleSet))
      checking = result.catch(() => {})
      try {
        return await result
      } finally {
        checks -= 1
      }
    },
    health: () => healthOf(current),
  }
}

function setsOf({ active }: CurrentRules): ReadonlyMap<string, RuleSet> {
  return new Map([...active].map(([policy, { ruleSet }]) => [policy, ruleSet]))
}

function bodyOf(swap: Swap): RecordBody {
  const { policy } = swap
  if (swap.kind === 'withdraw') {
    return { kind: 'policy_withdrawn', payload: { policy, rule_set: swap.hash } }
  }
  const { before, added, changed, removed } = swap.difference
  return {
    kind: 'rule_set_activated',
    payload: { policy, rule_set: swap.ruleSet.hash, before, added, changed, removed },
  }
}

function failingSince(policy: string, failures: readonly LoadFailure[]): string | undefined {
  return failures
    .filter((failure) => failure.policy === policy)
    .map(({ since }) => since)
    .sort(compareText)[0]
}

function failingFor(policy: string, since: string): Failure {
  const why = `the rules of policy \`${policy}\` have been bad since ${since}, longer than CAUSEBOOK_RULES_FAILING_MAX_S allows; \`GET /v1/rules\` tells what is wrong`
  return new Failure('RULES_FAILING', { at: '/policy', why })
}

function secondsSince(instant: string, nowMs: number): number {
  return Math.max(0, (nowMs - (readInstant(instant) ?? nowMs)) / 1000)
}

/** Ready while something decides; a bad pack beside it is told, and changes nothing. */
function healthOf({ active, failures }: CurrentRules): { ok: boolean; detail: string } {
  const sets = [...active].map(([policy, { ruleSet, since }]) => `${policy} ${ruleSet.hash} since ${since}`)
  const bad = failures.map(({ policy, folder, since, faults }) => {
    const [first] = faults
    const told = first === undefined ? '' : `: ${first.at}: ${first.why.split('\n')[0]}`
    return `${policy ?? (folder === '' ? 'all' : folder)} failing since ${since}${told}`
  })
  const detail = [...(sets.length === 0 ? ['no policy is loaded'] : sets), ...bad].join('; ')
  return { ok: sets.length > 0, detail }
}
