import type { Schema } from "../../../lib/util/migrate.ts";

const version100 = `
-- Kept forever.
CREATE TABLE teams (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Kept for one day at most.
CREATE TABLE sender_problems (
  team TEXT NOT NULL,
  problem TEXT NOT NULL,
  kept_until INTEGER NOT NULL,
  PRIMARY KEY (team, problem)
) STRICT, WITHOUT ROWID;
`;

/** The tables of the Directory. */
export const schema: Schema = {
  object: "Directory",
  migrations: [{ version: 100, minimum: 100, sql: version100 }],
};
