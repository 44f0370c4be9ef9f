import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { watchPacks } from '../../src/adapters/files/watch-packs.ts'
import { Failure } from '../../src/errors.ts'
import { accepted, refused } from '../support/hostile-files.ts'
import { anOffer, aPack, inForce, openTestRules } from '../support/live-rules.ts'
import { factsWith, ruleWith, ruleYaml } from '../support/pack-builders.ts'
import { temporaryFolder } from '../support/service.ts'

describe('a hostile file', () => {
  for (const [what, text] of Object.entries(refused)) {
    it(`${what}: an error, soon, and what was in force stays`, async () => {
      const opened = await openTestRules()
      await opened.rules.offer(anOffer([aPack()]))
      const before = opened.rules.ruleSets()
      await opened.rules.offer(anOffer([aPack({ 'evil.yaml': text })]))
      assert.equal(opened.rules.ruleSets(), before)
      const [failure] = opened.rules.current().failures
      assert.ok(failure !== undefined && failure.faults.length > 0)
      for (const { why } of failure.faults) {
        assert.doesNotMatch(why, /mistake of ours/)
        assert.ok(why.length < 2000, `a message of ${why.length} characters`)
      }
      assert.ok((opened.logged.at(-1) ?? '').length < 8000)
      assert.equal(Object.hasOwn(Object.prototype, 'x'), false)
      // The same over HTTP.
      assert.equal((await opened.rules.check(aPack({ 'evil.yaml': text }).files)).ok, false)
    })
  }

  for (const [what, text] of Object.entries(accepted)) {
    it(`${what}: legal, and the same rule as without`, async () => {
      const plain = await openTestRules()
      await plain.rules.offer(anOffer([aPack({ 't.yaml': ruleWith({}) })]))
      const odd = await openTestRules()
      await odd.rules.offer(anOffer([aPack({ 't.yaml': text })]))
      const hash = ({ rules }: typeof odd) => rules.ruleSets().get('test-pack')?.hash
      assert.equal(hash(odd), hash(plain), JSON.stringify(odd.rules.current().failures))
      assert.deepEqual(inForce(odd), ['T-1@1.0.0', 'US-08a@1.0.0'])
    })
  }

  it('facts that go round in a circle: an error', async () => {
    const opened = await openTestRules()
    await opened.rules.offer(anOffer([aPack()]))
    const facts = factsWith({
      derived:
        'one: {type: number, en: One, zh: 一, expression: two + 1}\ntwo: {type: number, en: Two, zh: 二, expression: one + 1}',
    })
    await opened.rules.offer(anOffer([aPack({ 'facts.yaml': facts })]))
    assert.match(JSON.stringify(opened.rules.current().failures), /goes round in a circle: one -> two -> one/)
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
  })

  it('10,000 files, no UTF-8, a folder in itself: each an error of its pack alone', async () => {
    await using folder = await temporaryFolder()
    const put = async (name: string, content: string | Uint8Array) => {
      await mkdir(path.dirname(path.join(folder.path, name)), { recursive: true })
      await writeFile(path.join(folder.path, name), content)
    }
    for (const { path: name, text } of aPack().files) await put(name, text)
    for (let from = 0; from < 10_000; from += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => put(`many/r-${from + index}.yaml`, ruleYaml)),
      )
    }
    await put('many/policy.yaml', 'policy: many')
    await put('latin/policy.yaml', new Uint8Array([0x70, 0x3a, 0x20, 0xe9, 0x0a]))
    await put(`deep/${'d/'.repeat(20)}policy.yaml`, 'policy: deep')
    const opened = await openTestRules()
    const source = watchPacks(folder.path, { pollMs: 0, log: () => {} })
    await opened.rules.offer(await source.read())
    assert.deepEqual(inForce(opened), ['US-08a@1.0.0'])
    const { refused: bad } = await opened.rules.report()
    assert.deepEqual(
      bad.map(({ folder: name, failure }) => [name, failure.errors[0]?.why]),
      [
        ['deep', 'folders are nested deeper than 8 levels'],
        ['latin', 'the file is not UTF-8; save it as UTF-8'],
        ['many', 'more than 5000 files'],
      ],
    )
    await assert.rejects(
      readPacks(folder.path),
      (error) => error instanceof Failure && error.faults.length === 3,
    )
  })
})
