import type { Migration } from "../../../../lib/util/migrate.ts";

export const version14: Migration = {
  version: 14,
  statements: [
    // Outgoing webhooks: endpoints, the events that they get, and each delivery.
    // events: JSON array of types; empty means all. previous_secret: signs too until previous_until. failing_since: first
    // failure after the last success; failures: batches without a success since then. resume_at: no attempt before it.
    // Kept until it is deleted: deleted_at is set then, and the row goes when its deliveries are gone.
    `CREATE TABLE webhook_endpoints (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        description TEXT NOT NULL,
        events TEXT NOT NULL,
        secret TEXT NOT NULL,
        previous_secret TEXT,
        previous_until INTEGER,
        disabled_reason TEXT CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
        disabled_at INTEGER,
        failing_since INTEGER,
        failures INTEGER NOT NULL,
        resume_at INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER
      ) STRICT`,
    // n goes up with time; it is part of id. payload: JSON as it is sent; NULL when its person was forgotten or its contact was
    // deleted. contact: id of the contact that it is about, not a mail to it. Kept 30 days.
    `CREATE TABLE webhook_events (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        payload TEXT,
        contact TEXT,
        created_at INTEGER NOT NULL
      ) STRICT`,
    "CREATE INDEX webhook_events_contact ON webhook_events (contact) WHERE contact IS NOT NULL",
    // due: Unix ms of the next attempt; NULL when it is settled. queued_at: its retries end three days after it. log: JSON of the last
    // attempts. Kept as long as the event.
    `CREATE TABLE webhook_deliveries (
        endpoint INTEGER NOT NULL,
        event INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'discarded')),
        attempts INTEGER NOT NULL,
        due INTEGER,
        queued_at INTEGER NOT NULL,
        log TEXT NOT NULL,
        PRIMARY KEY (endpoint, event)
      ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint, due) WHERE due IS NOT NULL`,
    // double_opt_in: 1 where the owner of a new address has to confirm before it gets marketing mail.
    "ALTER TABLE team ADD COLUMN double_opt_in INTEGER NOT NULL DEFAULT 0",
  ],
};
