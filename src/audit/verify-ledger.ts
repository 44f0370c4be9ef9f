import { type LedgerRecord, RecordBody } from '../domain/record.ts'
import type { Store, StoredDecision } from '../ports/store.ts'
import { collectFaults, type FaultList, type LedgerFault } from './collect-faults.ts'
import { lastSequence } from './last-sequence.ts'
import { genesis, hashOfRecord } from './link-record.ts'
import { readOrBroken } from './read-or-broken.ts'
import { verifyActivations } from './verify-activations.ts'
import { verifyDecisions } from './verify-decisions.ts'
import { verifyHead } from './verify-head.ts'
import { verifyKeys } from './verify-keys.ts'
import { verifyMigrations } from './verify-migrations.ts'
import { verifyUnnamed } from './verify-unnamed.ts'

/** What `verifyLedger` found. `faults` lists the first hundred; `faultCount` counts all. */
export interface LedgerReport {
  readonly records: number
  readonly decisions: number
  readonly faults: readonly LedgerFault[]
  readonly faultCount: number
}

/** Records checked so far, and about how many there are. */
export interface VerifyProgress {
  readonly done: number
  readonly total: number
}

const pageSize = 200
/** Before every number there can be: records are numbered from 1, and one that is not is looked at too. */
const beforeAll = Number.MIN_SAFE_INTEGER

/**
 * Checks every writer's chain (no gap, each record linked to the one before, each hash, each payload) and that
 * what lies apart still is what the records committed to: facts, episodes, subject and answer of each decision,
 * its rule set, the change log of each migration. Decisions without a record, facts and episodes that no record
 * names, and a chain that ends before it was last noted to end are faults too. Reads in pages, also while others write. A store that cannot be read rejects
 * (`STORE_UNAVAILABLE`).
 */
export async function verifyLedger(
  store: Store,
  onProgress?: (progress: VerifyProgress) => void,
): Promise<LedgerReport> {
  const faults = collectFaults()
  const decisions = verifyDecisions(store, faults)
  const migrations = await verifyMigrations(store, faults)
  const keys = await verifyKeys(store, faults)
  const activations = verifyActivations(store, faults)
  const head = await verifyHead(store, faults)
  const writers = await store.writers()
  const total = await countRecords(store, writers)
  let done = 0
  for (const writer of writers) {
    let before: Pick<LedgerRecord, 'seq' | 'hash'> = { seq: 0, hash: genesis }
    await verifyStart(store, writer, faults)
    for await (const page of pagesOf(store, writer)) {
      const rows = await rowsBeside(store, page)
      for (const record of page) {
        verifyLink(before, record, faults)
        head.see(record)
        const body = readBody(record, faults)
        if (body?.kind === 'decision') await decisions.verify(record, body.payload, rows)
        else if (rows?.has(record.seq)) faults.add(record, 'a decision hangs on a record of another kind')
        if (body?.kind === 'graph_migrated') migrations.see(record, body.payload)
        if (body?.kind === 'rule_set_activated') await activations.verify(record, body.payload)
        if (body?.kind === 'key_created' || body?.kind === 'key_revoked') keys.see(record, body)
        before = record
      }
      done += page.length
      onProgress?.({ done, total: Math.max(total, done) })
    }
    await verifyEnd(store, writer, before.seq, faults)
  }
  await decisions.finish()
  await migrations.finish()
  await keys.finish()
  await verifyUnnamed(store, faults)
  head.finish()
  return { records: done, decisions: decisions.count(), ...faults.report() }
}

async function* pagesOf(store: Store, writer: string): AsyncGenerator<readonly LedgerRecord[]> {
  let after = beforeAll
  for (;;) {
    const page = await store.readLedger(writer, after, pageSize)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.seq
  }
}

/** Number, link and hash of one record against the one before. */
export function verifyLink(
  before: Pick<LedgerRecord, 'seq' | 'hash'>,
  record: LedgerRecord,
  faults: FaultList,
): void {
  if (record.seq !== before.seq + 1) {
    faults.add(record, `expected record ${before.seq + 1} next; got \`${record.seq}\``)
  } else if (record.prev !== before.hash) {
    faults.add(record, `\`prev\` is not the hash of the record before, \`${before.hash}\``)
  }
  const hash = hashOfRecord(record)
  if (record.hash !== hash) faults.add(record, `\`hash\` is not that of the record's content, \`${hash}\``)
}

function readBody({ kind, payload, ...record }: LedgerRecord, faults: FaultList): RecordBody | undefined {
  const parsed = RecordBody.safeParse({ kind, payload })
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.message}`)
  faults.add(record, `the record is not valid: ${wrong.join('; ')}`)
  return undefined
}

/** Decisions of a page's records by `seq`; `undefined` when a row among them cannot be read. */
async function rowsBeside(
  store: Store,
  page: readonly LedgerRecord[],
): Promise<ReadonlyMap<number, StoredDecision> | undefined> {
  const [first, last] = [page.at(0), page.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const { writer } = first
  const read = await readOrBroken(() => store.listDecisions({ writer, seq: first.seq - 1 }, page.length))
  if ('broken' in read) return undefined
  const inside = read.value.filter(({ record }) => record.writer === writer && record.seq <= last.seq)
  return new Map(inside.map((row) => [row.record.seq, row]))
}

/** A decision numbered before the first record hangs on none. */
async function verifyStart(store: Store, writer: string, faults: FaultList): Promise<void> {
  const read = await readOrBroken(() => store.listDecisions({ writer, seq: beforeAll }, 1))
  if ('broken' in read) return faults.add({ writer, seq: 0 }, read.broken)
  const record = read.value[0]?.record
  if (record?.writer === writer && record.seq < 1)
    faults.add(record, 'a decision comes before the first record')
}

/** A chain cut at its end is found by the decisions that lost their record. */
async function verifyEnd(store: Store, writer: string, seq: number, faults: FaultList): Promise<void> {
  const read = await readOrBroken(() => store.listDecisions({ writer, seq }, 1))
  if ('broken' in read) faults.add({ writer, seq: seq + 1 }, read.broken)
}

async function countRecords(store: Store, writers: readonly string[]): Promise<number> {
  let total = 0
  for (const writer of writers) total += await lastSequence(store, writer)
  return total
}
