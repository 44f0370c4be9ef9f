import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Failure } from '../../errors.ts'
import { makeFolder } from '../files/make-folder.ts'
import { indexes, schema, schemaVersion } from './schema.ts'
import { isBusy, isNotADatabase, unavailable } from './sqlite-error.ts'

/** SQLite's own wait blocks the process, so it is short; `transact` waits longer without blocking. */
const busyTimeoutMs = 20
const attemptsMax = 200

/**
 * Opens the file, or makes it with its tables, readable by its owner only; two processes may do so at once. With
 * `mustExist` nothing is made, and a file without tables is none of ours.
 * `STORE_VERSION_UNKNOWN` when the file is of another version or no database, `STORE_UNAVAILABLE` otherwise.
 */
export async function openDatabase(path: string, mustExist = false): Promise<DatabaseSync> {
  if (!mustExist) makeFile(path)
  else if (!isFile(path))
    throw new Failure('STORE_UNAVAILABLE', { at: path, why: 'there is no file here that can be read' })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openOnce(path, mustExist)
    } catch (error) {
      if (isNotADatabase(error)) throw unknownVersion(path, 'found a file that is no SQLite database', error)
      if (!isBusy(error) || attempt >= attemptsMax) throw unavailable(error, path)
    }
    await sleep(5)
  }
}

/**
 * Opens a file that is there, to look at only. Without a write-ahead log nobody else has it open, so not even
 * SQLite's side files are made. Failures as `openDatabase`.
 */
export function openReadOnly(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  if (!isInUse(path)) url.searchParams.set('immutable', '1')
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(url, {
      timeout: busyTimeoutMs,
      enableDoubleQuotedStringLiterals: false,
      readOnly: true,
    })
    if (readVersion(db, path) === undefined) throw unknownVersion(path, 'found an empty file')
    return db
  } catch (error) {
    db?.close()
    if (isNotADatabase(error)) throw unknownVersion(path, 'found a file that is no SQLite database', error)
    throw unavailable(error, path)
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isInUse(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0 || existsSync(`${path}-shm`)
}

function openOnce(path: string, mustExist: boolean): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableDoubleQuotedStringLiterals: false })
  try {
    // Before anything is written: a file of another version stays as it is.
    const isNew = readVersion(db, path) === undefined
    if (isNew && mustExist) throw unknownVersion(path, 'found an empty file')
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
    if (mode !== 'wal' && mode !== 'memory') {
      const why = `expected journal mode \`wal\`, which its file system must allow; got \`${mode}\``
      throw new Failure('STORE_UNAVAILABLE', { at: path, why })
    }
    db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    if (isNew) makeTables(db, path)
    db.exec(indexes)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function makeTables(db: DatabaseSync, path: string): void {
  db.exec('BEGIN IMMEDIATE')
  // Another process may have made them since.
  if (readVersion(db, path) === undefined) db.exec(schema)
  db.exec('COMMIT')
}

/** The file's version when it is ours; `undefined` for an empty file. */
function readVersion(db: DatabaseSync, path: string): string | undefined {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (names.length === 0) return undefined
  if (!names.some(({ name }) => name === 'meta')) {
    throw unknownVersion(path, 'found tables that are not ours')
  }
  const version = db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()?.value
  if (version !== schemaVersion) throw unknownVersion(path, `found version \`${version}\``)
  return schemaVersion
}

function unknownVersion(path: string, found: string, cause?: unknown): Failure {
  const why = `expected a store of version \`${schemaVersion}\`; ${found}`
  return new Failure('STORE_VERSION_UNKNOWN', { at: path, why }, { cause })
}

// The file holds personal values, so only its owner may read it; SQLite gives its side files the same mode.
function makeFile(path: string): void {
  if (path === ':memory:') return
  try {
    const folder = dirname(path)
    makeFolder(folder, 0o700)
    closeSync(openSync(path, 'a', 0o600))
    const handle = openSync(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch (cause) {
    const why = `cannot be opened for writing: ${cause instanceof Error ? cause.message : cause}`
    throw new Failure('STORE_UNAVAILABLE', { at: path, why }, { cause })
  }
}
