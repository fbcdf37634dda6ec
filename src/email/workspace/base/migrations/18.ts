import type { Migration } from "../../../../lib/util/migrate.ts";

/** The edits of a message are found without the revisions of others. */
export const version18: Migration = {
  version: 18,
  statements: [
    // What a change of a theme or component made is no edit: it writes no row here. n is behind each message.
    "CREATE INDEX message_revisions_edits ON message_revisions (message) WHERE content IS NULL",
  ],
};
