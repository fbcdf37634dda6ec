import type { Migration } from "../../../../lib/util/migrate.ts";

/** Key ids, archived lists, the quota of suppression removals, triggers, and email messages. */
export const version2: Migration = {
  version: 2,
  statements: [
    // id: names the key where it must not be shown. prefix: its beginning, enough to tell keys apart; NULL for a key
    // made before this version.
    `ALTER TABLE api_keys ADD COLUMN id TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE api_keys ADD COLUMN prefix TEXT`,
    `UPDATE api_keys SET id = 'key_' || lower(hex(randomblob(10)))`,
    // archived_at: Unix ms; NULL while the list takes subscribers.
    `ALTER TABLE mailing_lists ADD COLUMN archived_at INTEGER`,
    // One row per removal that counts in the quota. Kept 30 days.
    `CREATE TABLE suppression_removals (n INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT`,
    // event: exact name of the event; workflow: id of the workflow it starts. Kept as long as the workflow.
    `CREATE TABLE triggers (
        event TEXT NOT NULL,
        workflow TEXT NOT NULL,
        PRIMARY KEY (event, workflow)
      ) STRICT, WITHOUT ROWID`,
    // What is written and edited; a template has up to two: the published one, and a draft while it is being edited.
    // template: n of the template; NULL for a message that belongs to something else. revision: n of its content in
    // template_revisions, a new one with each edit. Kept for ever.
    `CREATE TABLE email_messages (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        template INTEGER,
        revision INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // Both n of email_messages. templates.published stays: the revision of the published message, which a send reads.
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
