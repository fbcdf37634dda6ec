import type { Migration } from "../../../../lib/util/migrate.ts";

export const version11: Migration = {
  version: 11,
  statements: [
    // first_at, last_at: Unix ms of the first and last bounce. Kept 30 days after it.
    `CREATE TABLE soft_bounces (
        email_key TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX soft_bounces_last ON soft_bounces (last_at)",
  ],
};
