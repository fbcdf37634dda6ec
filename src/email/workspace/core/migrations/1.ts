import type { Migration } from "../../../../lib/util/migrate.ts";

/** Designed for a million contacts: JSONB for properties, WITHOUT ROWID only for small rows. */
export const version1: Migration = {
  version: 1,
  statements: [
    // Kept forever.
    `CREATE TABLE team (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        slug TEXT NOT NULL,
        name TEXT NOT NULL,
        create_properties INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // hash: SHA-256 of the key in hex. Kept forever, even if revoked.
    `CREATE TABLE api_keys (
        hash TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
      ) STRICT, WITHOUT ROWID`,
    // hits: JSON array of Unix ms. One row per window, overwritten.
    `CREATE TABLE rate (name TEXT PRIMARY KEY, hits TEXT NOT NULL) STRICT, WITHOUT ROWID`,
    // day: Unix day of at. Kept 24 h. It leads the key, so the purge reads a range.
    `CREATE TABLE idempotency (
        day INTEGER NOT NULL,
        operation TEXT NOT NULL,
        key TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (day, operation, key)
      ) STRICT, WITHOUT ROWID`,
    // email_key: lower-cased with an A-label domain. Kept until the contact is deleted. data: JSONB of firstName,
    // lastName, source, subscribed, userGroup, optInStatus, mailingLists, properties.
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
    // Custom properties. Kept forever.
    `CREATE TABLE properties (
        name TEXT PRIMARY KEY,
        label TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'date')),
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // Kept forever.
    `CREATE TABLE mailing_lists (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // types: JSON object of property name to first value type. Kept forever.
    `CREATE TABLE event_patterns (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        name TEXT NOT NULL UNIQUE,
        types TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // Kept 30 days, or until the contact is deleted. n increases with time.
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
    // published: n of the sent revision; NULL for a draft. Kept forever.
    `CREATE TABLE templates (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        published INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // source, compiled: JSON. Immutable, kept forever: sends name their revision.
    `CREATE TABLE template_revisions (
        n INTEGER PRIMARY KEY,
        template INTEGER NOT NULL,
        source TEXT NOT NULL,
        compiled TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    // due: Unix ms of the next alarm; NULL once settled. variables: JSON, erased when settled. Settled rows are kept
    // 30 days.
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
