import type { Migration } from "../../../../../lib/util/migrate.ts";
import { workflowStatements } from "./workflows.ts";

export const version14: Migration = {
  version: 14,
  statements: [
    // events: JSON array of types; empty means all. previous_secret also signs until previous_until. failing_since,
    // failures: since the last success. Kept until deleted_at is set and all deliveries are gone.
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
    // n increases with time and is part of id. payload: JSON; NULL once its person is erased or contact deleted.
    // contact: id of the subject, not a mail recipient. Kept 30 days.
    `CREATE TABLE webhook_events (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        payload TEXT,
        contact TEXT,
        created_at INTEGER NOT NULL
      ) STRICT`,
    "CREATE INDEX webhook_events_contact ON webhook_events (contact) WHERE contact IS NOT NULL",
    // due: Unix ms; NULL when settled. Retries end three days after queued_at. log: JSON of the last attempts.
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
    // 1: new addresses have to confirm first.
    "ALTER TABLE team ADD COLUMN double_opt_in INTEGER NOT NULL DEFAULT 0",
    // Marketing mail only, else NULL. contact: n; NULL once deleted. list: id. origin: campaign or workflow id. run:
    // workflow run, else 0.
    "ALTER TABLE sends ADD COLUMN contact INTEGER",
    "ALTER TABLE sends ADD COLUMN list TEXT",
    "ALTER TABLE sends ADD COLUMN origin TEXT",
    "ALTER TABLE sends ADD COLUMN run INTEGER",
    // 1: opens and clicks are measured.
    "ALTER TABLE team ADD COLUMN tracking INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE team ADD COLUMN postal_address TEXT",
    "ALTER TABLE contacts ADD COLUMN untracked INTEGER NOT NULL DEFAULT 0",
    // One row per marketing mail prevents a second mail of a message to a contact. contact, message, send: n. Times:
    // Unix ms. Kept until the contact is deleted, because filters ask who never got a message.
    `CREATE TABLE engagement (
        contact INTEGER NOT NULL,
        message INTEGER NOT NULL,
        run INTEGER NOT NULL,
        send INTEGER NOT NULL,
        sent_at INTEGER,
        opened_at INTEGER,
        clicked_at INTEGER,
        PRIMARY KEY (contact, message, run)
      ) STRICT, WITHOUT ROWID`,
    // A mail with an unknown result counts as sent. States are set in several places; the trigger covers all.
    `CREATE TRIGGER engagement_sent AFTER UPDATE OF state ON sends
       WHEN NEW.contact IS NOT NULL AND NEW.state <> OLD.state
         AND NEW.state IN ('sent', 'delivered', 'bounced', 'complained', 'unknown')
       BEGIN
         UPDATE engagement SET sent_at = coalesce(NEW.settled_at, NEW.created_at)
         WHERE contact = NEW.contact AND run = NEW.run AND sent_at IS NULL
           AND message = (SELECT message FROM message_revisions WHERE n = NEW.revision);
       END`,
    // Hits on the picture (link 0) and links, by visitor kind. url: without query. Counts end at 100. Kept until the
    // send or contact is deleted.
    `CREATE TABLE send_hits (
        send INTEGER NOT NULL,
        link INTEGER NOT NULL,
        url TEXT NOT NULL,
        human INTEGER NOT NULL,
        human_at INTEGER,
        proxy INTEGER NOT NULL,
        proxy_at INTEGER,
        prefetch INTEGER NOT NULL,
        prefetch_at INTEGER,
        scanner INTEGER NOT NULL,
        scanner_at INTEGER,
        PRIMARY KEY (send, link)
      ) STRICT, WITHOUT ROWID`,
    // Kept forever, unlike the sends.
    `CREATE TABLE message_engagement (
        message INTEGER PRIMARY KEY,
        opened INTEGER NOT NULL,
        clicked INTEGER NOT NULL,
        prefetched INTEGER NOT NULL,
        scanned INTEGER NOT NULL
      ) STRICT`,
    // name_key: NFC, lower case. filter: JSON, without contacts. Kept until deleted.
    `CREATE TABLE segments (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        description TEXT,
        filter TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`,
    // may_leave_at: Unix ms from which the 24 hours of a limited mail count; NULL: from created_at.
    "ALTER TABLE sends ADD COLUMN may_leave_at INTEGER",
    // Learned ceilings and open breakers, as JSON. kept_until: Unix ms. A ceiling ends 6 hours after the last
    // throttling, a breaker when the mail provider answers.
    `CREATE TABLE limits (
        name TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        kept_until INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // step: of the schedule. day: UTC day of the counts. Kept until the domain is warm or deleted.
    `CREATE TABLE warmups (
        name TEXT PRIMARY KEY,
        step INTEGER NOT NULL,
        day INTEGER NOT NULL,
        marketing INTEGER NOT NULL,
        transactional INTEGER NOT NULL,
        caps_transactional INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ...workflowStatements,
    // dated_at: Unix ms, Date of the newest attempt; NULL without one.
    "ALTER TABLE sends ADD COLUMN dated_at INTEGER",
  ],
};
