/**
 * The tables, as numbered migrations: `user_version` is how many have run. A migration that was ever
 * released is never edited; another one follows. Not for reading or writing rows.
 */

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    host_id TEXT NOT NULL,
    tls_key TEXT,
    tls_cert TEXT
  ) STRICT;

  CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    model TEXT,
    kind TEXT,
    companion_version TEXT,
    locale TEXT,
    last_seq INTEGER NOT NULL DEFAULT 0,
    memory TEXT,
    turned_back_at INTEGER,
    resume_owed INTEGER NOT NULL DEFAULT 0,
    paired_at INTEGER NOT NULL,
    last_seen_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE commands (
    number INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    device_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    task_id TEXT,
    payload TEXT,
    payload_sha256 TEXT NOT NULL,
    host_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    ledger_id TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    not_after INTEGER NOT NULL,
    stop_counter INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    born_in TEXT NOT NULL,
    seal_flag INTEGER NOT NULL DEFAULT 0,
    ending TEXT,
    timeout_ms INTEGER NOT NULL,
    sent_at INTEGER,
    error_code TEXT,
    refusal TEXT,
    report TEXT,
    verdict TEXT NOT NULL,
    display TEXT,
    lasting TEXT,
    confirmation_id TEXT UNIQUE,
    expires_at INTEGER,
    decided_by TEXT,
    decided_at INTEGER,
    decided_how TEXT,
    approved_digest TEXT,
    approval_signature TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    final_at INTEGER,
    UNIQUE (agent, device_id, idempotency_key),
    UNIQUE (device_id, seq)
  ) STRICT;
  CREATE INDEX commands_open ON commands (device_id, seq) WHERE final_at IS NULL;
  CREATE INDEX commands_by_age ON commands (created_at);

  CREATE TABLE audit (
    position INTEGER PRIMARY KEY,
    call INTEGER NOT NULL,
    part TEXT NOT NULL CHECK (part IN ('opening', 'completion')),
    request_id TEXT,
    body TEXT NOT NULL,
    chain TEXT NOT NULL,
    UNIQUE (call, part)
  ) STRICT;
  CREATE INDEX audit_by_request ON audit (request_id) WHERE request_id IS NOT NULL;
  CREATE TABLE audit_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    length INTEGER NOT NULL,
    chain TEXT NOT NULL,
    calls INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE counters (
    device_id TEXT NOT NULL,
    name TEXT NOT NULL,
    handed_out INTEGER NOT NULL,
    PRIMARY KEY (device_id, name)
  ) STRICT, WITHOUT ROWID;
  `,

  // Agents with tokens and grants of their own, tasks, questions, standing rules, pictures of what waits;
  // the log searchable, and cut only where the owner signed for it.
  `
  CREATE TABLE agents (
    name TEXT PRIMARY KEY,
    token_hash TEXT UNIQUE,
    credential TEXT,
    grant_json TEXT,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    stopped_at INTEGER,
    stopped_how TEXT,
    held_at INTEGER,
    held_why TEXT,
    denials INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  INSERT INTO agents (name, grant_json, created_at)
    SELECT substr(name, 7), value, 0 FROM settings WHERE name LIKE 'grant:_%' AND value <> 'null';
  DELETE FROM settings WHERE name LIKE 'grant:%';

  CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT,
    say TEXT,
    settled_at INTEGER,
    clipboards TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX tasks_open ON tasks (agent) WHERE ended_at IS NULL;
  CREATE INDEX tasks_by_agent ON tasks (agent, opened_at);
  CREATE INDEX tasks_unsettled ON tasks (task_id) WHERE settled_at IS NULL;

  CREATE TABLE questions (
    number INTEGER PRIMARY KEY,
    question_id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    task_id TEXT NOT NULL,
    question TEXT NOT NULL,
    warning TEXT,
    state TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    answer TEXT,
    ended_at INTEGER,
    ended_how TEXT,
    told_at INTEGER
  ) STRICT;
  CREATE INDEX questions_waiting ON questions (agent) WHERE state = 'waiting';
  CREATE INDEX questions_by_task ON questions (task_id);

  CREATE TABLE rules (
    number INTEGER PRIMARY KEY,
    rule_id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    device_id TEXT NOT NULL,
    matches TEXT NOT NULL,
    until INTEGER NOT NULL,
    most INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0,
    made_at INTEGER NOT NULL,
    made_how TEXT NOT NULL,
    revoked_at INTEGER,
    revoked_how TEXT
  ) STRICT;
  CREATE INDEX rules_by_agent ON rules (agent) WHERE revoked_at IS NULL;

  CREATE TABLE pictures (
    request_id TEXT PRIMARY KEY,
    content_type TEXT NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE INDEX commands_by_task ON commands (task_id) WHERE task_id IS NOT NULL;
  CREATE INDEX commands_by_agent ON commands (agent, created_at);

  ALTER TABLE audit ADD COLUMN words TEXT;
  ALTER TABLE audit ADD COLUMN task_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.task_id')) VIRTUAL;
  CREATE INDEX audit_by_task ON audit (task_id) WHERE task_id IS NOT NULL;
  CREATE TABLE audit_cuts (
    up_to INTEGER PRIMARY KEY,
    chain TEXT NOT NULL,
    calls INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  `,
];
