import type { Migration } from "../../../../../lib/util/migrate.ts";
import { workflowStatements } from "./workflows.ts";

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
    // Marketing mail: these columns are NULL in other rows. contact: n; NULL once the contact is deleted. list: id of the mailing
    // list. origin: id of the campaign or workflow that sends it. run: number of the contact's passage through a workflow, else 0.
    "ALTER TABLE sends ADD COLUMN contact INTEGER",
    "ALTER TABLE sends ADD COLUMN list TEXT",
    "ALTER TABLE sends ADD COLUMN origin TEXT",
    "ALTER TABLE sends ADD COLUMN run INTEGER",
    // tracking: 1 when opens and clicks of marketing mail are measured. postal_address: in the footer of marketing mail.
    "ALTER TABLE team ADD COLUMN tracking INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE team ADD COLUMN postal_address TEXT",
    // 1: opens and clicks of this contact are not measured.
    "ALTER TABLE contacts ADD COLUMN untracked INTEGER NOT NULL DEFAULT 0",
    // One row for each marketing mail, so that no contact is accepted twice for one message. contact, message, send: n of their
    // rows. Unix ms: when it was sent, and first opened and clicked by a person. Kept until the contact is deleted, because a
    // filter asks who never got a message.
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
    // A mail whose result is unknown may have been sent. States are set in several places. None of them can forget this.
    `CREATE TRIGGER engagement_sent AFTER UPDATE OF state ON sends
       WHEN NEW.contact IS NOT NULL AND NEW.state <> OLD.state
         AND NEW.state IN ('sent', 'delivered', 'bounced', 'complained', 'unknown')
       BEGIN
         UPDATE engagement SET sent_at = coalesce(NEW.settled_at, NEW.created_at)
         WHERE contact = NEW.contact AND run = NEW.run AND sent_at IS NULL
           AND message = (SELECT message FROM message_revisions WHERE n = NEW.revision);
       END`,
    // Requests of the open picture (link 0) and of the links of a mail, by kind of visitor. url: without its query. Counts end at
    // 100. Unix ms: the first of each kind. Kept as long as the send, and until the contact is deleted.
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
    // How many mails of a message were opened and clicked by people, loaded ahead by a proxy, and opened by a scanner. Kept for ever, because the sends are not.
    `CREATE TABLE message_engagement (
        message INTEGER PRIMARY KEY,
        opened INTEGER NOT NULL,
        clicked INTEGER NOT NULL,
        prefetched INTEGER NOT NULL,
        scanned INTEGER NOT NULL
      ) STRICT`,
    // Audience segments. name_key: the name in NFC and lower case. filter: JSON as it was sent; no contact is stored with it. Kept
    // until it is deleted.
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
    // Limits of sending. may_leave_at: Unix ms from which the 24 hours of a mail count that waits for a limit; NULL: from
    // created_at. Kept as long as the send.
    "ALTER TABLE sends ADD COLUMN may_leave_at INTEGER",
    // Learned ceilings and open breakers. state: JSON. kept_until: Unix ms; a ceiling ends 6 hours after the last throttling
    // answer, a breaker when its relay answers.
    `CREATE TABLE limits (
        name TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        kept_until INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    // Warm-ups of sending domains. step: of the schedule. day: UTC day of the counts. Kept until the domain is warm or deleted.
    `CREATE TABLE warmups (
        name TEXT PRIMARY KEY,
        step INTEGER NOT NULL,
        day INTEGER NOT NULL,
        marketing INTEGER NOT NULL,
        transactional INTEGER NOT NULL,
        caps_transactional INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ...workflowStatements,
    // dated_at: Unix ms, the Date of the newest attempt; NULL: there was none. Kept as long as the send.
    "ALTER TABLE sends ADD COLUMN dated_at INTEGER",
  ],
};
