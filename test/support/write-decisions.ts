import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { aFact, aMigration, aWrite, ruleSetHash, ruleSetText } from './store-builders.ts'

/*
 * A process of its own that records decisions: `write-decisions.ts FILE PREFIX COUNT`. Prints the id of each one
 * only after the store has acknowledged it, in a write of its own, so that a kill cannot swallow it.
 */
const [path = '', prefix = '', count = '0'] = process.argv.slice(2)
const store = await openSqliteStore(path)
await store.saveRuleSet(ruleSetHash, ruleSetText)
writeSync(1, `migration ${await store.applyMigration(...aMigration(1, 1, 50), prefix)}\n`)

let next = 0
async function writeOneAfterAnother(): Promise<void> {
  while (next < Number(count)) {
    const decisionId = `${prefix}-${next}`
    next += 1
    const newFacts = [
      aFact({ application_id: decisionId }),
      aFact({ application_id: decisionId, fact: 'bonus' }),
    ]
    const result = await store.commitDecision(aWrite({ decisionId, applicationId: decisionId, newFacts }))
    writeSync(1, 'record' in result ? `${decisionId}\n` : `conflict ${decisionId}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, writeOneAfterAnother))
await store[Symbol.asyncDispose]()
