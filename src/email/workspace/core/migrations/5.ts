import type { Migration } from "../../../../lib/util/migrate.ts";

/** Sends of previews. */
export const version5: Migration = {
  version: 5,
  statements: [
    // 1: the mail is a preview. Statistics leave it out.
    "ALTER TABLE sends ADD COLUMN preview INTEGER NOT NULL DEFAULT 0",
    // The quota of previews counts these. Other sends write nothing to this index.
    "CREATE INDEX sends_previews ON sends (created_at) WHERE preview = 1",
  ],
};
