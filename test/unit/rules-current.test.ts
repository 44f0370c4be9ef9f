import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMemoryStore } from '../../src/adapters/memory/open-memory-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { Failure } from '../../src/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { anOffer, aPack, inForce, openTestRules, startedAtMs } from '../support/live-rules.ts'
import { policyYaml, ruleWith, ruleYaml } from '../support/pack-builders.ts'

const second = ruleWith({ id: 'T-2' })
const two = aPack({ 't-2.yaml': second })
const broken = aPack({ 'us-08a.yaml': `${ruleYaml}when: {` })
const other = aPack({ 'policy.yaml': policyYaml.replace('test-pack', 'other') }, 'other')

/** Policy with a line under `retired`. */
const retiring = (...names: string[]) => `${policyYaml}retired: [${names.join(', ')}]\n`

function records(store: Store) {
  return store.writers().then(async ([writer = '']) => {
    const all = await store.readLedger(writer, 0, 1000)
    return all.map(({ kind, payload, time }) => ({ kind, payload, time }))
  })
}

describe('rules that change while they decide', () => {
  it('a good pack goes into force, stored and recorded before it decides', async () => {
    const opened = await openTestRules()
    assert.equal(await opened.rules.offer(anOffer([two])), true)
    assert.deepEqual(inForce(opened), ['T-2@1.0.0', 'US-08a@1.0.0'])
    const ruleSet = opened.rules.ruleSets().get('test-pack')
    assert.equal(await opened.store.findRuleSet(ruleSet?.hash ?? ''), ruleSet?.canonical)
    assert.deepEqual(await records(opened.store), [
      {
        kind: 'rule_set_activated',
        time: new Date(startedAtMs).toISOString(),
        payload: {
          policy: 'test-pack',
          rule_set: ruleSet?.hash,
          before: null,
          added: ['T-2@1.0.0', 'US-08a@1.0.0'],
          changed: [],
          removed: [],
        },
      },
    ])
    assert.match(opened.logged.join(), /^rules test-pack: in force sha256:[0-9a-f]{64}, 2 rules$/)
    assert.deepEqual((await verifyLedger(opened.store)).faults, [])
  })

  it('a bad pack changes nothing of its own, and others go on without it', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const before = opened.rules.ruleSets().get('test-pack')
    await opened.rules.offer(anOffer([other, broken]))
    assert.equal(opened.rules.ruleSets().get('test-pack'), before)
    assert.deepEqual(inForce(opened, 'other'), ['US-08a@1.0.0'])
    const report = await opened.rules.report()
    assert.deepEqual(
      report.policies.map(({ policy, failure }) => [policy, failure?.errors.length ?? 0]),
      [
        ['other', 0],
        ['test-pack', 1],
      ],
    )
    assert.match(report.policies[1]?.failure?.errors[0]?.at ?? '', /^test-pack\/us-08a\.yaml:\d+:\d+$/)
  })

  it('good, broken, and the same good bytes again: in force all along, and no longer failing', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([two]))
    const [before] = (await opened.rules.report()).policies
    await opened.rules.offer(anOffer([broken]))
    assert.ok((await opened.rules.report()).policies[0]?.failure)
    assert.equal((await opened.rules.report()).policies[0]?.set, before?.set)
    await opened.rules.offer(anOffer([two]))
    assert.deepEqual((await opened.rules.report()).policies, [before])
    assert.equal((await records(opened.store)).length, 1)
    assert.match(opened.logged.at(-1) ?? '', /good again/)
  })

  it('a rule that vanishes makes the set bad, however old it is, until it is retired', async () => {
    const old = ruleWith({ id: 'T-2', more: 'effective: {from: 2020-01-01, until: 2021-01-01}' })
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack({ 't-2.yaml': old })]))
    await opened.rules.offer(anOffer([aPack()]))
    assert.deepEqual(inForce(opened), ['T-2@1.0.0', 'US-08a@1.0.0'])
    const [policy] = (await opened.rules.report()).policies
    assert.match(
      policy?.failure?.errors[0]?.why ?? '',
      /`T-2@1.0.0` is in force and has vanished; put its file back, or write `T-2@1.0.0` under `retired` in policy.yaml/,
    )
    await opened.rules.offer(anOffer([aPack({ 'policy.yaml': retiring('T-2') })]))
    const [after] = (await opened.rules.report()).policies
    assert.equal(after?.failure, null)
    assert.deepEqual(after?.change?.removed, ['T-2@1.0.0'])
    assert.deepEqual(after?.change?.declarations, ['policy'])
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
  })

  it('a version that vanishes beside a newer one makes the set bad too', async () => {
    const opened = await openTestRules()
    const newer = ruleYaml.replace('1.0.0', '1.1.0')
    await opened.rules.offer(anOffer([aPack()]))
    await opened.rules.offer(anOffer([aPack({ 'us-08a.yaml': newer })]))
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
    await opened.rules.offer(anOffer([aPack({ 'us-08a.yaml': `${ruleYaml}---\n${newer}` })]))
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0', 'US-08a@1.1.0'])
    const policy = retiring('US-08a@1.0.0')
    await opened.rules.offer(anOffer([aPack({ 'us-08a.yaml': newer, 'policy.yaml': policy })]))
    assert.deepEqual(inForce(opened), ['US-08a@1.1.0'])
  })

  it('a rule that is retired and still there is refused: nobody could tell whether it decides', async () => {
    for (const name of ['US-08a', 'US-08a@1.0.0']) {
      const opened = await openTestRules()
      await opened.rules.offer(anOffer([aPack({ 'policy.yaml': retiring(name) })]))
      assert.deepEqual(inForce(opened), [])
      const [refused] = (await opened.rules.report()).refused
      assert.match(refused?.failure.errors[0]?.why ?? '', /is retired, and `US-08a@1.0.0` is still here/)
    }
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack({ 'policy.yaml': retiring('"a rule"') })]))
    assert.match(
      JSON.stringify(await opened.rules.report()),
      /expected a rule such as `US-08a`, or a version/,
    )
  })

  it('a pack that vanishes goes on deciding until its policy is withdrawn', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack(), other]))
    await opened.rules.offer(anOffer([other]))
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
    assert.match(JSON.stringify(await opened.rules.report()), /the pack of policy `test-pack` has vanished/)
    const text = (content: string) => ({ path: 'withdrawn.yaml', text: content })
    await opened.rules.offer(anOffer([other], { withdrawn: text('withdrawn: [us-cons') }))
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'], 'a half-written list withdraws nothing')
    await opened.rules.offer(anOffer([other], { withdrawn: text('withdrawn: [test-pack]') }))
    assert.deepEqual([...opened.rules.ruleSets().keys()], ['other'])
    assert.deepEqual((await opened.rules.report()).refused, [])
    assert.equal((await records(opened.store)).at(-1)?.kind, 'policy_withdrawn')
    assert.deepEqual(
      (await opened.store.lastActiveRuleSets()).map(({ policy }) => policy),
      ['other'],
    )
  })

  it('an empty pack, an unreadable file and an unreadable folder change nothing', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([two]))
    for (const offer of [
      anOffer([aPack({ 'us-08a.yaml': undefined })]),
      anOffer([{ ...two, faults: [{ at: 'test-pack/t-2.yaml', why: "the file can't be read (EACCES)" }] }]),
      anOffer([], { faults: [{ at: '/rules', why: "the folder can't be read (ENOENT)" }] }),
      anOffer([{ folder: 'test-pack', files: [], faults: [] }]),
      anOffer([]),
    ]) {
      await opened.rules.offer(offer)
      assert.deepEqual(inForce(opened), ['T-2@1.0.0', 'US-08a@1.0.0'])
      assert.ok((await opened.rules.report()).policies[0]?.failure, JSON.stringify(offer).slice(0, 80))
    }
  })

  it('two packs of one policy are both refused, until one is gone', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const copy = aPack({ 't-2.yaml': second }, 'copy')
    await opened.rules.offer(anOffer([copy, aPack()]))
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
    const [policy] = (await opened.rules.report()).policies
    assert.deepEqual(
      policy?.failure?.errors.map(({ at }) => at),
      ['copy', 'test-pack'],
    )
    await opened.rules.offer(anOffer([copy]))
    assert.deepEqual(inForce(opened), ['T-2@1.0.0', 'US-08a@1.0.0'])
    assert.equal((await opened.rules.report()).policies[0]?.folder, 'copy')
  })

  it('bytes that say the same are no change', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const before = opened.rules.ruleSets()
    await opened.rules.offer(anOffer([aPack({ 'us-08a.yaml': `# reviewed\n${ruleYaml}` })]))
    assert.equal(opened.rules.ruleSets(), before)
    assert.equal((await records(opened.store)).length, 1)
  })

  it('a bad pack has been failing since it first was, whatever is wrong with it by now', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const failing = async () => (await opened.rules.report()).policies[0]?.failure
    opened.time.nowMs += 1000
    await opened.rules.offer(anOffer([broken]))
    opened.time.nowMs += 1000
    await opened.rules.offer(anOffer([broken]))
    const since = new Date(startedAtMs + 1000).toISOString()
    assert.deepEqual([(await failing())?.since, (await failing())?.at], [since, since])
    await opened.rules.offer(anOffer([]))
    const at = new Date(startedAtMs + 2000).toISOString()
    assert.deepEqual([(await failing())?.since, (await failing())?.at], [since, at])
    assert.equal(opened.logged.filter((line) => line.includes('refused')).length, 2, 'told once each')
  })

  it('rules that can not be stored are not in force, and go in once they can', async () => {
    const store = openMemoryStore()
    let isFull = false
    const full = () => {
      if (isFull) throw new Failure('STORE_UNAVAILABLE', { at: '', why: 'the disk is full' })
    }
    for (const call of ['saveRuleSet', 'appendRecord'] as const) {
      const failing: Store = {
        ...store,
        [call]: async (...values: never[]) => {
          full()
          return (store[call] as (...values: never[]) => Promise<never>)(...values)
        },
      }
      isFull = false
      const opened = await openTestRules({ store: failing })
      await opened.rules.offer(anOffer([aPack()]))
      isFull = true
      const more = aPack({ [`${call.toLowerCase()}.yaml`]: ruleWith({ id: call }) })
      opened.time.nowMs += 1000
      assert.equal(await opened.rules.offer(anOffer([more])), false)
      opened.time.nowMs += 1000
      assert.equal(await opened.rules.offer(anOffer([more])), false)
      assert.ok(!inForce(opened).includes(`${call}@1.0.0`))
      const [policy] = (await opened.rules.report()).policies
      assert.match(policy?.failure?.errors[0]?.why ?? '', /could not be stored, so they are not in force/)
      assert.equal(policy?.failure?.since, new Date(startedAtMs + 1000).toISOString())
      isFull = false
      assert.equal(await opened.rules.offer(anOffer([more])), true)
      assert.ok(inForce(opened).includes(`${call}@1.0.0`))
      assert.equal((await opened.rules.report()).policies[0]?.failure, null)
      // What was in force is so no more for the next round.
      await opened.rules.offer(anOffer([aPack({ 'policy.yaml': retiring(call) })]))
    }
  })

  it('a file lost while the service was down is noticed: what was in force decides', async () => {
    const before = await openTestRules()
    await before.rules.offer(anOffer([two, other]))
    const [, policy] = (await before.rules.report()).policies
    const after = await openTestRules({ store: before.store })
    after.time.nowMs += 60_000
    assert.deepEqual(inForce(after), ['T-2@1.0.0', 'US-08a@1.0.0'], 'before anything is read')
    await after.rules.offer(anOffer([aPack()]))
    assert.deepEqual(inForce(after), ['T-2@1.0.0', 'US-08a@1.0.0'])
    const report = await after.rules.report()
    assert.match(JSON.stringify(report), /`T-2@1.0.0` is in force and has vanished/)
    assert.match(JSON.stringify(report), /the pack of policy `other` has vanished/)
    assert.equal(report.policies[1]?.since, policy?.since)
    assert.equal(after.rules.health().ok, true)
    assert.match(after.rules.health().detail, /test-pack failing since/)
    await after.rules.offer(anOffer([two, other]))
    assert.deepEqual(
      (await after.rules.report()).policies.map(({ failure }) => failure),
      [null, null],
    )
    assert.equal((await records(after.store)).length, 2, 'what goes on is not recorded again')
  })

  it('a second service over the same store records no change twice', async () => {
    const one = await openTestRules()
    const another = await openTestRules({ store: one.store })
    await one.rules.offer(anOffer([two]))
    another.time.nowMs += 5000
    await another.rules.offer(anOffer([two]))
    assert.equal((await records(one.store)).length, 1)
    assert.deepEqual((await another.rules.report()).policies[0]?.since, new Date(startedAtMs).toISOString())
  })

  it('a set that has been failing for longer than allowed decides no more, until it is good again', async () => {
    const opened = await openTestRules({ failingMaxMs: 10_000 })
    await opened.rules.offer(anOffer([aPack(), other]))
    await opened.rules.offer(anOffer([broken, other]))
    opened.time.nowMs += 10_000
    opened.rules.begin('test-pack')()
    opened.time.nowMs += 1
    assert.throws(
      () => opened.rules.begin('test-pack'),
      (error) => error instanceof Failure && error.code === 'RULES_FAILING',
    )
    opened.rules.begin('other')()
    await opened.rules.offer(anOffer([aPack(), other]))
    opened.rules.begin('test-pack')()
  })

  it('a change is told only after every decision by the set before has been answered', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const end = opened.rules.begin('test-pack')
    await opened.rules.offer(anOffer([two]))
    const endLater = opened.rules.begin('test-pack')
    let told = false
    const report = opened.rules.report().then((given) => {
      told = true
      return given
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(told, false)
    end()
    assert.equal((await report).policies[0]?.rules.length, 2)
    endLater()
    await opened.rules.report()
  })

  it('tells the versions of a rule, and which one an application received now is decided by', async () => {
    const opened = await openTestRules()
    const newer = ruleYaml.replace('1.0.0', '1.1.0').replace('when:', 'effective: {from: 2026-07-01}\nwhen:')
    await opened.rules.offer(anOffer([aPack({ 'us-08a.yaml': `${ruleYaml}---\n${newer}` }), other]))
    const { policies } = await opened.rules.versions('US-08a')
    assert.deepEqual(
      policies.map(({ policy, versions }) => [
        policy,
        versions.map(({ version, in_force, effective_from }) => [version, in_force, effective_from]),
      ]),
      [
        ['other', [['1.0.0', true, null]]],
        [
          'test-pack',
          [
            ['1.1.0', false, '2026-07-01'],
            ['1.0.0', true, null],
          ],
        ],
      ],
    )
    await assert.rejects(
      opened.rules.versions('none'),
      (error) => error instanceof Failure && error.code === 'RULE_UNKNOWN',
    )
  })

  it('checking a pack says what would come of it, and puts nothing in force', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([two]))
    const good = await opened.rules.check(
      aPack({ 't-2.yaml': second, 't-3.yaml': ruleWith({ id: 'T-3' }) }).files,
    )
    assert.deepEqual([good.ok, good.policy, good.difference?.added], [true, 'test-pack', ['T-3@1.0.0']])
    const fewer = await opened.rules.check(aPack().files)
    assert.deepEqual([fewer.ok, fewer.errors.length], [false, 1])
    const bad = await opened.rules.check(broken.files)
    assert.deepEqual([bad.ok, bad.set, bad.difference], [false, null, null])
    const again = aPack({ 't-2.yaml': second.replace('false', 'true') }).files
    assert.deepEqual(
      (await opened.rules.check(again)).warnings.map(({ at }) => at),
      ['T-2@1.0.0'],
    )
    assert.deepEqual(inForce(opened), ['T-2@1.0.0', 'US-08a@1.0.0'])
    const many = await Promise.allSettled(Array.from({ length: 10 }, () => opened.rules.check(two.files)))
    assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 4)
  })

  it('counts reloads, and tells how old and how bad the rules are', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    await opened.rules.offer(anOffer([broken]))
    opened.time.nowMs += 5000
    const text = await opened.metrics.text()
    for (const line of [
      'causebook_rule_reloads_total{result="bad"} 1',
      'causebook_rule_reloads_total{result="ok"} 1',
      'causebook_rule_set_age_seconds{policy="test-pack"} 5',
      'causebook_rules_failing_seconds{folder="test-pack",policy="test-pack"} 5',
    ]) {
      assert.ok(text.includes(`${line}\n`), text)
    }
  })
})
