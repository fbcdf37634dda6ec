import type { Migration } from "../../../../lib/util/migrate.ts";

/**
 * The tables of a team, designed for a million contacts: JSONB instead of a column or a row per property, one index per
 * kind of look-up, WITHOUT ROWID only where rows are small.
 */
export const version1: Migration = {
  version: 1,
  statements: [
    // The team itself. Kept for ever.
    `CREATE TABLE team (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        slug TEXT NOT NULL,
        name TEXT NOT NULL,
        create_properties INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // hash: SHA-256 of the key in hex. Kept for ever: a revoked key stays on record.
    `CREATE TABLE api_keys (
        hash TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
      ) STRICT, WITHOUT ROWID`,
    // hits: JSON array of Unix ms, at most the window's limit. One row per window, overwritten.
    `CREATE TABLE rate (name TEXT PRIMARY KEY, hits TEXT NOT NULL) STRICT, WITHOUT ROWID`,
    // day: Unix day of at. Kept 24 h and purged by whole days. It leads the key, so the purge reads a range, not the
    // table.
    `CREATE TABLE idempotency (
        day INTEGER NOT NULL,
        operation TEXT NOT NULL,
        key TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (day, operation, key)
      ) STRICT, WITHOUT ROWID`,
    // email: as given; email_key: lower-cased with an A-label domain. Kept until the contact is deleted.
    // data: JSONB of firstName, lastName, source, subscribed, userGroup, optInStatus, mailingLists, properties.
    `CREATE TABLE contacts (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        email TEXT,
        email_key TEXT UNIQUE,
        user_id TEXT,
        data BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    `CREATE UNIQUE INDEX contacts_user_id ON contacts (user_id) WHERE user_id IS NOT NULL`,
    // The team's custom properties. Kept for ever.
    `CREATE TABLE properties (
        name TEXT PRIMARY KEY,
        label TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'date')),
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // Kept for ever.
    `CREATE TABLE mailing_lists (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // types: JSON object of property name to type, from the first value of each. Kept for ever.
    `CREATE TABLE event_patterns (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        name TEXT NOT NULL UNIQUE,
        types TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // Kept 30 days, or until the contact is deleted. n goes up with time.
    `CREATE TABLE events (
        n INTEGER PRIMARY KEY,
        contact INTEGER NOT NULL,
        pattern INTEGER NOT NULL,
        properties BLOB NOT NULL,
        at INTEGER NOT NULL
      ) STRICT`,
    `CREATE INDEX events_contact ON events (contact)`,
    // Kept until removed by hand.
    `CREATE TABLE suppressions (
        email_key TEXT PRIMARY KEY,
        reason TEXT NOT NULL CHECK (reason IN ('bounce', 'complaint', 'manual')),
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // published: n of the revision that is sent; NULL for a draft. Kept for ever.
    `CREATE TABLE templates (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        published INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // source: JSON of the fields as written; compiled: JSON of slots to fill and the variables they need. Rows never
    // change. Kept for ever: sends name their revision.
    `CREATE TABLE template_revisions (
        n INTEGER PRIMARY KEY,
        template INTEGER NOT NULL,
        source TEXT NOT NULL,
        compiled TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // due: Unix ms at which the alarm looks at the row again; NULL once settled. variables: JSON, erased when
    // settled. Settled rows are kept 30 days, others until they settle.
    `CREATE TABLE sends (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        recipient TEXT NOT NULL,
        message_id TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'not_sent', 'failed')),
        attempts INTEGER NOT NULL,
        due INTEGER,
        error TEXT,
        variables TEXT,
        created_at INTEGER NOT NULL,
        settled_at INTEGER
      ) STRICT`,
    `CREATE INDEX sends_due ON sends (due) WHERE due IS NOT NULL`,
  ],
};
