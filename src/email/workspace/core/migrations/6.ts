import type { Migration } from "../../../../lib/util/migrate.ts";

export const version6: Migration = {
  version: 6,
  statements: [
    // file: name in the bucket and public address. expires_at: NULL when completed; otherwise row and file are
    // deleted then.
    `CREATE TABLE uploads (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        file TEXT NOT NULL,
        content_type TEXT NOT NULL,
        size INTEGER NOT NULL,
        arrived_at INTEGER,
        completed_at INTEGER,
        expires_at INTEGER
      ) STRICT`,
    `CREATE INDEX uploads_expires ON uploads (expires_at) WHERE expires_at IS NOT NULL`,
    `CREATE INDEX uploads_completed ON uploads (completed_at) WHERE completed_at IS NOT NULL`,
  ],
};
