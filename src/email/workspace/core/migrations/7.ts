import type { Migration } from "../../../../lib/util/migrate.ts";

export const version7: Migration = {
  version: 7,
  statements: [
    "ALTER TABLE sends RENAME TO sends_before",
    "DROP INDEX sends_due",
    "DROP INDEX sends_previews",
    // n increases with time and is part of id. recipient_key: lower-cased with an A-label domain. due: Unix ms of the
    // next alarm; NULL once settled. variables: JSON, erased when settled. mailer: last claimant. reply: words of the
    // mail provider. Settled rows are kept 30 days.
    `CREATE TABLE sends (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        class TEXT NOT NULL CHECK (class IN ('transactional', 'marketing')),
        revision INTEGER NOT NULL,
        recipient TEXT NOT NULL,
        recipient_key TEXT NOT NULL,
        message_id TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN
          ('queued', 'sending', 'sent', 'delivered', 'bounced', 'complained', 'not_sent', 'failed', 'unknown')),
        attempts INTEGER NOT NULL,
        due INTEGER,
        mailer TEXT,
        sender TEXT,
        reply TEXT,
        error TEXT,
        variables TEXT,
        created_at INTEGER NOT NULL,
        settled_at INTEGER,
        preview INTEGER NOT NULL
      ) STRICT`,
    "CREATE INDEX sends_previews ON sends (created_at) WHERE preview = 1",
    "CREATE INDEX sends_due ON sends (class, due) WHERE due IS NOT NULL",
    "CREATE INDEX sends_recipient ON sends (recipient_key)",
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, error, variables, created_at, settled_at, preview)
       SELECT n, id, 'transactional', revision, recipient, lower(recipient), message_id, state, attempts, due, error, variables, created_at, settled_at, preview
       FROM sends_before`,
    "DROP TABLE sends_before",
    // Events of a mail besides success at the first attempt. detail: JSON. Kept as long as the send.
    `CREATE TABLE send_events (
        send INTEGER NOT NULL,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (send, at, kind)
      ) STRICT, WITHOUT ROWID`,
  ],
};
