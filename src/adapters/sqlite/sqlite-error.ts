import { Failure } from '../../errors.ts'

/** An error of SQLite itself, with its result code; https://sqlite.org/rescode.html. */
export interface SqliteError extends Error {
  readonly errcode: number
  readonly errstr: string
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error
}

const primaryCodes = { busy: 5, locked: 6, constraint: 19, notADatabase: 26 }

/** Another connection holds the lock: the whole transaction is worth trying again. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === primaryCodes.busy || code === primaryCodes.locked
}

/** A row breaks a rule of its table: this entry is bad, the database is not. */
export function isConstraint(error: unknown): boolean {
  return primaryCode(error) === primaryCodes.constraint
}

export function isNotADatabase(error: unknown): boolean {
  return primaryCode(error) === primaryCodes.notADatabase
}

/**
 * SQLite's errors become `STORE_UNAVAILABLE`, the error as cause; a number nobody of us wrote, `LEDGER_BROKEN`; a
 * Failure or a bug stays what it is.
 */
export function unavailable(error: unknown, at: string): unknown {
  if (isOutOfRange(error)) {
    return new Failure('LEDGER_BROKEN', { at, why: 'a stored number is too large' }, { cause: error })
  }
  if (!isSqliteError(error)) return error
  const why = `the database failed with \`${error.message}\` (SQLite result ${error.errcode}); nothing was written`
  return new Failure('STORE_UNAVAILABLE', { at, why }, { cause: error })
}

function primaryCode(error: unknown): number | undefined {
  return isSqliteError(error) ? error.errcode & 0xff : undefined
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}
