import path from 'node:path'
import { readPacks } from '../src/adapters/files/read-packs.ts'
import { compileRules, evaluate } from '../src/rules/evaluate.ts'
import { evaluatePlainly } from '../src/rules/evaluate-plainly.ts'
import { loadPack } from '../src/rules/load-pack.ts'
import type { RuleSet } from '../src/rules/rule-set.ts'
import { type Measurement, measured, targeted } from './measurement.ts'
import { packQuestion } from './pack-question.ts'
import { jsonRulesEngineOf, type PeerRun, zenOf } from './rule-peers.ts'
import { aQuestion, contentOf, firingCount, policyOf, ruleSetOf, type TestsOfRules } from './rule-policy.ts'
import { sideBySide } from './side-by-side.ts'

const home = path.join(import.meta.dirname, '..')
const question = aQuestion()

/** What the bar is against ZEN with trace, by the size of the policy. */
const targets: Readonly<Record<number, number>> = { 10: 0.3, 1000: 0.05 }

/** The best engine known on this policy takes so much of ZEN with trace at 1,000 rules. */
const mark = 0.015

/** Rule evaluation beside json-rules-engine and ZEN: by size, order of conditions, and on the packs of the repository. */
export async function benchRules(): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = []
  const ours = new Map<number, number>()
  for (const count of [10, 100, 1000, 10_000]) {
    const rows = await besidePeers(`${count} rules`, policyOf(count, 'equality and ranges'), targets[count])
    ours.set(count, rows[0]?.ours ?? Number.NaN)
    measurements.push(...rows)
    if (count === 1000) measurements.push(againstMark(rows[0]))
  }
  measurements.push(growth(ours.get(100), ours.get(10_000)))
  measurements.push(...(await besidePeers('1000 rules of ranges only', policyOf(1000, 'ranges'))))
  measurements.push(...(await besidePeers('10000 rules of ranges only', policyOf(10_000, 'ranges'))))
  measurements.push(await orders(), compiling(), ...(await packs()))
  return measurements
}

/** Ours with the compact trace, then with every trace of the policy expanded, beside the same peers. */
async function besidePeers(
  name: string,
  rules: TestsOfRules,
  target?: number,
): Promise<readonly Measurement[]> {
  const ruleSet = ruleSetOf(rules)
  const peers: Record<string, PeerRun> = {
    'zen with trace': zenOf(rules, true),
    zen: zenOf(rules, false),
    'json-rules-engine': jsonRulesEngineOf(rules),
  }
  for (const [peer, run] of Object.entries(peers)) assertFires(peer, await run())
  assertFires('ours', firedOf(ruleSet))
  const { compact, expanded, ...others } = await sideBySide({
    compact: () => evaluate(ruleSet, question).findings,
    expanded: () => expandAll(ruleSet),
    ...peers,
  })
  const measurement = (metric: string, figure: number | undefined) =>
    measured('rules', { case: name, metric, unit: 'µs' }, figure ?? Number.NaN, others)
  const first = measurement('compact trace', compact)
  return [target === undefined ? first : targeted(first, target), measurement('expanded trace', expanded)]
}

function firedOf(ruleSet: RuleSet): readonly string[] {
  return evaluate(ruleSet, question).notable.map((rule) => rule.id)
}

function expandAll(ruleSet: RuleSet): number {
  let parts = 0
  for (const { trace } of evaluate(ruleSet, question).rules)
    parts += 'parts' in trace ? trace.parts.length : 1
  return parts
}

/** Figures are only worth comparing between engines that say the same. */
function assertFires(name: string, fired: readonly string[]): void {
  if (fired.length !== firingCount)
    throw new Error(`${name}: ${firingCount} rules fire; got ${fired.join(', ')}`)
}

function againstMark(row: Measurement | undefined): Measurement {
  const { case: name = '', unit = '', ours = Number.NaN, peers = {} } = row ?? {}
  const what = { case: name, metric: 'compact trace against the mark', unit }
  return targeted(measured('rules', what, ours, { 'zen with trace': peers['zen with trace'] ?? 0 }), mark)
}

function growth(small = Number.NaN, large = Number.NaN): Measurement {
  const what = { case: '10000 rules', metric: 'compact trace beside 100 rules', unit: 'µs' }
  return targeted(measured('rules', what, large, { '100 rules': small }), 4)
}

/** The slowest order of the three conditions of each rule beside the fastest. */
async function orders(): Promise<Measurement> {
  const rules = policyOf(1000, 'equality and ranges')
  const sets = Object.fromEntries(
    [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ].map((order) => {
      const turned = rules.map((tests) => order.flatMap((index) => tests[index] ?? []))
      return [order.join(''), ruleSetOf(turned)]
    }),
  )
  const figures = Object.values(
    await sideBySide(
      Object.fromEntries(
        Object.entries(sets).map(([order, ruleSet]) => [order, () => evaluate(ruleSet, question).findings]),
      ),
    ),
  )
  const what = { case: '1000 rules', metric: 'worst order of conditions', unit: 'µs' }
  return targeted(
    measured('rules', what, Math.max(...figures), { 'best order of conditions': Math.min(...figures) }),
    1.5,
  )
}

/** From checked content to the first answer. */
function compiling(): Measurement {
  const content = contentOf(policyOf(5000, 'equality and ranges'))
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    const startedMs = performance.now()
    evaluate(compileRules(content), question)
    times.push(performance.now() - startedMs)
  }
  const what = { case: '5000 rules', metric: 'compiled', unit: 'ms' }
  return targeted(
    measured('rules', what, times.sort((a, b) => a - b)[2] ?? Number.NaN, { 'one second': 1000 }),
    1,
  )
}

/** The packs of the repository on one of their examples, beside looking at every part of every rule. */
async function packs(): Promise<readonly Measurement[]> {
  const { packs: found } = await readPacks(path.join(home, 'rules'))
  const measurements: Measurement[] = []
  for (const pack of found) {
    const ruleSet = loadPack(pack.files)
    const asked = await packQuestion(ruleSet)
    if (asked === undefined) continue
    const figures = await sideBySide({
      compact: () => evaluate(ruleSet, asked).findings,
      expanded: () => evaluate(ruleSet, asked).rules.map((rule) => rule.trace),
      plain: () => evaluatePlainly(ruleSet, asked),
    })
    const peers = { 'every part of every rule': figures.plain }
    const name = ruleSet.policy.policy
    measurements.push(
      measured('rules', { case: name, metric: 'compact trace', unit: 'µs' }, figures.compact, peers),
      measured('rules', { case: name, metric: 'expanded trace', unit: 'µs' }, figures.expanded, peers),
    )
  }
  return measurements
}
