import type { DatabaseSync } from 'node:sqlite'
import { activation } from './schema.ts'

/** Every statement the store runs, prepared once. Text compares by its bytes. */
export function prepareStatements(db: DatabaseSync) {
  const insert = (table: string, columns: string) => {
    const names = columns.split(' ')
    const values = names.map((name) => `:${name}`).join(', ')
    return db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`)
  }
  const decision = `
    SELECT d.decision_id, d.application_id, d.subject_id, d.subject_salt, d.answer, d.answer_salt,
      d.writer, d.seq, l.time, l.actor, l.kind, l.payload, l.prev, l.hash
    FROM decisions d LEFT JOIN ledger l ON l.writer = d.writer AND l.seq = d.seq`
  const key = 'SELECT k.*, r.revoked_at FROM access_keys k LEFT JOIN key_revocations r ON r.id = k.id'
  return {
    facts: db.prepare('SELECT * FROM facts WHERE application_id = ? ORDER BY fact, version'),
    countFacts: db.prepare('SELECT count(*) AS count FROM facts WHERE application_id = ?'),
    addFact: insert(
      'facts',
      'application_id fact version type value unit confidence source method corrects observed_at recorded_at salt',
    ),

    episodes: db.prepare('SELECT * FROM episodes WHERE subject_id = ?'),
    countEpisodes: db.prepare('SELECT count(*) AS count FROM episodes WHERE subject_id = ?'),
    episode: db.prepare('SELECT * FROM episodes WHERE subject_id = ? AND episode_id = ?'),
    addEpisode: insert(
      'episodes',
      'subject_id episode_id type occurred_at valid_until confidence source attributes recorded_at salt',
    ),

    head: db.prepare('SELECT seq, hash FROM ledger WHERE writer = ? ORDER BY seq DESC LIMIT 1'),
    ledger: db.prepare('SELECT * FROM ledger WHERE writer = ? AND seq > ? ORDER BY seq LIMIT ?'),
    // Writers of decisions too: a writer all of whose records are gone must still be looked for.
    writers: db.prepare('SELECT writer FROM ledger UNION SELECT writer FROM decisions ORDER BY writer'),
    addRecord: insert('ledger', 'writer seq time actor kind payload prev hash'),

    decision: db.prepare(`${decision} WHERE d.decision_id = ?`),
    decisions: db.prepare(`${decision} WHERE (d.writer, d.seq) > (?, ?) ORDER BY d.writer, d.seq LIMIT ?`),
    addDecision: insert(
      'decisions',
      'decision_id writer seq application_id subject_id subject_salt answer answer_salt',
    ),

    countDecisions: db.prepare('SELECT count(*) AS count FROM decisions WHERE application_id = ?'),
    firstDecision: db.prepare(`${decision} WHERE d.application_id = ? ORDER BY d.writer, d.seq LIMIT 1`),
    firstSubject: db.prepare(
      'SELECT subject_id FROM decisions WHERE application_id = ? AND subject_id IS NOT NULL ORDER BY writer, seq LIMIT 1',
    ),

    // `>=` and `IS NOT`: from the start, with an empty text and NULL, an empty name is found too.
    unnamedApplications: db.prepare(`
      SELECT DISTINCT application_id AS id FROM facts f
      WHERE application_id >= ? AND application_id IS NOT ?
        AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.application_id = f.application_id)
      ORDER BY application_id LIMIT ?`),
    unnamedSubjects: db.prepare(`
      SELECT DISTINCT subject_id AS id FROM episodes
      WHERE subject_id >= ? AND subject_id IS NOT ?
        AND subject_id NOT IN (SELECT subject_id FROM decisions WHERE subject_id IS NOT NULL)
      ORDER BY subject_id LIMIT ?`),

    ruleSet: db.prepare('SELECT content FROM rule_sets WHERE hash = ?'),
    // The latest of each policy; SQLite takes the other columns from the row that has the maximum.
    activations: db.prepare(`
      SELECT writer, max(seq) AS seq, time, actor, kind, payload, prev, hash FROM ledger
      WHERE ${activation}
      GROUP BY CASE WHEN json_valid(payload) THEN json_extract(payload, '$.policy') END
      ORDER BY max(seq)`),
    addRuleSet: insert('rule_sets', 'hash content'),

    migrations: db.prepare('SELECT * FROM migrations ORDER BY last_sequence'),
    migration: db.prepare('SELECT 1 FROM migrations WHERE migration = ?'),
    addMigration: insert('migrations', 'migration title checksum applied_at last_sequence'),
    graphLog: db.prepare('SELECT * FROM graph_log WHERE sequence <= ? ORDER BY sequence'),
    lastSequence: db.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM graph_log'),
    addOperation: insert('graph_log', 'sequence migration zone recorded_at operation'),

    keys: db.prepare(`${key} ORDER BY k.created_at, k.id`),
    key: db.prepare(`${key} WHERE k.id = ?`),
    addKey: insert('access_keys', 'id roles name created_at expires_at rate_per_minute hash'),
    addRevocation: insert('key_revocations', 'id revoked_at'),

    claim: db.prepare('SELECT body_hash, decision_id, answer FROM claims WHERE scope = ? AND key = ?'),
    addClaim: insert('claims', 'scope key body_hash decision_id answer'),

    savepoint: db.prepare('SAVEPOINT entry'),
    release: db.prepare('RELEASE entry'),
    rollBackTo: db.prepare('ROLLBACK TO entry'),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
