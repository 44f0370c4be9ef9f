import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { readMigrations } from '../../src/adapters/files/read-migrations.ts'
import { readPacks } from '../../src/adapters/files/read-packs.ts'
import { Failure, type FailureCode } from '../../src/errors.ts'
import { temporaryFolder } from '../support/service.ts'

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder.path, name)), { recursive: true })
    await writeFile(path.join(folder.path, name), content)
  }
  return folder
}

function failsWith(code: FailureCode, ...places: string[]) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, code)
    assert.deepEqual(
      error.faults.map((fault) => fault.at),
      places,
    )
    return true
  }
}

describe('reading packs', () => {
  it('takes each folder with a policy.yaml, its YAML files in one order, and nothing editors leave', async () => {
    await using folder = await folderWith({
      'b/policy.yaml': 'b',
      'b/Z.yaml': 'z',
      'b/a.yml': 'a',
      'b/deep/er/r.yaml': 'r',
      'b/a.yml~': 'old',
      'b/.#a.yml': 'lock',
      'b/#a.yml#': 'auto',
      'b/.a.yml.swp': 'swap',
      'b/a.yaml.bak': 'old',
      'b/notes.md': 'notes',
      'b/.git/x.yaml': 'hidden',
      'a/policy.yaml': '\u{feff}a',
      'c/rule.yaml': 'no policy beside it',
      'README.md': 'read me',
      'stray.yaml': 'stray',
      'empty/notes.txt': '',
    })
    const { packs, overlooked } = await readPacks(folder.path)
    assert.deepEqual(
      packs.map((pack) => [pack.folder, ...pack.files.map((file) => file.path)]),
      [
        ['a', 'a/policy.yaml'],
        ['b', 'b/Z.yaml', 'b/a.yml', 'b/deep/er/r.yaml', 'b/policy.yaml'],
      ],
    )
    assert.equal(packs[0]?.files[0]?.text, 'a', 'a byte order mark is no part of the text')
    assert.deepEqual(overlooked, ['c', 'stray.yaml'])
  })

  it('follows links, as mounted configuration is made of them', async () => {
    await using folder = await folderWith({ '.data/policy.yaml': 'p' })
    await symlink('.data', path.join(folder.path, 'linked'))
    const { packs } = await readPacks(folder.path)
    assert.deepEqual(
      packs.map((pack) => pack.files[0]?.path),
      ['linked/policy.yaml'],
    )
  })

  it('names every file that is no UTF-8, too large, or a link to nothing', async () => {
    await using folder = await folderWith({
      'p/policy.yaml': 'p',
      'p/latin.yaml': new Uint8Array([0x61, 0x0a, 0x62, 0xe9, 0x0a]),
      'p/large.yaml': 'x'.repeat(1024 * 1024 + 1),
    })
    await symlink('gone.yaml', path.join(folder.path, 'p/link.yaml'))
    await assert.rejects(
      readPacks(folder.path),
      failsWith('RULE_FILE_INVALID', 'p/link.yaml', 'p/large.yaml', 'p/latin.yaml:2'),
    )
  })

  it('refuses a rules folder without a pack, or that is not there', async () => {
    await using folder = await folderWith({ 'a/rule.yaml': '' })
    await assert.rejects(readPacks(folder.path), failsWith('NO_RULES', ''))
    const missing = path.join(folder.path, 'missing')
    await assert.rejects(readPacks(missing), failsWith('NO_RULES', missing))
  })
})

describe('reading migrations', () => {
  it('takes the numbered files by number', async () => {
    await using folder = await folderWith({
      'migrations/V0002__b.yaml': '2',
      'migrations/V0001__a.yaml': '1',
      'migrations/V0001__a.cypher': '//',
      'migrations/.V0003__c.yaml.swp': '',
    })
    const files = await readMigrations(folder.path)
    assert.deepEqual(
      files.map((file) => file.path),
      ['migrations/V0001__a.yaml', 'migrations/V0002__b.yaml'],
    )
  })

  it('refuses a folder that is not there; an empty one holds none', async () => {
    await using folder = await folderWith({ 'migrations/README.md': '', 'file/x': '' })
    assert.deepEqual(await readMigrations(folder.path), [])
    for (const name of ['missing', 'file', 'file/x']) {
      const graph = path.join(folder.path, name)
      await assert.rejects(
        readMigrations(graph),
        failsWith('GRAPH_FILE_INVALID', path.join(graph, 'migrations')),
      )
    }
  })

  it('refuses a YAML file that is not named like a migration, so that none is overlooked', async () => {
    await using folder = await folderWith({ 'migrations/V1__a.yaml': '', 'migrations/v0001__b.yaml': '' })
    await assert.rejects(
      readMigrations(folder.path),
      failsWith('GRAPH_FILE_INVALID', 'migrations/V1__a.yaml', 'migrations/v0001__b.yaml'),
    )
  })
})
