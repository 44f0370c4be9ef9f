/** Version of the tables below; a file of another version is refused, not guessed at. */
export const schemaVersion = '1'

// Rows of a few hundred bytes that are read by a leading key lie in the key's own tree; big rows do not.
const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
  application_id TEXT NOT NULL,
  fact TEXT NOT NULL,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  value TEXT, -- canonical JSON; NULL: asked, and there is none
  unit TEXT,
  confidence REAL NOT NULL,
  source TEXT NOT NULL,
  method TEXT,
  corrects TEXT,
  observed_at TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  salt TEXT NOT NULL,
  PRIMARY KEY (application_id, fact, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE episodes (
  subject_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  type TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  valid_until TEXT,
  confidence REAL NOT NULL,
  source TEXT NOT NULL,
  attributes TEXT NOT NULL, -- canonical JSON
  recorded_at TEXT NOT NULL,
  salt TEXT NOT NULL,
  PRIMARY KEY (subject_id, episode_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  writer TEXT NOT NULL,
  seq INTEGER NOT NULL,
  time TEXT NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL, -- canonical JSON
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (writer, seq)
) STRICT;

CREATE TABLE decisions (
  decision_id TEXT NOT NULL PRIMARY KEY,
  writer TEXT NOT NULL,
  seq INTEGER NOT NULL,
  application_id TEXT NOT NULL,
  subject_id TEXT,
  subject_salt TEXT,
  answer TEXT NOT NULL, -- canonical JSON
  answer_salt TEXT NOT NULL,
  UNIQUE (writer, seq),
  FOREIGN KEY (writer, seq) REFERENCES ledger (writer, seq)
) STRICT;

CREATE INDEX decisions_by_application ON decisions (application_id);

CREATE TABLE rule_sets (hash TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT;

CREATE TABLE migrations (
  migration TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  last_sequence INTEGER NOT NULL
) STRICT;

CREATE TABLE graph_log (
  sequence INTEGER PRIMARY KEY,
  migration TEXT NOT NULL,
  zone TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  operation TEXT NOT NULL -- canonical JSON
) STRICT;

CREATE TABLE access_keys (
  id TEXT NOT NULL PRIMARY KEY,
  roles TEXT NOT NULL, -- canonical JSON
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  rate_per_minute INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE key_revocations (
  id TEXT NOT NULL PRIMARY KEY,
  revoked_at TEXT NOT NULL,
  FOREIGN KEY (id) REFERENCES access_keys (id)
) STRICT;

CREATE TABLE claims (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  decision_id TEXT,
  answer TEXT, -- of what is no decision, as it was sent
  PRIMARY KEY (scope, key),
  FOREIGN KEY (decision_id) REFERENCES decisions (decision_id),
  CHECK ((decision_id IS NULL) <> (answer IS NULL))
) STRICT;
`

/** Records that say which rule sets are in force; few among many, so they have an index of their own. */
export const activation = "kind IN ('rule_set_activated', 'policy_withdrawn')"

/** Indexes that only make it faster: a file without them gets them, a file that has them may be read by anybody. */
export const indexes = `CREATE INDEX IF NOT EXISTS ledger_activations ON ledger (seq) WHERE ${activation};`

const keys: Record<string, readonly (readonly string[])[]> = {
  facts: [['application_id', 'fact', 'version']],
  episodes: [['subject_id', 'episode_id']],
  ledger: [['writer', 'seq']],
  decisions: [['decision_id'], ['writer', 'seq']],
  rule_sets: [['hash']],
  migrations: [['migration']],
  graph_log: [['sequence']],
  access_keys: [['id']],
  key_revocations: [['id']],
  claims: [['scope', 'key']],
}

/** Makes every table and the triggers that keep them append-only, whoever opens the file. */
export const schema = `${tables}
${Object.entries(keys).map(appendOnly).join('\n')}
INSERT INTO meta VALUES ('schema_version', '${schemaVersion}');
`

// INSERT OR REPLACE deletes without firing delete triggers, so a taken key is refused before it gets there.
function appendOnly([table, uniqueKeys]: [string, readonly (readonly string[])[]]): string {
  const taken = uniqueKeys
    .map((key) => key.map((column) => `${column} = NEW.${column}`).join(' AND '))
    .map((condition) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`)
    .join(' OR ')
  return `
CREATE TRIGGER ${table}_update BEFORE UPDATE ON ${table}
BEGIN SELECT RAISE(ABORT, '${table} is append-only: no row is changed'); END;
CREATE TRIGGER ${table}_delete BEFORE DELETE ON ${table}
BEGIN SELECT RAISE(ABORT, '${table} is append-only: no row is removed'); END;
CREATE TRIGGER ${table}_insert BEFORE INSERT ON ${table} WHEN ${taken}
BEGIN SELECT RAISE(ABORT, '${table} is append-only: this key is taken'); END;`
}
