import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkClock, checkDisk } from '../../src/commands/doctor/check-machine.ts'
import { checkStoreFile } from '../../src/commands/doctor/check-store.ts'
import type { Inspection } from '../../src/commands/doctor/inspection.ts'

const mebibyte = 1024 * 1024

function machine(change: Partial<Inspection>): Inspection {
  return {
    storeFile: () => ({ bytes: mebibyte, logBytes: 0 }),
    whyNotWritable: () => undefined,
    freeBytes: async () => 5000 * mebibyte,
    clockStepMs: async () => 0,
    ...change,
  }
}

describe('what doctor makes of a machine', () => {
  it('warns below 1 GiB free and calls less than 100 MiB a problem', async () => {
    const states = await Promise.all(
      [1024, 1023, 100, 99, 0].map(async (free) => {
        const [finding] = await checkDisk('/data', machine({ freeBytes: async () => free * mebibyte }))
        return finding?.state
      }),
    )
    assert.deepEqual(states, ['ok', 'warning', 'warning', 'problem', 'problem'])
    const [silent] = await checkDisk('/data', machine({ freeBytes: async () => undefined }))
    assert.equal(silent?.state, 'warning')
  })

  it('calls an unlikely year a problem and a jump a warning', async () => {
    const at = Date.parse('2026-06-01T00:00:00Z')
    assert.equal((await checkClock(0, machine({})))[0]?.state, 'problem')
    assert.equal((await checkClock(Date.parse('2301-01-01'), machine({})))[0]?.state, 'problem')
    assert.equal((await checkClock(at, machine({})))[0]?.state, 'ok')
    const [jumped] = await checkClock(at, machine({ clockStepMs: async () => -60_000 }))
    assert.equal(jumped?.state, 'warning')
    assert.match(jumped?.saw ?? '', /jumped by -60000 ms/)
  })

  it('calls a store that cannot be written a problem and a long log a warning', () => {
    const [full] = checkStoreFile('/data', machine({ whyNotWritable: () => 'EROFS: read-only file system' }))
    assert.equal(full?.state, 'problem')
    assert.match(full?.saw ?? '', /EROFS/)
    const [long] = checkStoreFile(
      '/data',
      machine({ storeFile: () => ({ bytes: 1, logBytes: 65 * mebibyte }) }),
    )
    assert.equal(long?.state, 'warning')
    const [none] = checkStoreFile('/data', machine({ storeFile: () => undefined }))
    assert.equal(none?.state, 'warning')
  })
})
