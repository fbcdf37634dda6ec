import type { Migration } from "../../../../lib/util/migrate.ts";

/** Sends of both classes, claimed by Mailers, with the story of each. */
export const version7: Migration = {
  version: 7,
  statements: [
    "ALTER TABLE sends RENAME TO sends_before",
    "DROP INDEX sends_due",
    "DROP INDEX sends_previews",
    // n goes up with time; it is part of id. class: transactional or marketing. recipient_key: lower-cased with an A-label
    // domain. due: Unix ms at which the alarm looks at the row again; NULL once settled. variables: JSON, erased when settled.
    // mailer: the Mailer that claimed the row last. sender, reply: the sender that took the mail, and the relay's words.
    // Settled rows are kept 30 days, others until they settle.
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
    // What happened to a mail besides being taken by a relay at the first attempt. detail: JSON. Kept as long as the send.
    `CREATE TABLE send_events (
        send INTEGER NOT NULL,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (send, at, kind)
      ) STRICT, WITHOUT ROWID`,
  ],
};
