import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { before, it } from 'node:test'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { verifyLedger } from '../../src/audit/verify-ledger.ts'
import { aFolder } from '../support/a-folder.ts'
import { fc, randomCases } from '../support/cases.ts'
import { aFact, aMigration, anEpisode, aWrite, ruleSetHash, ruleSetText } from '../support/store-builders.ts'

const folder = aFolder()
const whole = join(folder, 'whole.db')
const tables = ['ledger', 'decisions', 'facts', 'episodes', 'rule_sets', 'migrations', 'graph_log'] as const
type Row = Record<string, SQLInputValue>

before(async () => {
  await using store = await openSqliteStore(whole)
  await store.saveRuleSet(ruleSetHash, ruleSetText)
  await store.applyMigration(...aMigration(1, 1, 3), 'compliance')
  for (let index = 0; index < 6; index += 1) {
    const number = index % 3
    const [applicationId, subjectId] = [`app-${number}`, number === 2 ? undefined : `cust-${number}`]
    const seen = await store.readMemory(applicationId, subjectId)
    const version = seen.facts.length / 2 + 1
    const newFacts = [
      aFact({ application_id: applicationId, version, method: 'ocr' }),
      aFact({ application_id: applicationId, version, fact: 'bonus', value: null, unit: null }),
    ]
    const newEpisodes =
      subjectId === undefined ? [] : [anEpisode({ subject_id: subjectId, episode_id: `ep-${index}` })]
    const content = { applicationId, subjectId, newFacts, newEpisodes }
    const result = await store.commitDecision(aWrite({ decisionId: `d-${index}`, ...content }, seen))
    assert.ok('record' in result)
    if (index === 3) await store.applyMigration(...aMigration(2, 4, 2), 'compliance')
  }
  assert.deepEqual(await verifyLedger(store), { records: 8, decisions: 6, faults: [], faultCount: 0 })
})

it('a change of any one byte or field of any row is found', async () => {
  const tamper = fc.record({
    table: fc.constantFrom(...tables),
    row: fc.nat(),
    column: fc.nat(),
    place: fc.nat(),
  })
  await everyTamperingIsFound('one field changed', tamper, (db, { table, row, column, place }) => {
    const found = pick(rowsOf(db, table), row)
    const name = pick(
      Object.keys(found).filter((key) => key !== 'rowid_'),
      column,
    )
    const value = changed(found[name] ?? null, place)
    db.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${whereOf(found)}`).run(value, ...valuesOf(found))
    return `${table}.${name}: ${found[name]} -> ${value}`
  })
})

it('a row that is gone is found', async () => {
  const tamper = fc.record({ table: fc.constantFrom(...tables), row: fc.nat() })
  await everyTamperingIsFound('one row dropped', tamper, (db, { table, row }) => {
    const found = pick(rowsOf(db, table), row)
    db.prepare(`DELETE FROM ${table} WHERE ${whereOf(found)}`).run(...valuesOf(found))
    return `${table}: ${JSON.stringify(found)}`
  })
})

it('two records or decisions that changed places are found', async () => {
  const tamper = fc.record({ table: fc.constantFrom('ledger', 'decisions'), one: fc.nat(), other: fc.nat() })
  await everyTamperingIsFound('two rows swapped', tamper, (db, { table, one, other }) => {
    const rows = rowsOf(db, table)
    const [first, second] = [pick(rows, one), pick(rows, other)]
    if (first === second) return undefined
    const move = db.prepare(`UPDATE ${table} SET seq = ? WHERE seq = ?`)
    move.run(-1, Number(first.seq))
    move.run(Number(first.seq), Number(second.seq))
    move.run(Number(second.seq), -1)
    return `${table}: ${first.seq} <-> ${second.seq}`
  })
})

it('a row that was slipped in is found', async () => {
  const tamper = fc.record({
    table: fc.constantFrom('ledger', 'decisions', 'facts', 'episodes', 'migrations', 'graph_log'),
    row: fc.nat(),
    away: fc.integer({ min: 1, max: 100 }),
  })
  await everyTamperingIsFound('one row slipped in', tamper, (db, { table, row, away }) => {
    const copy = { ...pick(rowsOf(db, table), row) }
    const key = { ledger: 'seq', decisions: 'seq', facts: 'version', graph_log: 'sequence' }[String(table)]
    if (key !== undefined) copy[key] = Number(copy[key]) + 100 + away
    // Half of them for an application or subject that nobody ever decided on.
    if (table === 'facts' && away % 2 === 0) copy.application_id = `app-${away}`
    if (table === 'episodes' && away % 2 === 0) copy.subject_id = `cust-${away}`
    if (table === 'decisions') copy.decision_id = `d-${100 + away}`
    if (table === 'episodes') copy.episode_id = `ep-${100 + away}`
    if (table === 'migrations') copy.migration = `V0${100 + away}`
    const names = Object.keys(copy)
    db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`).run(...valuesOf(copy))
    return `${table}: ${JSON.stringify(copy)}`
  })
})

async function everyTamperingIsFound<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  tamper: (db: DatabaseSync, how: T) => string | undefined,
): Promise<void> {
  const { numRuns, seed } = randomCases(name, 4000)
  const path = join(folder, 'tampered.db')
  const isFound = async (how: T) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    copyFileSync(whole, path)
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    unguard(db)
    const what = attempt(() => tamper(db, how))
    db.close()
    fc.pre(what !== undefined)
    await using store = await openSqliteStore(path)
    const report = await verifyLedger(store)
    assert.ok(report.faultCount > 0, `not found: ${what}`)
  }
  await fc.assert(fc.asyncProperty(arbitrary, isFound), { numRuns, seed })
}

/** `undefined` where the tables themselves do not take it, such as a key that is taken. */
function attempt(tamper: () => string | undefined): string | undefined {
  try {
    return tamper()
  } catch (error) {
    if (error instanceof Error && /constraint failed/.test(error.message)) return undefined
    throw error
  }
}

/** As someone would who has the file and means it: without the triggers, and without waiting for the disk. */
function unguard(db: DatabaseSync): void {
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
    db.exec(`DROP TRIGGER ${name}`)
  }
  db.exec('PRAGMA synchronous = OFF')
}

function rowsOf(db: DatabaseSync, table: string): Row[] {
  return db.prepare(`SELECT * FROM ${table}`).all()
}

function whereOf(row: Row): string {
  return Object.keys(row)
    .map((name) => `${name} IS ?`)
    .join(' AND ')
}

function valuesOf(row: Row): SQLInputValue[] {
  return Object.values(row)
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length]
  assert.ok(found !== undefined)
  return found
}

/** Another value of the same kind: one character changed, put in or taken out, a number one off, none made some. */
function changed(value: SQLInputValue, place: number): SQLInputValue {
  if (value === null) return '0'
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 + (place % 1000) : value / 2
  const text = String(value)
  const at = place % text.length
  const [head, tail] = [text.slice(0, at), text.slice(at + 1)]
  if (place % 3 === 0) return `${head} ${text.slice(at)}`
  if (place % 3 === 1) return `${head}${tail}`
  return `${head}${text[at] === 'x' ? 'y' : 'x'}${tail}`
}
