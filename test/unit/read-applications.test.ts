import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readApplications } from '../../src/commands/read-applications.ts'
import { lineBytesMax, splitLines } from '../../src/commands/split-lines.ts'
import { Failure } from '../../src/errors.ts'
import { randomCases } from '../support/cases.ts'

const application = (id: string, extra = '') =>
  `{"application_id": "${id}", "policy": "us-consumer", "received_at": "2026-06-01T14:03:00Z", "facts": {}${extra}}`

async function* chunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const size of sizes) {
    yield bytes.subarray(start, start + size)
    start += size
  }
  yield bytes.subarray(start)
}

async function readAll(input: string | Uint8Array, name = 'input'): Promise<readonly string[]> {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input
  const read: string[] = []
  for await (const { line, request } of readApplications(chunks(bytes, []), name)) {
    const outcome = request instanceof Failure ? `${request.code} ${request.message}` : request.application_id
    read.push(`${line} ${outcome}`)
  }
  return read
}

describe('reading applications', () => {
  it('takes one object over many lines, or one a line, whichever the input is', async () => {
    assert.deepEqual(await readAll(application('a')), ['1 a'])
    assert.deepEqual(await readAll(`\n\n${application('a').replaceAll(',', ',\n')}\n\n`), ['1 a'])
    assert.deepEqual(await readAll(`${application('a')}\r\n\r\n${application('b')}`), ['1 a', '3 b'])
  })

  it('goes on after a bad line, also after a bad first one', async () => {
    const read = await readAll(`{"application_id": nonsense\n${application('b')}\n{}\n${application('d')}`)
    assert.equal(read.length, 4)
    assert.match(read[0] ?? '', /^1 BODY_NOT_JSON input:1: line 1, column 20: /)
    assert.equal(read[1], '2 b')
    assert.match(read[2] ?? '', /^3 REQUEST_INVALID \/application_id: this field is missing/)
    assert.equal(read[3], '4 d')
    const named = await readAll(`nonsense\n${application('b')}`, 'a.ndjson')
    assert.match(named[0] ?? '', /^1 BODY_NOT_JSON a\.ndjson:1: /)
    assert.equal(named[1], '2 b')
  })

  it('names lines that are no UTF-8 or too long, and keeps the rest', async () => {
    const long = application('long', `, "note": "${'x'.repeat(lineBytesMax)}"`)
    const input = Buffer.concat([
      Buffer.from(`${application('a')}\n${long}\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(application('d')),
    ])
    const read = await readAll(input)
    assert.deepEqual(
      read.map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['1 a', '2 BODY_TOO_LARGE', '3 BODY_NOT_JSON', '4 d'],
    )
  })

  it('says where in a file of one object it is wrong', async () => {
    const [read] = await readAll('{\n  "application_id": tru\n}')
    assert.match(read ?? '', /^1 BODY_NOT_JSON input: line 2, column \d+: /)
  })

  it('refuses an empty input', async () => {
    await assert.rejects(
      readAll(' \n\n'),
      (error) => error instanceof Failure && error.code === 'BODY_MISSING',
    )
  })

  it('splits lines the same way however the bytes arrive', async () => {
    const { numRuns, seed } = randomCases('splitting lines', 5000)
    const lines = fc.array(
      fc.string({ unit: 'binary' }).map((line) => line.replaceAll(/[\r\n\ufeff]/g, '')),
      { minLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(12)), async (texts, sizes) => {
        const read: string[] = []
        for await (const line of splitLines(chunks(Buffer.from(`${texts.join('\n')}\n`), sizes), 'x')) {
          read.push(String(line))
        }
        assert.deepEqual(
          read,
          texts.map((line) => line.toWellFormed()),
        )
      }),
      { numRuns, seed },
    )
  })
})
