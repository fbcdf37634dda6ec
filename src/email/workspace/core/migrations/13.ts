import type { Migration } from "../../../../lib/util/migrate.ts";

export const version13: Migration = {
  version: 13,
  statements: [
    // reason: why the message kept its content. Kept until it is compiled again or replaced.
    "CREATE TABLE kept_messages (message INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT",
  ],
};
