import type { Migration } from "../../../../lib/util/migrate.ts";

/** The edits of a message are found without the revisions of others. No message or revision gets the number of a deleted one. */
export const version18: Migration = {
  version: 18,
  statements: [
    // What a change of a theme or component made is no edit: it writes no row here. n is behind each message.
    "CREATE INDEX message_revisions_edits ON message_revisions (message) WHERE content IS NULL",
    // The largest row number of a deleted message, or revision, that was the newest one. 0 before one was deleted.
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
