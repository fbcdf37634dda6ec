import type { Schema } from "../../../lib/util/migrate.ts";

const version100 = `
-- mail: JSON. The newest 1 000 are kept.
CREATE TABLE mails (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  mail TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`;

/** The tables of the Inbox. */
export const schema: Schema = {
  object: "Inbox",
  migrations: [{ version: 100, minimum: 100, sql: version100 }],
};
