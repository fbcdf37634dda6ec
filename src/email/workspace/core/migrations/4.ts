import type { Migration } from "../../../../lib/util/migrate.ts";

export const version4: Migration = {
  version: 4,
  statements: [
    // styles: JSON of non-default values. is_default: 1 for the theme of messages without one. Kept forever.
    `CREATE TABLE themes (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        styles TEXT NOT NULL,
        is_default INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // Kept forever.
    `CREATE TABLE components (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        lmx TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // used: theme or component id in the content. Kept while the message is a draft or is sent.
    `CREATE TABLE message_uses (
        used TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (used, message)
      ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX message_uses_message ON message_uses (message)`,
    `CREATE TABLE stale_messages (message INTEGER PRIMARY KEY) STRICT`,
    // n of the revision with the same source; NULL: this one.
    `ALTER TABLE message_revisions ADD COLUMN content INTEGER`,
    `INSERT INTO themes (n, id, name, styles, is_default, created_at, updated_at)
       SELECT 1, 'thm_' || lower(hex(randomblob(10))), 'Default', '{}', 1, created_at, created_at FROM team`,
    `INSERT INTO message_uses (used, message)
       SELECT themes.id, m.n FROM themes, email_messages m JOIN templates t ON t.n = m.template
       WHERE m.n = t.draft_message OR m.n = t.published_message`,
  ],
};
