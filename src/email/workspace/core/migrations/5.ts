import type { Migration } from "../../../../lib/util/migrate.ts";

export const version5: Migration = {
  version: 5,
  statements: [
    // 1: a preview, excluded from statistics.
    "ALTER TABLE sends ADD COLUMN preview INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX sends_previews ON sends (created_at) WHERE preview = 1",
  ],
};
