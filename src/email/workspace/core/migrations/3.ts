import type { Migration } from "../../../../lib/util/migrate.ts";

/** Groups of campaigns and transactional emails; revisions belong to a message, so that every kind of mail can have them. */
export const version3: Migration = {
  version: 3,
  statements: [
    // kind: what it groups. Kept for ever.
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
    // n of its group.
    `ALTER TABLE templates ADD COLUMN content_group INTEGER`,
    // message: n of the message. source: JSON of the fields as written; compiled: JSON of slots to fill and the variables
    // they need. Rows never change. Kept for ever: sends name their revision.
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
