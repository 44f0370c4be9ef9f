import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import type { PolicyRules, RulesFailure, RulesReport, RuleVersions } from '../domain/rules-report.ts'
import { Failure } from '../errors.ts'
import type { ActiveSet, CurrentRules, LoadFailure } from '../rules/current-rule-sets.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import { rulesInForce } from '../rules/rules-in-force.ts'

/** What is in force and what is not, for `GET /v1/rules`. */
export function reportRules(current: CurrentRules): RulesReport {
  const { active, failures, overlooked } = current
  return {
    policies: [...active].map(([policy, set]) => reportPolicy(policy, set, failures)),
    refused: failures
      .filter(({ policy }) => policy === null || !active.has(policy))
      .map((failure) => ({ folder: failure.folder, failure: failureOf(failure) })),
    overlooked: [...overlooked],
  }
}

function reportPolicy(policy: string, set: ActiveSet, failures: readonly LoadFailure[]): PolicyRules {
  const { ruleSet, since, folder, texts, change } = set
  const failing = failures.filter((failure) => failure.policy === policy)
  return {
    policy,
    version: ruleSet.policy.version,
    set: ruleSet.hash,
    since,
    folder,
    files: [...texts].map(([path, text]) => ({ path, hash: sha256(text) })),
    rules: [...ruleSet.versions].map(([rule_id, versions]) => ({
      rule_id,
      versions: versions.map(entryOf),
    })),
    regulations: [...new Set([...ruleSet.rules.values()].map(({ rule }) => rule.regulation))].sort(
      compareText,
    ),
    retired: [...(ruleSet.policy.retired ?? [])],
    change,
    failure: failing.length === 0 ? null : together(failing),
  }
}

function entryOf({ rule }: CompiledRule) {
  return {
    version: rule.version,
    effective_from: rule.effective?.from ?? null,
    effective_until: rule.effective?.until ?? null,
    regulation: rule.regulation,
  }
}

function failureOf({ since, at, faults }: LoadFailure): RulesFailure {
  return { since, at, errors: faults.map((fault) => ({ at: fault.at, why: fault.why })) }
}

/** Two folders may be wrong about one policy. */
function together(failures: readonly LoadFailure[]): RulesFailure {
  const times = (take: (failure: LoadFailure) => string) => failures.map(take).sort(compareText)
  return {
    since: times(({ since }) => since)[0] ?? '',
    at: times(({ at }) => at).at(-1) ?? '',
    errors: failures.flatMap((failure) => failureOf(failure).errors),
  }
}

/** Every version of one rule, for `GET /v1/rules/{id}`. Failure: RULE_UNKNOWN. */
export function reportVersions(ruleId: string, { active }: CurrentRules, nowMs: number): RuleVersions {
  const policies = [...active].flatMap(([policy, { ruleSet }]) => {
    const versions = ruleSet.versions.get(ruleId)
    if (versions === undefined) return []
    const inForce = new Set(rulesInForce(ruleSet, nowMs).inForce.map(({ id }) => id))
    const entries = versions.map((compiled) => ({
      ...entryOf(compiled),
      in_force: inForce.has(compiled.id),
      description: compiled.rule.description,
      tests: compiled.rule.tests?.length ?? 0,
      content: canonicalJson(compiled.rule),
    }))
    return [{ policy, set: ruleSet.hash, versions: entries }]
  })
  if (policies.length > 0) return { rule_id: ruleId, policies }
  throw new Failure('RULE_UNKNOWN', { at: '', why: `no rule has the id \`${ruleId.slice(0, 100)}\`` })
}
