import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, unavailable } from './sqlite-error.ts'

/** Times a busy database is tried before giving up: about 5 seconds with SQLite's own short wait. */
const attemptsMax = 200

/**
 * Runs `work` in one write transaction: its result comes after COMMIT, an error leaves nothing written and is the
 * first one (`STORE_UNAVAILABLE` when SQLite failed). Busy: all of it again, without blocking the process long.
 * `checkLasting` throws when what is written would not last; it is asked before and again after.
 */
export async function transact<T>(
  db: DatabaseSync,
  at: string,
  work: () => T,
  checkLasting: () => void = () => {},
): Promise<T> {
  return patiently(at, () => once(db, work, checkLasting))
}

/** Runs a read; busy is tried again, other errors of SQLite become `STORE_UNAVAILABLE`. */
export async function patiently<T>(at: string, work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt >= attemptsMax) throw unavailable(error, at)
    }
    await sleep(2 + (attempt % 7))
  }
}

// IMMEDIATE: a transaction that reads first and writes later can fail at once, whatever the timeout.
function once<T>(db: DatabaseSync, work: () => T, checkLasting: () => void): T {
  rollBack(db)
  checkLasting()
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    checkLasting()
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

// A full disk has rolled back by itself; its error must not be hidden by that of a second ROLLBACK.
function rollBack(db: DatabaseSync): void {
  if (!db.isTransaction) return
  try {
    db.exec('ROLLBACK')
  } catch {
    // The error that led here is the one to report; an open transaction is rolled back before the next.
  }
}
