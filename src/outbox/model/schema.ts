import type { Schema } from "../../lib/util/migrate.ts";

// Rows written: acceptance 3, claim 1 per ten, settled delivery 1, purge 1.
const version100 = `
-- seq: acceptance time in unique microseconds. Kept RETENTION_DAYS (30) after acceptance, never deleted while open.
-- attention: number of failed or undecided deliveries that were not discarded.
CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  test INTEGER NOT NULL,
  body TEXT NOT NULL,
  secret_paths TEXT,
  outcomes TEXT NOT NULL,
  deliveries TEXT NOT NULL,
  open INTEGER NOT NULL,
  attention INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX webhooks_event ON webhooks (source, event_id);
CREATE INDEX webhooks_open ON webhooks (seq) WHERE open = 1;
CREATE INDEX webhooks_attention ON webhooks (seq, attention) WHERE attention > 0;

-- Links stay until erasure, running subscriptions until they end. Other values and empty rows go RETENTION_DAYS after
-- seen_at.
CREATE TABLE contacts (
  key TEXT PRIMARY KEY, -- "user:…", "email:…" or "ref:source:…"
  next_key TEXT, -- one step up
  email TEXT,
  learned_at INTEGER NOT NULL,
  watermarks TEXT, -- JSON of [occurredAt, rank] per property
  seen_at INTEGER NOT NULL,
  strength INTEGER NOT NULL DEFAULT 2, -- of the link: 2 account, 1 purchase, 0 document
  subscriptions TEXT -- JSON by id
) STRICT, WITHOUT ROWID;

-- Counts of refused webhooks. Kept RETENTION_DAYS.
CREATE TABLE refusals (
  minute INTEGER NOT NULL,
  source TEXT NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (minute, source, code)
) STRICT, WITHOUT ROWID;

-- Counts per source. Kept RETENTION_DAYS.
CREATE TABLE activity (
  bucket INTEGER NOT NULL, -- Unix time in units of five minutes
  source TEXT NOT NULL,
  accepted INTEGER NOT NULL,
  duplicate INTEGER NOT NULL,
  done INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  undecided INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  replaced INTEGER NOT NULL,
  received_at INTEGER, -- newest acceptance without backfills
  times TEXT NOT NULL, -- JSON of delivery times by class
  PRIMARY KEY (bucket, source)
) STRICT, WITHOUT ROWID;

-- Delivery state, one row per value. Each value is overwritten.
CREATE TABLE kv (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

// Links of payments, which end. The purge deletes them after ends_at (Unix ms).
const version101 = `
ALTER TABLE contacts ADD COLUMN ends_at INTEGER;
`;

// JSON by ref: customers of a person, with the property that shows the id. They stay with the links of their refs, until erasure.
const version102 = `
ALTER TABLE contacts ADD COLUMN customers TEXT;
`;

const version103 = `
-- Acts of operators. at: Unix ms. address: of the client. ids: JSON. request: makes a repeated note harmless. Kept 90 days, at most 100,000.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  address TEXT,
  operation TEXT NOT NULL,
  ids TEXT NOT NULL,
  status INTEGER NOT NULL,
  request TEXT
) STRICT;
`;

/** The tables of the Outbox. A webhook and its deliveries share a row. */
export const schema: Schema = {
  object: "Outbox",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
    { version: 102, minimum: 100, sql: version102 },
    { version: 103, minimum: 100, sql: version103 },
  ],
};
