import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Settling, settle, settledAs, unsettled } from '../../src/rules/settle-files.ts'

/** Looks at given times, and gives what each look said. */
function looks(from: Settling, seen: readonly (readonly [atMs: number, stamp: string])[]) {
  let settling = from
  const waits = seen.map(([atMs, stamp]) => {
    const { next, waitMs } = settle(settling, stamp, atMs, 200)
    settling = next
    return waitMs
  })
  return { settling, waits }
}

describe('waiting until files have settled', () => {
  it('reads only what has stayed the same for as long as is asked', () => {
    const { waits } = looks(unsettled, [
      [0, 'a'],
      [150, 'ab'],
      [300, 'ab'],
      [350, 'ab'],
    ])
    assert.deepEqual(waits, [200, 200, 50, 0])
  })

  it('does not read again what was read', () => {
    const { settling } = looks(unsettled, [
      [0, 'a'],
      [200, 'a'],
    ])
    assert.deepEqual(looks(settledAs(settling, 'a'), [[400, 'a']]).waits, [undefined])
    assert.deepEqual(looks(settledAs(settling, 'a'), [[400, 'b']]).waits, [200])
  })

  it('what goes back to what was read has settled', () => {
    const read = settledAs(unsettled, 'a')
    assert.deepEqual(
      looks(read, [
        [0, 'b'],
        [100, 'a'],
        [5000, 'b'],
      ]).waits,
      [200, undefined, 200],
    )
  })

  it('somebody who never stops writing is read all the same in the end', () => {
    const writing = Array.from({ length: 60 }, (_, look) => [look * 100, `a${look}`] as const)
    const { waits } = looks(unsettled, writing)
    assert.equal(waits.indexOf(0), 40)
  })
})
