import type { Migration } from "../../../../lib/util/migrate.ts";

/** Messages that a change of a theme or component did not reach. */
export const version13: Migration = {
  version: 13,
  statements: [
    // reason: why the message could not take the change and keeps its content. Kept until the message is compiled again or
    // another one replaces it.
    "CREATE TABLE kept_messages (message INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT",
  ],
};
