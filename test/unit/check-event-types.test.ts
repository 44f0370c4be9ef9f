import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readMigrations } from '../../src/adapters/files/read-migrations.ts'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { openDeployment } from '../../src/commands/deployment.ts'
import { checkEventNames } from '../../src/commands/doctor/check-event-names.ts'
import { openRuleSetCheck } from '../../src/commands/open-rule-set-check.ts'
import { checkEventTypes, checkReach } from '../../src/decision/check-event-types.ts'
import { Failure } from '../../src/errors.ts'
import { foldKnowledge } from '../../src/graph/fold-knowledge.ts'
import type { Knowledge } from '../../src/graph/knowledge.ts'
import type { Store } from '../../src/ports/store.ts'
import { openRules } from '../../src/reload/open-rules.ts'
import { restoreActive } from '../../src/reload/restore-active.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { PackFile } from '../../src/rules/parse-pack.ts'
import { countingRandomness } from '../support/open-test-service.ts'

const clock = { nowMs: () => Date.parse('2026-06-01T12:00:00Z') }
const migrations = await readMigrations('graph')
const { packs } = await readPacks('rules')

/** The files of us-consumer with something spelt another way in one of them. */
function misspelt(file: string, right: string, wrong: string): readonly PackFile[] {
  const pack = packs.find(({ folder }) => folder === 'us-consumer')
  assert.ok(pack)
  return pack.files.map(({ path, text }) => {
    if (!path.endsWith(`/${file}`)) return { path, text }
    assert.ok(text.includes(right), `${file} has no ${right}`)
    return { path, text: text.replaceAll(right, wrong) }
  })
}

const typos = [
  {
    what: 'episodes that are counted',
    files: misspelt('facts.yaml', 'episodes: {type: credit_overdue', 'episodes: {type: credit_overdu'),
    at: 'us-consumer/facts.yaml',
    why: /`overdues_60_days_12m` counts episodes: there is no event type `credit_overdu` .*did you mean `credit_overdue`\?/,
  },
  {
    what: 'a finding',
    files: misspelt('US-08a.yaml', 'dti_high', 'dti_hihg'),
    at: 'us-consumer/US-08a@1.0.0',
    why: /a finding: there is no event type `dti_hihg` .*did you mean `dti_high`\?/,
  },
  {
    what: 'an outcome',
    files: misspelt('policy.yaml', 'event: status_hold', 'event: status_holt').map((file) => ({
      ...file,
      text: file.text.replaceAll('toward: status_hold}', 'toward: status_holt}'),
    })),
    at: 'us-consumer/policy.yaml',
    why: /the outcome `hold`: there is no event type `status_holt` .*did you mean `status_hold`\?/,
  },
] as const

let store: Store
let knowledge: Knowledge
before(async () => {
  store = openMemoryStore()
  await openRuleSetCheck(store, migrations, clock)
  knowledge = foldKnowledge(await store.readGraphLog())
})

describe('event types that a rule set names', () => {
  it('are all known, and every finding reaches what it works toward, in our own packs', async () => {
    for (const { files } of packs) {
      const ruleSet = loadPack(files)
      assert.deepEqual(checkEventTypes(ruleSet, knowledge), [])
      assert.deepEqual(checkReach(ruleSet, knowledge), [])
    }
  })

  for (const example of ['south-german-credit', 'identity-check', 'lending-tables']) {
    it(`are all known, and every finding reaches what it works toward, in the example ${example}`, async () => {
      const held = openMemoryStore()
      const check = await openRuleSetCheck(held, await readMigrations(`examples/${example}/graph`), clock)
      for (const { files } of (await readPacks(`examples/${example}/rules`)).packs) {
        assert.deepEqual(check(loadPack(files)), { errors: [], warnings: [] })
      }
    })
  }

  for (const { what, files, at, why } of typos) {
    it(`are told with policy, file or rule and the nearest name when misspelt: ${what}`, () => {
      const faults = checkEventTypes(loadPack(files), knowledge)
      const found = faults.find((fault) => fault.at === at)
      assert.match(found?.why ?? '', why)
    })

    it(`refuse the start when misspelt, and nothing is stored: ${what}`, async () => {
      const empty = openMemoryStore()
      const ruleSet = loadPack(files)
      const parts = { store: empty, ruleSets: [ruleSet], migrations, clock, randomness: countingRandomness() }
      await assert.rejects(openDeployment({ ...parts, deadlineMs: 1000, engine: 'test' }), refusal(at))
      assert.equal(await empty.findRuleSet(ruleSet.hash), undefined)
    })
  }
})

it('doctor tells event types that are unknown, and nothing where packs or graph cannot be read', async () => {
  const packsOf = (files: readonly PackFile[]) => async () => ({
    ruleSets: [loadPack(files)],
    overlooked: [],
  })
  const look = (files: readonly PackFile[], held: Store | undefined) =>
    checkEventNames(packsOf(files), async () => migrations, held, clock.nowMs())
  for (const held of [store, undefined]) {
    const [finding, ...others] = await look(typos[0].files, held)
    assert.deepEqual([finding?.check, finding?.state, others], ['packs', 'problem', []])
    assert.match(finding?.details?.join() ?? '', /^us-consumer\/facts\.yaml: .*`credit_overdu`/)
  }
  assert.deepEqual(await look(packs.find(({ folder }) => folder === 'us-consumer')?.files ?? [], store), [])
  const unreadable = () => Promise.reject(new Failure('RULE_FILE_INVALID', { at: '', why: 'no' }))
  assert.deepEqual(await checkEventNames(unreadable, async () => migrations, store, 0), [])
})

describe('rules that change while the service runs', () => {
  const [typo] = typos

  async function started() {
    const checkRuleSet = await openRuleSetCheck(store, migrations, clock)
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const rules = openRules({ store, clock, log, metrics: openMetrics(), failingMaxMs: 0, checkRuleSet })
    const offer = (files: readonly PackFile[]) =>
      rules.offer({
        packs: [{ folder: 'us-consumer', files, faults: [] }],
        withdrawn: undefined,
        overlooked: [],
        faults: [],
      })
    return { rules, offer, lines }
  }

  it('do not go into force with an event type that is unknown; the last good ones decide on', async () => {
    const { rules, offer } = await started()
    const good = misspelt('US-08a.yaml', 'dti_high', 'dti_high')
    await offer(good)
    await offer(typo.files)
    assert.equal(rules.ruleSets().get('us-consumer')?.hash, loadPack(good).hash)
    assert.deepEqual(
      rules.current().failures.map(({ faults }) => faults.map(({ at }) => at)),
      [[typo.at]],
    )
  })

  it('are told so when they are only checked', async () => {
    const { rules } = await started()
    const { ok, errors } = await rules.check(typo.files)
    assert.deepEqual([ok, errors.map(({ at }) => at)], [false, [typo.at]])
  })

  it('are not put in force again from a store that took them before they were checked', async () => {
    const held = openMemoryStore()
    const ruleSet = loadPack(typo.files)
    const unchecked = openRules({
      store: held,
      clock,
      log: () => {},
      metrics: openMetrics(),
      failingMaxMs: 0,
    })
    const offered = { folder: 'us-consumer', files: typo.files, faults: [] }
    await unchecked.offer({ packs: [offered], withdrawn: undefined, overlooked: [], faults: [] })
    assert.equal((await restoreActive(held, () => {})).get('us-consumer')?.ruleSet.hash, ruleSet.hash)
    const check = await openRuleSetCheck(held, migrations, clock)
    const lines: string[] = []
    assert.equal((await restoreActive(held, (line) => lines.push(line), check)).size, 0)
    assert.match(lines.join('\n'), /not put in force again: us-consumer\/facts\.yaml: .*`credit_overdu`/)
  })
})

describe('a finding without a way to what it works toward', () => {
  it('is a warning, not a fault', () => {
    const files = misspelt('US-08b.yaml', 'episode: dti_elevated', 'episode: hpml')
    const ruleSet = loadPack(
      files.map(({ path, text }) => ({ path, text: text.replaceAll('[dti_elevated]', '[hpml]') })),
    )
    assert.deepEqual(checkEventTypes(ruleSet, knowledge), [])
    const [warning, ...others] = checkReach(ruleSet, knowledge)
    assert.deepEqual(others, [])
    assert.equal(warning?.at, 'us-consumer/US-08b@1.0.0')
    assert.match(
      warning?.why ?? '',
      /at most 5 edges leads from the finding `hpml` to `manual_review_required`/,
    )
  })

  it('has one by an edge of any version, of a type that it is a kind of, over at most five edges', () => {
    const type = (id: string, isA: string[] = []) => ({
      id,
      isA,
      tauDays: 30,
      text: { en: id, zh: id },
      valid,
    })
    const valid = { fromMs: 0, untilMs: 1 }
    const names = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']
    const edges = names.slice(1).map((to, at) => {
      const from = names[at] ?? ''
      return [from, [{ id: `e-${at}`, from, relation: 'CAUSES' as const, to, versions: [] }]] as const
    })
    const chain: Pick<Knowledge, 'eventTypes' | 'edgesFrom'> = {
      eventTypes: new Map([
        ...names.map((id) => [id, [type(id)]] as const),
        ['kind', [type('kind', ['n0'])]],
      ]),
      edgesFrom: { CAUSES: new Map(edges), PREVENTS: new Map(), ACCOMPANIES: new Map() },
    }
    const ruleSet = loadPack(packs.find(({ folder }) => folder === 'us-consumer')?.files ?? [])
    const [rule] = ruleSet.rules.values()
    assert.ok(rule)
    const warned = (episode: string, toward: string) => {
      const changed = { ...rule, rule: { ...rule.rule, then: [{ episode, toward }] } }
      return checkReach({ policy: ruleSet.policy, rules: new Map([[rule.id, changed]]) }, chain).length
    }
    assert.equal(warned('n0', 'n5'), 0)
    assert.equal(warned('kind', 'n5'), 0)
    assert.equal(warned('n0', 'n6'), 1)
    assert.equal(warned('n0', 'n0'), 1)
    assert.equal(warned('n1', 'n0'), 1)
    assert.equal(warned('nowhere', 'n5'), 0)
  })
})

function refusal(at: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof Failure &&
    error.code === 'RULE_FILE_INVALID' &&
    error.faults.some((fault) => fault.at === at)
}
