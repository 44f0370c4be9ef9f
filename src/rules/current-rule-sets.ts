import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { compareText } from '../domain/compare-text.ts'
import type { RulesDifference } from '../domain/rules-report.ts'
import { Failure, type Fault } from '../errors.ts'
import { compareRuleSets } from './compare-rule-sets.ts'
import { findCut } from './find-cut.ts'
import { findVanished } from './find-vanished.ts'
import { readWithdrawn } from './read-withdrawn.ts'
import type { RuleSet } from './rule-set.ts'
import type { PackFile } from './split-files.ts'

/** What lies in one folder; `faults` names what can't be read of it. */
export interface OfferedPack {
  readonly folder: string
  readonly files: readonly PackFile[]
  readonly faults: readonly Fault[]
}

/** Everything that lies among the rules at one moment; with `faults`, nothing could be read. */
export interface Offer {
  readonly packs: readonly OfferedPack[]
  readonly withdrawn: PackFile | undefined
  readonly overlooked: readonly string[]
  readonly faults: readonly Fault[]
}

/** The rule set that decides for a policy. */
export interface ActiveSet {
  readonly ruleSet: RuleSet
  /** Since when, as an instant. */
  readonly since: string
  /** The folder it was last read from. */
  readonly folder: string | null
  /** Text of each file it was read from, by path; empty when it came from the store. */
  readonly texts: ReadonlyMap<string, string>
  readonly change: (RulesDifference & { readonly at: string }) | null
}

/** What lies there now, and is not in force. */
export interface LoadFailure {
  /** Empty: all of the rules. */
  readonly folder: string
  /** The policy it belongs to, as far as that can be told. */
  readonly policy: string | null
  readonly since: string
  readonly at: string
  readonly faults: readonly Fault[]
}

/** All that is in force and all that is not. Never changed; each step makes another. */
export interface CurrentRules {
  /** By policy, in order of their names. */
  readonly active: ReadonlyMap<string, ActiveSet>
  readonly failures: readonly LoadFailure[]
  readonly overlooked: readonly string[]
  /** What came of each folder's files when they were last loaded. */
  readonly loaded: ReadonlyMap<string, Loaded>
}

/** What came of loading the files that have this digest. */
export interface Loaded {
  readonly digest: string
  readonly outcome: { readonly ruleSet: RuleSet } | { readonly faults: readonly Fault[] }
}

/** One change that waits to be stored; only then is it put in force, by `withSwap`. */
export type Swap =
  | {
      readonly kind: 'activate'
      readonly policy: string
      readonly folder: string
      readonly ruleSet: RuleSet
      readonly texts: ReadonlyMap<string, string>
      readonly difference: RulesDifference
    }
  | { readonly kind: 'withdraw'; readonly policy: string; readonly hash: string }

/** Loads a pack: its rule set, or `RULE_FILE_INVALID`. */
export type Load = (files: readonly PackFile[]) => RuleSet

/** Nothing offered yet; `active` is what was in force before, from the store. */
export function startingWith(active: ReadonlyMap<string, ActiveSet> = new Map()): CurrentRules {
  return { active, failures: [], overlooked: [], loaded: new Map() }
}

/**
 * Judges what lies there now, each pack for itself: good and new becomes a swap; bad becomes a failure, and the set
 * in force stays. Bad is whatever does not load, two packs of one policy, a rule that has vanished without being
 * retired, a file that looks cut, and a pack that has vanished without being withdrawn.
 */
export function judgeOffer(
  current: CurrentRules,
  offer: Offer,
  at: string,
  load: Load,
): { readonly next: CurrentRules; readonly swaps: readonly Swap[] } {
  if (offer.faults.length > 0) {
    return { next: { ...current, failures: failuresOf(current, wholeFaults(current, offer), at) }, swaps: [] }
  }
  const loaded = new Map(offer.packs.map((pack) => [pack.folder, loadOnce(pack, current, load)]))
  const twice = foldersOfSeveral(loaded)
  const bad: Bad[] = []
  const swaps: Swap[] = []
  const seen = new Set<string>()
  const active = new Map(current.active)
  for (const pack of offer.packs) {
    const { outcome } = loaded.get(pack.folder) ?? loadOnce(pack, current, load)
    const policy = policyOf(outcome, pack, current)
    if (policy !== null) seen.add(policy)
    const judged = judgePack(pack, outcome, policy === null ? undefined : active.get(policy), twice)
    if ('faults' in judged) bad.push({ folder: pack.folder, policy, faults: judged.faults })
    else if ('swap' in judged) swaps.push(judged.swap)
    else active.set(judged.policy, judged.same)
  }
  const { policies: withdrawn, faults } = readWithdrawn(offer.withdrawn)
  if (faults.length > 0) bad.push({ folder: offer.withdrawn?.path ?? '', policy: null, faults })
  for (const [policy, { folder, ruleSet }] of current.active) {
    if (seen.has(policy)) continue
    if (withdrawn.has(policy)) swaps.push({ kind: 'withdraw', policy, hash: ruleSet.hash })
    else bad.push({ folder: folder ?? policy, policy, faults: [gone(policy, folder)] })
  }
  const { overlooked } = offer
  return { next: { active, failures: failuresOf(current, bad, at), overlooked, loaded }, swaps }
}

/** Puts one stored change in force. */
export function withSwap(current: CurrentRules, swap: Swap, at: string): CurrentRules {
  const active = new Map(current.active)
  if (swap.kind === 'withdraw') active.delete(swap.policy)
  else {
    const { ruleSet, folder, texts, difference } = swap
    active.set(swap.policy, { ruleSet, folder, texts, since: at, change: { ...difference, at } })
  }
  return { ...current, active: inOrder(active) }
}

/** Leaves one change aside that could not be stored; `before` is how things were before it was judged. */
export function withoutSwap(
  current: CurrentRules,
  swap: Swap,
  at: string,
  why: string,
  before: CurrentRules,
): CurrentRules {
  const folder = swap.kind === 'activate' ? swap.folder : swap.policy
  const bad = { folder, policy: swap.policy, faults: [{ at: folder, why }] }
  const known = { failures: [...before.failures, ...current.failures] }
  return { ...current, failures: failuresOf(known, [...current.failures, bad], at) }
}

interface Bad {
  readonly folder: string
  readonly policy: string | null
  readonly faults: readonly Fault[]
}

function loadOnce(pack: OfferedPack, current: CurrentRules, load: Load): Loaded {
  const digest = digestOf(pack)
  const before = current.loaded.get(pack.folder)
  if (before?.digest === digest) return before
  if (pack.faults.length > 0) return { digest, outcome: { faults: pack.faults } }
  try {
    return { digest, outcome: { ruleSet: load(pack.files) } }
  } catch (error) {
    return { digest, outcome: { faults: faultsOf(error, pack.folder) } }
  }
}

/** Whatever a file does to the loader, what is in force stays so. */
function faultsOf(error: unknown, folder: string): readonly Fault[] {
  if (error instanceof Failure) return withFolder(error.faults, folder)
  const name = error instanceof Error ? `${error.name}: ${error.message}` : typeof error
  return [{ at: folder, why: `the pack makes the loader fail, which is a mistake of ours: ${name}` }]
}

/** A fault of the pack as a whole names its folder. */
function withFolder(faults: readonly Fault[], folder: string): readonly Fault[] {
  return faults.map((fault) => (fault.at === '' ? { ...fault, at: folder } : fault))
}

function digestOf({ files, faults }: OfferedPack): string {
  return sha256(canonicalJson([files.map(({ path, text }) => [path, text.toWellFormed()]), faults]))
}

type Judged =
  | { readonly faults: readonly Fault[] }
  | { readonly swap: Swap }
  | { readonly policy: string; readonly same: ActiveSet }

function judgePack(
  { folder, files }: OfferedPack,
  outcome: Loaded['outcome'],
  before: ActiveSet | undefined,
  twice: ReadonlyMap<string, readonly string[]>,
): Judged {
  if ('faults' in outcome) return outcome
  const { ruleSet } = outcome
  const { policy } = ruleSet.policy
  const folders = twice.get(policy)
  if (folders !== undefined) return { faults: [several(policy, folder, folders)] }
  const texts = new Map(files.map((file) => [file.path, file.text]))
  if (before?.ruleSet.hash === ruleSet.hash) return { policy, same: { ...before, folder, texts } }
  const faults = before === undefined ? [] : faultsAgainst(before, ruleSet, folder, files)
  if (faults.length > 0) return { faults }
  const difference = compareRuleSets(before?.ruleSet, ruleSet)
  return { swap: { kind: 'activate', policy, folder, ruleSet, texts, difference } }
}

/** What is wrong with a good set only because of what is in force. */
export function faultsAgainst(
  before: ActiveSet,
  ruleSet: RuleSet,
  folder: string,
  files: readonly PackFile[],
): readonly Fault[] {
  return [
    ...findVanished(before.ruleSet, ruleSet, folder),
    ...findCut(before.ruleSet, before.texts, ruleSet, files),
  ]
}

/** The policy a pack is of; for one that does not load, what its policy.yaml says, or what was in force from there. */
function policyOf(outcome: Loaded['outcome'], pack: OfferedPack, { active }: CurrentRules): string | null {
  if ('ruleSet' in outcome) return outcome.ruleSet.policy.policy
  const text = pack.files.find(({ path }) => path.endsWith('/policy.yaml'))?.text ?? ''
  const said = /^policy:[ \t]*['"]?([a-z][a-z0-9-]*)['"]?[ \t]*(?:#.*)?$/m.exec(text)?.[1]
  if (said !== undefined) return said
  for (const [policy, { folder }] of active) if (folder === pack.folder) return policy
  return active.has(pack.folder) ? pack.folder : null
}

function foldersOfSeveral(loaded: ReadonlyMap<string, Loaded>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>()
  for (const [folder, { outcome }] of loaded) {
    if (!('ruleSet' in outcome)) continue
    const { policy } = outcome.ruleSet.policy
    folders.set(policy, [...(folders.get(policy) ?? []), folder])
  }
  return new Map([...folders].filter(([, list]) => list.length > 1))
}

function several(policy: string, folder: string, folders: readonly string[]): Fault {
  const others = folders.filter((other) => other !== folder).map((other) => `\`${other}\``)
  return {
    at: folder,
    why: `policy \`${policy}\` has a second pack in ${others.join(', ')}; keep one folder for each policy`,
  }
}

function gone(policy: string, folder: string | null): Fault {
  const at = folder ?? policy
  return {
    at,
    why: `the pack of policy \`${policy}\` has vanished (no folder has its policy.yaml); put it back, or name the policy in \`withdrawn.yaml\` beside the packs: \`withdrawn: [${policy}]\``,
  }
}

function wholeFaults({ active }: CurrentRules, { faults }: Offer): readonly Bad[] {
  if (active.size === 0) return [{ folder: '', policy: null, faults }]
  return [...active].map(([policy, { folder }]) => ({ folder: folder ?? policy, policy, faults }))
}

/** What stays bad has been failing since it first was, whatever was wrong with it. */
function failuresOf(
  known: Pick<CurrentRules, 'failures'>,
  bad: readonly Bad[],
  at: string,
): readonly LoadFailure[] {
  const earlier = new Map(known.failures.map((failure) => [nameOf(failure), failure]))
  const failures = bad.map(({ folder, policy, faults }): LoadFailure => {
    const before = earlier.get(nameOf({ folder, policy }))
    const same = before !== undefined && canonicalJson(before.faults) === canonicalJson(faults)
    return { folder, policy, faults, since: before?.since ?? at, at: same ? before.at : at }
  })
  return failures.sort((one, other) => compareText(one.folder, other.folder))
}

/** A policy goes on failing when its folder gets another name. */
function nameOf({ folder, policy }: Pick<LoadFailure, 'folder' | 'policy'>): string {
  return policy === null ? `folder ${folder}` : `policy ${policy}`
}

function inOrder(active: ReadonlyMap<string, ActiveSet>): ReadonlyMap<string, ActiveSet> {
  return new Map([...active].sort(([one], [other]) => compareText(one, other)))
}
