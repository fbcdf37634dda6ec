import type { Migration } from "../../../../lib/util/migrate.ts";

export const version2: Migration = {
  version: 2,
  statements: [
    // id: public name of the key. prefix: its beginning; NULL for keys without a stored prefix.
    `ALTER TABLE api_keys ADD COLUMN id TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE api_keys ADD COLUMN prefix TEXT`,
    `UPDATE api_keys SET id = 'key_' || lower(hex(randomblob(10)))`,
    // Unix ms; NULL while active.
    `ALTER TABLE mailing_lists ADD COLUMN archived_at INTEGER`,
    // One row per removal in the quota. Kept 30 days.
    `CREATE TABLE suppression_removals (n INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT`,
    // workflow: id. Kept as long as the workflow.
    `CREATE TABLE triggers (
        event TEXT NOT NULL,
        workflow TEXT NOT NULL,
        PRIMARY KEY (event, workflow)
      ) STRICT, WITHOUT ROWID`,
    // A template has up to two messages: published and draft. template: n; NULL for other owners. revision: n of the
    // content, new with each edit. Kept forever.
    `CREATE TABLE email_messages (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        template INTEGER,
        revision INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // templates.published stays: the revision that a send reads.
    `ALTER TABLE templates ADD COLUMN draft_message INTEGER`,
    `ALTER TABLE templates ADD COLUMN published_message INTEGER`,
    `INSERT INTO email_messages (id, template, revision, created_at, updated_at)
       SELECT 'msg_' || lower(hex(randomblob(10))), template, max(n), min(created_at), max(created_at)
       FROM template_revisions GROUP BY template ORDER BY template`,
    `UPDATE templates SET
         published_message = (SELECT m.n FROM email_messages m WHERE m.template = templates.n AND templates.published IS NOT NULL),
         draft_message = (SELECT m.n FROM email_messages m WHERE m.template = templates.n AND templates.published IS NULL)`,
  ],
};
