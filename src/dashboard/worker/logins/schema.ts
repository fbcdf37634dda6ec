import type { Schema } from "../../../lib/util/migrate.ts";

const version100 = `
-- hash: SHA-256 of the secret. proved: last proof. person: NULL without list entry. Times: Unix ms. Kept until expiry.
CREATE TABLE sessions (
  n INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  who TEXT NOT NULL,
  role TEXT NOT NULL,
  created INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  proved INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  person TEXT,
  via TEXT NOT NULL DEFAULT 'token'
) STRICT;

-- Login attempts by client address. Kept 15 minutes.
CREATE TABLE attempts (n INTEGER PRIMARY KEY, address TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX attempts_address ON attempts (address, at);

-- SHA-256 of used codes. Kept 1 day: codes are valid for 10 minutes.
CREATE TABLE used_codes (hash TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Refusals of the last day. key: operation, status, who and address. n: audit entry. At most 101.
CREATE TABLE refused_logins (
  key TEXT PRIMARY KEY,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Requests that changed data. ids: JSON. Kept 90 days.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  operation TEXT NOT NULL,
  ids TEXT NOT NULL,
  status INTEGER NOT NULL
) STRICT;

-- Saved views. who: last saved by. at: Unix ms. Kept until deleted.
CREATE TABLE views (
  name TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  who TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- key: lower-case name. seen: last request. Unix ms. Kept until removed.
CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  created INTEGER NOT NULL,
  by TEXT NOT NULL,
  seen INTEGER
) STRICT, WITHOUT ROWID;

-- First list entry, Unix ms. Kept forever.
CREATE TABLE first_listed (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;

-- id: base64url. transports: JSON. Kept until revoked, or the person removed.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  publicKey BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  synced INTEGER NOT NULL,
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_person ON passkeys (person);

-- One per person. hash: SHA-256. Kept until used, replaced, or 24 hours old.
CREATE TABLE invites (
  hash TEXT PRIMARY KEY,
  person TEXT NOT NULL UNIQUE,
  by TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- SHA-256. Kept until used, replaced, or the person removed.
CREATE TABLE recovery_codes (hash TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_person ON recovery_codes (person);
`;

const version101 = `
-- request: makes a repeated note harmless; NULL for counted refusals.
ALTER TABLE audit ADD COLUMN request TEXT;
`;

const version102 = `
-- address: of the client. Of refused logins it may be "other addresses".
ALTER TABLE audit ADD COLUMN address TEXT;
`;

/** The tables of logins, audit, views and people. */
export const schema: Schema = {
  object: "Logins",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
    { version: 102, minimum: 100, sql: version102 },
  ],
};
