import { writeInstant } from '../../domain/time.ts'
import { type Finding, fine, problem, warning } from './finding.ts'
import type { Inspection } from './inspection.ts'

const mebibyte = 1024 * 1024
const stepMsMax = 100
/** Years in which this software may be running. */
const years = { from: 2025, to: 2099 }

/** Whether the clock shows a likely year and runs steadily. */
export async function checkClock(nowMs: number, inspection: Inspection): Promise<readonly Finding[]> {
  const reads = writeInstant(nowMs)
  const year = new Date(nowMs).getUTCFullYear()
  if (year < years.from || year > years.to) {
    return [problem('clock', `it reads ${reads}`, 'set the clock; decay, freshness and deadlines hang on it')]
  }
  const stepMs = Math.round(await inspection.clockStepMs())
  if (Math.abs(stepMs) <= stepMsMax) return [fine('clock', `${reads}, running steadily`)]
  const saw = `${reads}; it jumped by ${stepMs} ms while it was watched`
  return [warning('clock', saw, 'let NTP slew the clock instead of stepping it')]
}

/** Whether there is room for the store to grow. */
export async function checkDisk(dataFolder: string, inspection: Inspection): Promise<readonly Finding[]> {
  const bytes = await inspection.freeBytes(dataFolder)
  if (bytes === undefined) {
    return [warning('disk', `the system does not say how much is free at ${dataFolder}`, 'look for yourself')]
  }
  const saw = `${Math.floor(bytes / mebibyte)} MiB free at ${dataFolder}`
  const todo = 'free some space, or move CAUSEBOOK_DATA; what can not be recorded is not answered'
  if (bytes < 100 * mebibyte) return [problem('disk', saw, todo)]
  return bytes < 1024 * mebibyte ? [warning('disk', saw, todo)] : [fine('disk', saw)]
}
