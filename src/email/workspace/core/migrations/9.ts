import type { Migration } from "../../../../lib/util/migrate.ts";

export const version9: Migration = {
  version: 9,
  statements: [
    // name: A-labels, lower case. since: start of the state. failing_since: first failed check. next_check: NULL when
    // checks ended. Times: Unix ms. findings: JSON of the last check.
    `CREATE TABLE domains (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL CHECK (state IN ('pending', 'verified', 'warning', 'failing')),
        since INTEGER NOT NULL,
        failing_since INTEGER,
        is_default INTEGER NOT NULL,
        checked_at INTEGER,
        next_check INTEGER,
        findings TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // sealed_key: encrypted with DKIM_KEY_SECRET; NULL once retired. Retired keys are kept 7 days.
    `CREATE TABLE dkim_keys (
        domain INTEGER NOT NULL,
        selector TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('next', 'active', 'retired')),
        public_key TEXT NOT NULL,
        sealed_key TEXT,
        created_at INTEGER NOT NULL,
        retired_at INTEGER,
        PRIMARY KEY (domain, selector)
      ) STRICT, WITHOUT ROWID`,
  ],
};
