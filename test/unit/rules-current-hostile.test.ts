import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { watchPacks } from '../../src/adapters/files/watch-packs.ts'
import { Failure } from '../../src/errors.ts'
import { anOffer, aPack, inForce, openTestRules } from '../support/live-rules.ts'
import { factsWith, ruleWith, ruleYaml } from '../support/pack-builders.ts'
import { temporaryFolder } from '../support/service.ts'

const bomb = Array.from({ length: 12 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
).join('\n')

/** Each in the place of a rule file, beside a good one that stays. */
const refused: Readonly<Record<string, string>> = {
  'an alias bomb': `${bomb}\n`,
  'an alias bomb inside a rule': ruleWith({ more: `${bomb}\n` }),
  '5,000 nested brackets': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '5,000 nested brackets never closed': '['.repeat(5000),
  '3,000 nested all': ruleWith({ when: `${'{all: ['.repeat(3000)}x${']}'.repeat(3000)}` }),
  '3,000 nested all, one a line': `when:\n${Array.from({ length: 3000 }, (_, level) => `${' '.repeat(level % 200)}- all:`).join('\n')}`,
  'a text of 1 MB': ruleWith({ more: `author: ${'x'.repeat(1_000_000)}` }),
  'a text of more than 1 MB': ruleWith({ more: `author: ${'x'.repeat(1_100_000)}` }),
  'a key of 1 MB': `${'k'.repeat(1_000_000)}: 1`,
  'a key twice': ruleWith({ more: 'version: 1.0.1' }),
  'an id twice': `${ruleWith({})}\n---\n${ruleWith({})}`,
  'an alias of itself': 'rule_id: &a [*a]',
  '__proto__ as a key': ruleWith({ more: '__proto__: {x: 1}' }),
  '__proto__ as a fact': ruleWith({ when: '{fact: __proto__, operator: equal, value: 1}' }),
  'a path with a filter': ruleWith({ when: '{fact: "extra[?(@.a==1)]", operator: equal, value: 1}' }),
  'a tag': ruleWith({ more: 'author: !!js/function "x"' }),
  'a tab before a key': `rule_id: X\n\tversion: 1.0.0`,
  'a control character': 'rule_id: "a\u0000b"',
  'a hundred thousand lines of nothing much': '- x\n'.repeat(100_000),
  'a hundred thousand mistakes': '- {rule_id: 1}\n'.repeat(60_000),
  'a million colons': ':'.repeat(1_000_000),
  'half a million quotes': '"'.repeat(500_000),
  'a million dashes': '- '.repeat(500_000),
}

/** Legal, if odd: each must be in force, as it is in the good file. */
const accepted: Readonly<Record<string, string>> = {
  'a byte order mark': `\uFEFF${ruleWith({})}`,
  'CR LF': ruleWith({}).replaceAll('\n', '\r\n'),
  'CR alone': ruleWith({}).replaceAll('\n', '\r'),
  'tabs after values': ruleWith({}).replaceAll('\n', '\t\n'),
}

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
