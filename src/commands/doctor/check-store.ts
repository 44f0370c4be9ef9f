import { verifyTail } from '../../audit/verify-tail.ts'
import { writeInstant } from '../../domain/time.ts'
import type { Store } from '../../ports/store.ts'
import { counted } from '../counted.ts'
import { type Finding, fine, problem, warning } from './finding.ts'
import type { Inspection } from './inspection.ts'

const mebibyte = 1024 * 1024
const logBytesMax = 64 * mebibyte
const tailRecords = 100

/** The store's file: there, writable, able to sync, its log short. */
export function checkStoreFile(dataFolder: string, inspection: Inspection): readonly Finding[] {
  const file = inspection.storeFile(dataFolder)
  const why = inspection.whyNotWritable(dataFolder)
  if (why !== undefined) {
    const todo = 'give the user who runs the service the right to write there, or set CAUSEBOOK_DATA'
    return [problem('store', `${dataFolder} can't be written and synced: ${why}`, todo)]
  }
  if (file === undefined) {
    const todo = 'correct CAUSEBOOK_DATA if there should be one'
    return [warning('store', `none yet in ${dataFolder}; the first start makes it`, todo)]
  }
  const found = `${inMebibytes(file.bytes)} in ${dataFolder}, writable and synced; log ${inMebibytes(file.logBytes)}`
  if (file.logBytes <= logBytesMax) return [fine('store', found)]
  return [warning('store', found, 'stop and start the service once; a log this long slows every start')]
}

/** The last records of the ledger, and the clock against the newest of them. */
export async function checkLedgerTail(store: Store, nowMs: number): Promise<readonly Finding[]> {
  const { records, faults, newest } = await verifyTail(store, tailRecords)
  const lines = faults.map(({ writer, seq, why }) => `record ${seq} of ${writer}: ${why}`)
  const ledger =
    faults.length === 0
      ? fine('ledger', records === 0 ? 'no records yet' : `the last ${counted(records, 'record')} verify`)
      : problem(
          'ledger',
          `${counted(faults.length, 'fault')} in the last ${counted(records, 'record')}`,
          whenBroken,
          lines,
        )
  if (newest === undefined || Date.parse(newest.time) <= nowMs) return [ledger]
  const saw = `the newest record is of ${newest.time}, but the clock reads ${writeInstant(nowMs)}: it ran backwards`
  return [ledger, problem('clock', saw, 'set the clock (is NTP running?) before the service decides again')]
}

const whenBroken = 'stop the service, keep the data folder as it is, and run `causebook verify`'

function inMebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`
}
