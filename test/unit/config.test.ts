import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { Failure } from '../../src/errors.ts'

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.equal(error.code, 'CONFIG_INVALID')
    return error.faults.map((fault) => `${fault.at}: ${fault.why}`)
  }
  return []
}

describe('configuration', () => {
  it('has a default for everything, folders made absolute', () => {
    assert.deepEqual(readConfig({ PATH: '/bin', CAUSEBOOK_RULES: '' }), {
      port: 8080,
      host: '127.0.0.1',
      dataFolder: path.resolve('data'),
      rulesFolder: path.resolve('rules'),
      graphFolder: path.resolve('graph'),
      store: 'embedded',
      deadlineMs: 2000,
      witnessSample: 0.01,
      rulesSettleMs: 200,
      rulesPollMs: 0,
      rulesFailingMaxS: 0,
    })
  })

  it('takes what is given', () => {
    const config = readConfig({
      CAUSEBOOK_PORT: '0',
      CAUSEBOOK_HOST: '::1',
      CAUSEBOOK_STORE: 'memory:',
      CAUSEBOOK_DATA: '/var/lib/causebook',
      CAUSEBOOK_DEADLINE_MS: '500',
    })
    assert.equal(config.port, 0)
    assert.equal(config.host, '::1')
    assert.equal(config.store, 'memory')
    assert.equal(config.dataFolder, '/var/lib/causebook')
    assert.equal(config.deadlineMs, 500)
  })

  it('names everything wrong at once, with what was found and what would be right', () => {
    const faults = faultsOf({
      CAUSEBOOK_PORT: '65536',
      CAUSEBOOK_HOST: 'http://localhost',
      CAUSEBOOK_STORE: 'neo4j://db:7687',
      CAUSEBOOK_DEADLINE_MS: '2s',
      CAUSEBOOK_PROT: '80',
    })
    assert.equal(faults.length, 5)
    assert.match(faults.join('\n'), /CAUSEBOOK_PROT: there is no such setting; did you mean `?CAUSEBOOK_PORT/)
    assert.match(faults.join('\n'), /CAUSEBOOK_PORT: expected a whole number from 0 to 65535.*got `65536`/)
    assert.match(faults.join('\n'), /CAUSEBOOK_HOST: expected an address or a host name.*got `http:/)
    assert.match(faults.join('\n'), /CAUSEBOOK_STORE: this version has no Neo4j store yet/)
    assert.match(faults.join('\n'), /CAUSEBOOK_DEADLINE_MS: .*got `2s`/)
  })

  for (const host of ['localhost:80', 'a b', '[::1]', '-x', 'a/b', '*']) {
    it(`refuses host \`${host}\``, () => {
      assert.equal(faultsOf({ CAUSEBOOK_HOST: host }).length, 1)
    })
  }

  for (const text of ['-0.1', '1.1', '2', '1 %', '1e-2', '.']) {
    it(`refuses a witness sample of \`${text}\``, () => {
      assert.match(
        faultsOf({ CAUSEBOOK_WITNESS_SAMPLE: text }).join(),
        /a share from 0 \(none\) to 1 \(all\)/,
      )
    })
  }

  for (const [text, share] of [
    ['0', 0],
    ['1', 1],
    ['0.05', 0.05],
    ['.5', 0.5],
  ] as const) {
    it(`takes a witness sample of \`${text}\``, () => {
      assert.equal(readConfig({ CAUSEBOOK_WITNESS_SAMPLE: text }).witnessSample, share)
    })
  }

  for (const port of ['-1', '80.5', '0x50', ' 80', '1e3', '８０８０']) {
    it(`refuses port \`${port}\``, () => {
      assert.equal(faultsOf({ CAUSEBOOK_PORT: port }).length, 1)
    })
  }
})
