import type { Migration } from "../../../lib/util/migrate.ts";

export const migration1: Migration = {
  version: 1,
  statements: [
    // `seq` is the acceptance time in unique microseconds. Retention: RETENTION_DAYS (30) after acceptance, never
    // while `open`.
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
    // `key` is "user:…", "email:…" or "ref:source:…"; `same_as` points one step up. `marks`: [occurredAt, rank] per
    // property. Links stay until erasure; `marks` and empty rows go RETENTION_DAYS after `seen_at`.
    `CREATE TABLE contacts (
       key TEXT PRIMARY KEY,
       same_as TEXT,
       email TEXT,
       told_at INTEGER NOT NULL,
       marks TEXT,
       seen_at INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    // Counts of refused webhooks. Retention: RETENTION_DAYS.
    `CREATE TABLE refusals (
       minute INTEGER NOT NULL,
       source TEXT NOT NULL,
       code TEXT NOT NULL,
       count INTEGER NOT NULL,
       PRIMARY KEY (minute, source, code)
     ) STRICT, WITHOUT ROWID`,
    // Delivery state, one row per value. Each value is overwritten.
    "CREATE TABLE delivery (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
  ],
};
