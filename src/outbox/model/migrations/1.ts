import type { Migration } from "../../../lib/util/migrate.ts";

export const migration1: Migration = {
  version: 1,
  statements: [
    // The journal and ledger. `seq` is the time of acceptance in microseconds, made unique: it orders, dates and
    // identifies a webhook at once. Retention: RETENTION_DAYS (30) after acceptance, never while `open`.
    `CREATE TABLE webhooks (
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
       calls TEXT NOT NULL,
       open INTEGER NOT NULL
     ) STRICT`,
    "CREATE UNIQUE INDEX webhooks_event ON webhooks (source, event_id)",
    "CREATE INDEX webhooks_open ON webhooks (seq) WHERE open = 1",
    // Identity links and watermarks. `key` is "user:…", "email:…" or "ref:source:…"; `same_as` points one step up that
    // order. `marks`: the watermarks, per property [occurredAt, rank] of the newest value that was written. Retention:
    // links stay until the person is forgotten; `marks` are deleted RETENTION_DAYS after `seen_at`, and the row too if it
    // holds nothing else.
    `CREATE TABLE contacts (
       key TEXT PRIMARY KEY,
       same_as TEXT,
       email TEXT,
       told_at INTEGER NOT NULL,
       marks TEXT,
       seen_at INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    // Counts of refused webhooks, which are not stored themselves. Retention: RETENTION_DAYS.
    `CREATE TABLE refusals (
       minute INTEGER NOT NULL,
       source TEXT NOT NULL,
       code TEXT NOT NULL,
       count INTEGER NOT NULL,
       PRIMARY KEY (minute, source, code)
     ) STRICT, WITHOUT ROWID`,
    // State of delivery as a whole, one row per value: interruption, pauses, downtime, claims, the last webhook of each
    // source, alerts. Retention: each value is overwritten.
    "CREATE TABLE delivery (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
  ],
};
