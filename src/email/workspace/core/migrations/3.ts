import type { Migration } from "../../../../lib/util/migrate.ts";

export const version3: Migration = {
  version: 3,
  statements: [
    // Kept forever.
    `CREATE TABLE content_groups (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('campaign', 'transactional')),
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    `CREATE INDEX content_groups_kind ON content_groups (kind, n)`,
    `ALTER TABLE templates ADD COLUMN content_group INTEGER`,
    // source, compiled: JSON. Immutable, kept forever: sends name their revision.
    `CREATE TABLE message_revisions (
        n INTEGER PRIMARY KEY,
        message INTEGER NOT NULL,
        source TEXT NOT NULL,
        compiled TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    `INSERT INTO message_revisions (n, message, source, compiled, created_at)
       SELECT r.n, coalesce((SELECT max(m.n) FROM email_messages m WHERE m.template = r.template), 0),
         r.source, r.compiled, r.created_at
       FROM template_revisions r`,
    `DROP TABLE template_revisions`,
  ],
};
