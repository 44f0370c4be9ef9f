import assert from 'node:assert/strict'
import { chmod, mkdir, open, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aPack, inForce, until, watchTestRules } from '../support/live-rules.ts'
import { policyYaml, ruleWith, ruleYaml } from '../support/pack-builders.ts'
import { temporaryFolder } from '../support/service.ts'

const extra = ruleWith({ id: 'T-2' })
const both = ['T-2@1.0.0', 'US-08a@1.0.0']
const alone = ['US-08a@1.0.0']

/** The small pack as files of a folder. */
async function put(folder: string, changes: Readonly<Record<string, string | undefined>> = {}) {
  for (const { path: name, text } of aPack(changes).files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
}

async function aRulesFolder(changes: Readonly<Record<string, string | undefined>> = {}) {
  const folder = await temporaryFolder()
  await put(folder.path, changes)
  return folder
}

const isLive = (opened: Parameters<typeof inForce>[0], ids: readonly string[]) => () =>
  inForce(opened).join() === ids.join() && opened.rules.current().failures.length === 0
const isFailing = (opened: Parameters<typeof inForce>[0]) => () => opened.rules.current().failures.length > 0

describe('rule files that change while the service runs', () => {
  it('a file dropped in is live by itself, and one renamed into place too', async () => {
    await using folder = await aRulesFolder()
    await using opened = await watchTestRules(folder.path)
    assert.deepEqual(inForce(opened), alone, 'what lay there is live at once')
    await writeFile(path.join(folder.path, 'test-pack/t-2.yaml'), extra)
    await until('the new rule is live', isLive(opened, both))
    const draft = path.join(folder.path, 'draft.tmp')
    await writeFile(draft, ruleYaml.replace('lender/credit-policy-7', 'lender/credit-policy-8'))
    await rename(draft, path.join(folder.path, 'test-pack/us-08a.yaml'))
    await until('the renamed file is live', () => {
      const rules = opened.rules.ruleSets().get('test-pack')?.rules
      return rules?.get('US-08a@1.0.0')?.rule.regulation === 'lender/credit-policy-8'
    })
  })

  it('a slow writer is waited for, and whatever is read of half a file changes nothing', async () => {
    await using folder = await aRulesFolder()
    await using opened = await watchTestRules(folder.path, { settleMs: 60 })
    const text = `${ruleYaml}---\n${extra}`
    const file = await open(path.join(folder.path, 'test-pack/us-08a.yaml'), 'w')
    const seen = new Set<string>()
    for (let from = 0; from < text.length; from += 60) {
      await file.write(text.slice(from, from + 60))
      seen.add(inForce(opened).join())
      // Once longer than the files have to settle.
      await sleep(from === 180 ? 300 : 15)
      seen.add(inForce(opened).join())
    }
    await file.close()
    await until('all of it is live', isLive(opened, both))
    assert.deepEqual(
      [...seen].filter((ids) => ids !== both.join()),
      [alone.join()],
    )
  })

  it('files emptied, cut or deleted change nothing; the same bytes again are good again', async () => {
    await using folder = await aRulesFolder({ 't-2.yaml': extra })
    await using opened = await watchTestRules(folder.path)
    const before = opened.rules.ruleSets()
    const rule = path.join(folder.path, 'test-pack/t-2.yaml')
    const breaks: readonly (() => Promise<unknown>)[] = [
      () => writeFile(rule, ''),
      () => writeFile(rule, extra.slice(0, 70)),
      () => rm(rule),
      () => rm(path.join(folder.path, 'test-pack/policy.yaml')),
      () => rm(path.join(folder.path, 'test-pack'), { recursive: true }),
      () => rename(path.join(folder.path, 'test-pack'), path.join(folder.path, '.gone')),
      async () => {
        await rm(rule)
        await symlink('nowhere.yaml', rule)
      },
    ]
    for (const [index, breakIt] of breaks.entries()) {
      await breakIt()
      await until(`break ${index} is noticed`, isFailing(opened))
      assert.equal(opened.rules.ruleSets(), before)
      await rm(rule, { force: true })
      await put(folder.path, { 't-2.yaml': extra })
      await until(`break ${index} is good again`, isLive(opened, both))
      assert.equal(opened.rules.ruleSets(), before)
    }
  })

  it('what editors leave beside a file is no rule', async () => {
    await using folder = await aRulesFolder()
    await using opened = await watchTestRules(folder.path)
    const before = opened.rules.ruleSets()
    for (const name of [
      'us-08a.yaml~',
      '.us-08a.yaml.swp',
      '.#us-08a.yaml',
      '#us-08a.yaml#',
      '4913',
      'us-08a.yaml.bak',
    ]) {
      await writeFile(path.join(folder.path, 'test-pack', name), 'half: [a rule')
    }
    // As vim saves: the old file is renamed, a new one written, the old one removed.
    const rule = path.join(folder.path, 'test-pack/us-08a.yaml')
    await rename(rule, `${rule}~`)
    await writeFile(rule, ruleYaml)
    await rm(`${rule}~`)
    await writeFile(path.join(folder.path, 'test-pack/t-2.yaml'), extra)
    await until('the next change is live', isLive(opened, both))
    assert.equal(opened.logged.filter((line) => line.includes('refused')).length, 0, opened.logged.join('\n'))
    assert.notEqual(opened.rules.ruleSets(), before)
  })

  it('a mounted configuration is swapped as a whole by its link', async () => {
    await using folder = await temporaryFolder()
    const mount = path.join(folder.path, 'rules/test-pack')
    await mkdir(mount, { recursive: true })
    const version = async (name: string, changes: Record<string, string>) => {
      for (const { path: file, text } of aPack({ 't-2.yaml': extra, ...changes }).files) {
        const target = path.join(mount, name, path.basename(file))
        await mkdir(path.dirname(target), { recursive: true })
        await writeFile(target, text)
        // As old as a file out of an image.
        await utimes(target, 0, 0)
      }
      await symlink(name, path.join(mount, '..data_tmp'))
      await rename(path.join(mount, '..data_tmp'), path.join(mount, '..data'))
    }
    await version('..2026_06_01', {})
    for (const { path: file } of aPack({ 't-2.yaml': extra }).files) {
      await symlink(`..data/${path.basename(file)}`, path.join(mount, path.basename(file)))
    }
    await using opened = await watchTestRules(path.join(folder.path, 'rules'))
    assert.deepEqual(inForce(opened), both)
    await version('..2026_06_02', { 't-2.yaml': extra.replace('lender/test', 'lender/next') })
    await until('the swapped files are live', () => {
      const rules = opened.rules.ruleSets().get('test-pack')?.rules
      return rules?.get('T-2@1.0.0')?.rule.regulation === 'lender/next'
    })
    await rm(path.join(mount, '..2026_06_01'), { recursive: true })
    await version('..2026_06_03', { 'policy.yaml': 'policy: [' })
    await until('a bad mount is noticed', isFailing(opened))
    assert.deepEqual(inForce(opened), both)
  })

  it('a folder that is not there yet is waited for', async () => {
    await using folder = await temporaryFolder()
    const rules = path.join(folder.path, 'a/b/rules')
    await using opened = await watchTestRules(rules, { rescanMs: 200 })
    assert.deepEqual(inForce(opened), [])
    assert.equal(opened.rules.health().ok, false)
    await put(rules)
    await until('it is live', isLive(opened, alone))
    assert.equal(opened.rules.health().ok, true)
  })

  it('where the system tells of nothing, polling finds it', async () => {
    await using folder = await aRulesFolder()
    await using opened = await watchTestRules(folder.path, { pollMs: 30, rescanMs: 600_000 })
    await writeFile(path.join(folder.path, 'test-pack/t-2.yaml'), extra)
    await until('the new rule is live', isLive(opened, both))
  })

  it('a second pack comes and goes without the first', async () => {
    await using folder = await aRulesFolder()
    await using opened = await watchTestRules(folder.path)
    for (const { path: name, text } of aPack(
      { 'policy.yaml': policyYaml.replace('test-pack', 'second') },
      'second',
    ).files) {
      await mkdir(path.join(folder.path, 'second'), { recursive: true })
      await writeFile(path.join(folder.path, name), text)
    }
    await until('it is live', () => inForce(opened, 'second').length === 1)
    await rm(path.join(folder.path, 'second'), { recursive: true })
    await until('its loss is noticed', isFailing(opened))
    assert.deepEqual(inForce(opened, 'second'), alone)
    await writeFile(path.join(folder.path, 'withdrawn.yaml'), 'withdrawn: [second]\n')
    await until('it is withdrawn', () => !opened.rules.ruleSets().has('second'))
    await until('nothing is bad', isLive(opened, alone))
  })

  it('a file nobody may read is named, and what was in force stays', async (test) => {
    if (process.getuid?.() === 0) return test.skip('root may read everything')
    await using folder = await aRulesFolder({ 't-2.yaml': extra })
    await using opened = await watchTestRules(folder.path)
    await chmod(path.join(folder.path, 'test-pack/t-2.yaml'), 0)
    await until('it is noticed', isFailing(opened))
    assert.deepEqual(inForce(opened), both)
  })

  it('a 20-rule file written again and again in pieces never serves fewer rules', async () => {
    const text = Array.from({ length: 20 }, (_, index) => ruleWith({ id: `R-${index + 1}` })).join('\n---\n')
    await using folder = await aRulesFolder({ 'rules.yaml': text })
    await using opened = await watchTestRules(folder.path, { settleMs: 1 })
    const file = path.join(folder.path, 'test-pack/rules.yaml')
    for (let cut = 0; cut <= 12; cut++) {
      await writeFile(file, text.slice(0, Math.floor((text.length * cut) / 12)))
      await sleep(60)
      assert.equal(inForce(opened).length, 21, `cut at ${cut} of 12`)
    }
    await until('all of it is live', () => opened.rules.current().failures.length === 0)
  })
})
