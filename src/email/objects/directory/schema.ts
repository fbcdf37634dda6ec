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

const version101 = `
-- active_at: Unix ms, at most an hour before the last activity. wake_at: when a quiet team is to be touched. Both: 0 for none.
ALTER TABLE teams ADD COLUMN active_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN wake_at INTEGER NOT NULL DEFAULT 0;

-- value: JSON. alerts: open and recent ones. write: Unix ms of the last tried write. One row each, overwritten.
CREATE TABLE kv (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const version102 = `
-- Rows that teams wrote on a UTC day, with a ceiling of rows only. day: since 1970. Deleted on the next day.
CREATE TABLE day_rows (
  day INTEGER NOT NULL,
  team TEXT NOT NULL,
  rows INTEGER NOT NULL,
  PRIMARY KEY (day, team)
) STRICT, WITHOUT ROWID;
`;

const version103 = `
-- Acts of operators. at: Unix ms. address: of the client. ids: JSON. request: makes a repeated note harmless. Kept 90 days, at most 100,000.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  address TEXT,
  operation TEXT NOT NULL,
  ids TEXT NOT NULL,
  status INTEGER NOT NULL,
  request TEXT
) STRICT;
`;

const version104 = `
-- Sending domains of teams: a returned mail names its domain, not its team. The changes of a team's domains replace its rows.
CREATE TABLE domains (
  name TEXT NOT NULL,
  team TEXT NOT NULL,
  PRIMARY KEY (name, team)
) STRICT, WITHOUT ROWID;
`;

/** The tables of the Directory. */
export const schema: Schema = {
  object: "Directory",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
    { version: 102, minimum: 100, sql: version102 },
    { version: 103, minimum: 100, sql: version103 },
    { version: 104, minimum: 100, sql: version104 },
  ],
};
