import type { Migration } from "../../../../lib/util/migrate.ts";

/** Row numbers of messages and revisions are never reused. */
export const version18: Migration = {
  version: 18,
  statements: [
    // Theme and component changes are no edits, so they are not indexed.
    "CREATE INDEX message_revisions_edits ON message_revisions (message) WHERE content IS NULL",
    // Largest deleted row number; 0 if none.
    "ALTER TABLE team ADD COLUMN last_message INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE team ADD COLUMN last_revision INTEGER NOT NULL DEFAULT 0",
    `CREATE TRIGGER newest_message_deleted AFTER DELETE ON email_messages WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM email_messages)
     BEGIN
       UPDATE team SET last_message = OLD.n WHERE last_message < OLD.n;
     END`,
    `CREATE TRIGGER newest_revision_deleted AFTER DELETE ON message_revisions WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM message_revisions)
     BEGIN
       UPDATE team SET last_revision = OLD.n WHERE last_revision < OLD.n;
     END`,
  ],
};
