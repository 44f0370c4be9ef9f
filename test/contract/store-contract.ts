import assert from 'node:assert/strict'
import { it } from 'node:test'
import { genesis } from '../../src/audit/link-record.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import type { FailureCode } from '../../src/errors.ts'
import { Failure } from '../../src/errors.ts'
import type { CommitResult, Store } from '../../src/ports/store.ts'
import { aFact, aMigration, anEpisode, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'

/** What every Store promises; each adapter runs exactly these tests. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  const promises = (what: string, run: (store: Store) => Promise<void>) =>
    it(`${name}: ${what}`, async () => {
      await using store = await open()
      await run(store)
    })

  promises('what was written is read back unchanged', async (store) => {
    const newFacts = [
      aFact({ fact: 'accounts', type: 'list', value: [{ balance: '1.50', b: true, a: '貸' }], unit: null }),
      aFact({ fact: 'bonus', value: null, method: 'ocr', confidence: 0.1 + 0.2 }),
      aFact({ fact: 'note', type: 'text', value: 'tab\t nul\u0000 “quoted” 😀', unit: null }),
    ]
    const newEpisodes = [
      anEpisode({ attributes: { places: ['x', 'y'] }, valid_until: '2026-07-01T00:00:00Z' }),
    ]
    const write = aWrite({ decisionId: 'd-1', subjectId: 'cust-1', newFacts, newEpisodes })
    const record = recordOf(await store.commitDecision(write))

    const application = {
      decisions: 1,
      policy: 'us-consumer',
      receivedAt: '2026-06-01T14:03:00.000Z',
      subjectId: 'cust-1',
    }
    assert.deepEqual(await store.readMemory('app-1', 'cust-1'), {
      facts: newFacts,
      episodes: newEpisodes,
      application,
    })
    // Bound to its subject, whoever is asked for.
    assert.deepEqual((await store.readMemory('app-1', undefined)).episodes, newEpisodes)
    assert.deepEqual(await store.readFacts('app-1'), newFacts)
    const { decisionId, applicationId, subjectId, subjectSalt, answer, time, actor } = write
    const found = { decisionId, applicationId, subjectId, subjectSalt, answer, record }
    assert.deepEqual(await store.findDecision('d-1'), found)
    assert.deepEqual(await store.listDecisions(undefined, 10), [found])
    const { kind, payload } = write.body
    const { hash, writer, ...rest } = record
    assert.deepEqual(rest, { seq: 1, prev: genesis, time, actor, kind, payload })
    assert.deepEqual(await store.readLedger(writer, 0, 10), [record])
    assert.deepEqual(await store.writers(), [writer])
  })

  promises('version 1 stays readable after version 2', async (store) => {
    const first = aFact()
    const second = aFact({
      version: 2,
      value: '5000',
      source: 'contract',
      recorded_at: '2026-06-02T00:00:00Z',
    })
    await store.commitDecision(aWrite({ decisionId: 'd-1', newFacts: [first] }))
    const seen = await store.readMemory('app-1', undefined)
    await store.commitDecision(aWrite({ decisionId: 'd-2', newFacts: [second] }, seen))
    assert.deepEqual(await store.readFacts('app-1'), [first, second])
  })

  promises('facts come by name and version, episodes by id, in code units', async (store) => {
    const newFacts = [
      aFact({ version: 10 }),
      aFact({ version: 2 }),
      aFact({ fact: 'a_b' }),
      aFact({ fact: 'a0' }),
    ]
    const ids = ['\u{1F600}', '\uFFFD', 'b', 'B', 'é']
    const newEpisodes = ids.map((episode_id) => anEpisode({ episode_id }))
    await store.commitDecision(aWrite({ decisionId: 'd-1', subjectId: 'cust-1', newFacts, newEpisodes }))
    const { facts, episodes } = await store.readMemory('app-1', 'cust-1')
    const order = ['a0@1', 'a_b@1', 'monthly_income@2', 'monthly_income@10']
    assert.deepEqual(
      facts.map(({ fact }) => `${fact.fact}@${fact.version}`),
      order,
    )
    assert.deepEqual(
      episodes.map(({ episode }) => episode.episode_id),
      ids.toSorted(),
    )
  })

  promises('nothing is found under unknown ids', async (store) => {
    const nothing = { facts: [], episodes: [], application: undefined }
    assert.deepEqual(await store.readMemory('app-9', 'cust-9'), nothing)
    assert.deepEqual(await store.readMemory('app-9', undefined), nothing)
    assert.deepEqual(await store.readFacts('app-9'), [])
    assert.equal(await store.findDecision('d-9'), undefined)
    assert.equal(await store.findRuleSet(ruleSetHash), undefined)
    assert.deepEqual(await store.listDecisions(undefined, 10), [])
    assert.deepEqual(await store.listDecisions({ writer: 'nobody', seq: 7 }, 10), [])
    assert.deepEqual(await store.readLedger('nobody', 0, 10), [])
    assert.deepEqual(await store.writers(), [])
    assert.deepEqual(await store.appliedMigrations(), [])
    assert.deepEqual(await store.readGraphLog(), [])
  })

  promises('a decision on facts that have changed since conflicts and writes nothing', async (store) => {
    await store.commitDecision(aWrite({ decisionId: 'd-1', newFacts: [aFact()] }))
    const late = aWrite({ decisionId: 'd-2', newFacts: [aFact({ fact: 'loan_amount' })] })
    assert.deepEqual(await store.commitDecision(late), { conflict: true })
    assert.equal(await store.findDecision('d-2'), undefined)
    assert.equal((await store.readFacts('app-1')).length, 1)
  })

  promises(
    'a decision on episodes that have changed since conflicts, on another application too',
    async (store) => {
      const subject = { subjectId: 'cust-1' }
      await store.commitDecision(aWrite({ decisionId: 'd-1', ...subject, newEpisodes: [anEpisode()] }))
      const late = aWrite({ decisionId: 'd-2', applicationId: 'app-2', ...subject })
      assert.deepEqual(await store.commitDecision(late), { conflict: true })
    },
  )

  promises('of two decisions made at once on one application, one conflicts', async (store) => {
    const writes = ['d-1', 'd-2'].map((decisionId) => aWrite({ decisionId, newFacts: [aFact()] }))
    const results = await Promise.all(writes.map((write) => store.commitDecision(write)))
    assert.deepEqual(
      results.map((result) => 'conflict' in result),
      [false, true],
    )
  })

  promises('200 decisions at once make one gap-free chain, each to be found', async (store) => {
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    const writes = Array.from({ length: 200 }, (_, index) => aNumberedWrite(index))
    const records = (await Promise.all(writes.map((write) => store.commitDecision(write)))).map(recordOf)
    const seqs = records.map(({ seq }) => seq).sort((one, other) => one - other)
    assert.deepEqual(
      seqs,
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
    for (const [index, record] of records.entries()) {
      assert.deepEqual((await store.findDecision(`d-${index}`))?.record, record)
    }
    assert.deepEqual(await verifyLedger(store), { records: 200, decisions: 200, faults: [], faultCount: 0 })
  })

  promises('a decision that is refused harms none beside it', async (store) => {
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    await store.commitDecision(aNumberedWrite(0))
    const twice = aFact({ application_id: 'app-2' })
    const results = await Promise.allSettled([
      store.commitDecision(aNumberedWrite(1)),
      store.commitDecision(aWrite({ decisionId: 'd-0', applicationId: 'app-3', newFacts: [] })),
      store.commitDecision(aWrite({ decisionId: 'd-2', applicationId: 'app-2', newFacts: [twice, twice] })),
      store.commitDecision(aNumberedWrite(4)),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    for (const result of results)
      if (result.status === 'rejected') isFailure('REQUEST_INVALID')(result.reason)
    assert.deepEqual(await store.readFacts('app-2'), [])
    assert.deepEqual(await verifyLedger(store), { records: 3, decisions: 3, faults: [], faultCount: 0 })
  })

  promises('what verify would not accept is not taken in', async (store) => {
    const write = aNumberedWrite(1)
    const bad = [
      { ...write, newFacts: [aFact({ application_id: 'app-9' })] },
      { ...write, newEpisodes: [anEpisode()] },
      { ...write, subjectId: 'cust-1' },
      { ...write, answer: { text: '{}', salt: 'short' } },
      {
        ...write,
        body: { kind: 'decision', payload: { ...write.body.payload, policy: 'No Policy' } },
      } as never,
    ]
    for (const one of bad) await assert.rejects(store.commitDecision(one), TypeError)
    const half = { ...write, newFacts: [aFact({ application_id: 'app-1', value: '\uD800' })] }
    await assert.rejects(store.commitDecision(half), isFailure('REQUEST_INVALID'))
    assert.deepEqual(await store.writers(), [])
  })

  promises('decisions and records come in pages, in ledger order', async (store) => {
    for (let index = 0; index < 7; index += 1) await store.commitDecision(aNumberedWrite(index))
    const paged: string[] = []
    let after: { writer: string; seq: number } | undefined
    for (;;) {
      const page = await store.listDecisions(after, 3)
      assert.ok(page.length <= 3)
      paged.push(...page.map(({ decisionId }) => decisionId))
      const last = page.at(-1)
      if (last === undefined) break
      after = last.record
    }
    assert.deepEqual(paged, ['d-0', 'd-1', 'd-2', 'd-3', 'd-4', 'd-5', 'd-6'])
    const [writer = ''] = await store.writers()
    const seqs = async (afterSeq: number) =>
      (await store.readLedger(writer, afterSeq, 3)).map(({ seq }) => seq)
    assert.deepEqual([await seqs(0), await seqs(5), await seqs(7)], [[1, 2, 3], [6, 7], []])
  })

  promises('a clock that steps back changes no order', async (store) => {
    const times = ['2026-06-01T12:00:00.000Z', '2026-06-01T11:00:00.000Z', '2026-06-01T11:30:00.000Z']
    for (const [index, time] of times.entries())
      await store.commitDecision({ ...aNumberedWrite(index), time })
    const listed = await store.listDecisions(undefined, 10)
    assert.deepEqual(
      listed.map(({ record }) => record.time),
      times,
    )
  })

  promises('what was written with a decision is named by one, and the store can record', async (store) => {
    await store.check()
    for (let index = 0; index < 3; index += 1) {
      const [applicationId, subjectId] = [`app-${index}`, `cust-${index}`]
      const newFacts = [aFact({ application_id: applicationId })]
      const newEpisodes = [anEpisode({ subject_id: subjectId })]
      const write = aWrite({ decisionId: `d-${index}`, applicationId, subjectId, newFacts, newEpisodes })
      recordOf(await store.commitDecision(write))
    }
    assert.deepEqual(await store.unnamedApplications(undefined, 10), [])
    assert.deepEqual(await store.unnamedSubjects(undefined, 10), [])
    assert.deepEqual(await store.unnamedSubjects('cust-0', 10), [])
    await store.check()
  })

  promises('a rule set is kept under its hash, once', async (store) => {
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    await store.saveRuleSet(ruleSetHash, ruleSetText)
    assert.equal(await store.findRuleSet(ruleSetHash), ruleSetText)
    await assert.rejects(store.saveRuleSet(ruleSetHash, '{}'), isFailure('REQUEST_INVALID'))
    assert.equal(await store.findRuleSet(ruleSetHash), ruleSetText)
  })

  promises('tells the rule set last in force for each policy that was not withdrawn', async (store) => {
    const at = (second: number) => `2026-06-01T00:00:0${second}.000Z`
    const other = ruleSetHash.replace(/.{4}$/, '0000')
    const activate = (policy: string, rule_set: string, second: number) =>
      store.appendRecord('service', at(second), {
        kind: 'rule_set_activated',
        payload: { policy, rule_set, before: null, added: ['R-1@1.0.0'], changed: [], removed: [] },
      })
    assert.deepEqual(await store.lastActiveRuleSets(), [])
    await activate('us', other, 1)
    await activate('cn', ruleSetHash, 2)
    await activate('us', ruleSetHash, 3)
    await activate('eu', ruleSetHash, 4)
    const payload = { policy: 'cn', rule_set: ruleSetHash }
    await store.appendRecord('service', at(5), { kind: 'policy_withdrawn', payload })
    assert.deepEqual(await store.lastActiveRuleSets(), [
      { policy: 'eu', hash: ruleSetHash, since: at(4) },
      { policy: 'us', hash: ruleSetHash, since: at(3) },
    ])
    const faults = (await verifyLedger(store)).faults.map(({ why }) => why)
    assert.deepEqual(
      [...new Set(faults)].sort(),
      [`rule set \`${other}\` is not stored`, `rule set \`${ruleSetHash}\` is not stored`].sort(),
    )
  })

  promises(
    'an episode posted again is the same episode; one that says something else is refused',
    async (store) => {
      const subject = { subjectId: 'cust-1' }
      const first = anEpisode()
      await store.commitDecision(aWrite({ decisionId: 'd-1', ...subject, newEpisodes: [first] }))
      const seen = await store.readMemory('app-1', 'cust-1')
      const again = anEpisode({ recorded_at: '2026-06-05T00:00:00.000Z' })
      recordOf(
        await store.commitDecision(aWrite({ decisionId: 'd-2', ...subject, newEpisodes: [again] }, seen)),
      )
      const other = anEpisode({ attributes: { days_overdue: '33' } })
      const now = await store.readMemory('app-1', 'cust-1')
      const write = aWrite({ decisionId: 'd-3', ...subject, newEpisodes: [other] }, now)
      await assert.rejects(store.commitDecision(write), isFailure('REQUEST_INVALID'))
      assert.deepEqual((await store.readMemory('app-1', 'cust-1')).episodes, [first])
      assert.equal(await store.findDecision('d-3'), undefined)
    },
  )

  promises('a migration is applied once, with its log and its record', async (store) => {
    const [first, second] = [aMigration(1, 1, 3), aMigration(2, 4, 2)]
    assert.equal(await store.applyMigration(...first, 'compliance'), true)
    assert.equal(await store.applyMigration(...first, 'compliance'), false)
    assert.equal(await store.applyMigration(...second, 'compliance'), true)
    assert.deepEqual(await store.appliedMigrations(), [first[0], second[0]])
    assert.deepEqual(await store.readGraphLog(), [...first[1], ...second[1]])
    assert.deepEqual(await store.readGraphLog(3), first[1])
    const [writer = ''] = await store.writers()
    const kinds = (await store.readLedger(writer, 0, 10)).map(({ kind, actor }) => [kind, actor])
    assert.deepEqual(kinds, Array(2).fill(['graph_migrated', 'compliance']))
    assert.deepEqual(await verifyLedger(store), { records: 2, decisions: 0, faults: [], faultCount: 0 })
  })

  promises('a migration applied twice at once is applied once', async (store) => {
    const applied = await Promise.all(
      [1, 2, 3].map(() => store.applyMigration(...aMigration(1, 1, 3), 'compliance')),
    )
    assert.deepEqual(applied.toSorted(), [false, false, true])
    assert.equal((await store.readGraphLog()).length, 3)
  })

  promises('a migration that leaves a gap in the log is refused whole', async (store) => {
    await store.applyMigration(...aMigration(1, 1, 3), 'compliance')
    for (const wrong of [aMigration(2, 5, 1), aMigration(2, 3, 2), aMigration(2, 4, 0)]) {
      await assert.rejects(store.applyMigration(...wrong, 'compliance'), isFailure('GRAPH_FILE_INVALID'))
    }
    assert.equal((await store.appliedMigrations()).length, 1)
    assert.equal((await store.readGraphLog()).length, 3)
  })

  promises('no caller can change what is kept', async (store) => {
    const write = aWrite({ decisionId: 'd-1', newFacts: [aFact({ type: 'list', value: ['1', '2'] })] })
    recordOf(await store.commitDecision(write))
    const value = write.newFacts[0]?.fact.value as string[]
    value.push('3')
    const [read] = await store.readFacts('app-1')
    assert.deepEqual(read?.fact.value, ['1', '2'])
  })

  it(`${name}: a closed store takes and gives nothing; closing twice is closing once`, async () => {
    const store = await open()
    const pending = store.commitDecision(aNumberedWrite(1))
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    recordOf(await pending)
    await assert.rejects(store.commitDecision(aNumberedWrite(2)), isFailure('STORE_UNAVAILABLE'))
    await assert.rejects(store.readFacts('app-1'), isFailure('STORE_UNAVAILABLE'))
    await assert.rejects(store.check(), isFailure('STORE_UNAVAILABLE'))
  })
}

/** A decision of an application of its own. */
export function aNumberedWrite(index: number) {
  const applicationId = `app-n${index}`
  return aWrite({
    decisionId: `d-${index}`,
    applicationId,
    newFacts: [aFact({ application_id: applicationId })],
  })
}

export function recordOf(result: CommitResult) {
  assert.ok('record' in result, 'expected a record; got a conflict')
  return result.record
}

export function isFailure(code: FailureCode) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, `expected a Failure; got ${error}`)
    assert.equal(error.code, code)
    return true
  }
}
