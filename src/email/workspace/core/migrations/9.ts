import type { Migration } from "../../../../lib/util/migrate.ts";

/** Sending domains and their DKIM keys. */
export const version9: Migration = {
  version: 9,
  statements: [
    // name: A-labels, lower case. since: Unix ms, when the state began. failing_since: when a needed record was first not right.
    // next_check: Unix ms; NULL when checks have ended. findings: JSON, result of the last check. Kept until the domain is
    // deleted.
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
    // sealed_key: the private key, encrypted with DKIM_KEY_SECRET; NULL once retired. Retired keys are kept 7 days, others until
    // their domain is deleted.
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
