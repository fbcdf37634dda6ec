import type { Migration } from "../../../lib/util/migrate.ts";

/** The tables of the Door. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      // hash: SHA-256 of the secret in the cookie. proved: when the person last gave the token. Times are Unix ms. Kept until it expires.
      `CREATE TABLE sessions (
        n INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        who TEXT NOT NULL,
        role TEXT NOT NULL,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        proved INTEGER NOT NULL,
        expires INTEGER NOT NULL
      ) STRICT`,
      // Attempts to log in. address: where from. Kept 15 minutes.
      "CREATE TABLE attempts (n INTEGER PRIMARY KEY, address TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
      "CREATE INDEX attempts_address ON attempts (address, at)",
      // SHA-256 of codes that were used. Kept 1 day: a code is good for 10 minutes.
      "CREATE TABLE used_codes (hash TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      // Requests that changed something. ids: JSON. Kept 90 days.
      `CREATE TABLE audit (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        who TEXT NOT NULL,
        operation TEXT NOT NULL,
        ids TEXT NOT NULL,
        status INTEGER NOT NULL
      ) STRICT`,
      // Pages with their filters, under names. who: who saved it last. at: Unix ms. Kept until a person deletes it.
      `CREATE TABLE views (
        name TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        who TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    version: 2,
    statements: [
      // person: whose session it is; null without an entry in the list. via: how the person logged in.
      "ALTER TABLE sessions ADD COLUMN person TEXT",
      "ALTER TABLE sessions ADD COLUMN via TEXT NOT NULL DEFAULT 'token'",
      "UPDATE sessions SET via = 'access' WHERE who NOT IN ('owner', 'local')",
      // Who may log in. key: the name in lower case. seen: last request of a session. Times are Unix ms. Kept until an owner removes the person.
      `CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        key TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        created INTEGER NOT NULL,
        by TEXT NOT NULL,
        seen INTEGER
      ) STRICT, WITHOUT ROWID`,
      // id: of the credential, base64url. counter: of the last use. transports: JSON. Kept until it is revoked, or its person removed.
      `CREATE TABLE passkeys (
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        publicKey BLOB NOT NULL,
        counter INTEGER NOT NULL,
        transports TEXT NOT NULL,
        synced INTEGER NOT NULL,
        name TEXT NOT NULL,
        created INTEGER NOT NULL,
        used INTEGER
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX passkeys_person ON passkeys (person)",
      // Links that were not used yet, one of a person. hash: SHA-256 of the secret. Kept until it is used or replaced, or its 24 hours are over.
      `CREATE TABLE invites (
        hash TEXT PRIMARY KEY,
        person TEXT NOT NULL UNIQUE,
        by TEXT NOT NULL,
        expires INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      // SHA-256 of recovery codes. Kept until it is used or replaced, or its person removed.
      "CREATE TABLE recovery_codes (hash TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT, WITHOUT ROWID",
      "CREATE INDEX recovery_codes_person ON recovery_codes (person)",
    ],
  },
  {
    version: 3,
    statements: [
      // When the list of people got its first entry, in Unix ms: one row from then on. Kept for ever, also when the list is empty again.
      "CREATE TABLE first_listed (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT",
      "INSERT INTO first_listed SELECT 1, created FROM people ORDER BY created LIMIT 1",
    ],
  },
  {
    version: 4,
    statements: [
      // Refused logins of the last day, one row for each entry of the audit. key: operation, status, who and address. n: of the entry. At most 101.
      "CREATE TABLE refused_logins (key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    ],
  },
];
