import type { Migration } from "../../../../lib/util/migrate.ts";

export const version8: Migration = {
  version: 8,
  statements: [
    `ALTER TABLE team ADD COLUMN attachments INTEGER NOT NULL DEFAULT 0`,
    // part: piece number, because a row has at most 2 MB. Kept until the send is settled.
    `CREATE TABLE send_attachments (
        send INTEGER NOT NULL,
        position INTEGER NOT NULL,
        part INTEGER NOT NULL,
        filename TEXT NOT NULL,
        content_type TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (send, position, part)
      ) STRICT, WITHOUT ROWID`,
    `ALTER TABLE sends ADD COLUMN attachments INTEGER NOT NULL DEFAULT 0`,
    // A send settles in several places; the trigger always erases attachments.
    `CREATE TRIGGER send_attachments_erase AFTER UPDATE OF due ON sends WHEN NEW.due IS NULL AND NEW.attachments > 0
       BEGIN DELETE FROM send_attachments WHERE send = NEW.n; END`,
  ],
};
