/** The part of version 15 for campaigns: their group, the campaigns, and who gets each of them. */
export const campaignStatements: readonly string[] = [
  // n is that of no other group: the group of workflows has 1, and the others have microseconds.
  `INSERT INTO content_groups SELECT 2, 'grp_' || lower(hex(randomblob(10))), 'campaign', 'Unsorted', '', created_at, created_at, 1 FROM team`,

  // Campaigns. content_group, message: n of its group and its message. list, segment: ids. filter: JSON. scheduled_at: Unix ms.
  // state: what its delivery does; NULL before it is launched. reason: why it is held. max_contact: highest n of a contact that
  // can be a recipient. snapshot_cursor: highest n of a contact that the snapshot has read. claimed_cursor: highest n of a
  // recipient that is in sends. recipients, and of them: queued (not in sends yet), in_ledger (waiting in sends), sent, skipped,
  // failed, unknown, cancelled. Kept for ever, because filters and statistics ask for them.
  `CREATE TABLE campaigns (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      content_group INTEGER NOT NULL,
      message INTEGER NOT NULL,
      list TEXT,
      segment TEXT,
      filter TEXT,
      method TEXT NOT NULL CHECK (method IN ('now', 'schedule')),
      scheduled_at INTEGER,
      status TEXT NOT NULL CHECK (status IN ('Draft', 'Scheduled', 'Sending', 'Sent')),
      state TEXT CHECK (state IN ('snapshot', 'sending', 'paused', 'held', 'cancelled', 'done')),
      reason TEXT,
      max_contact INTEGER,
      snapshot_cursor INTEGER NOT NULL DEFAULT 0,
      claimed_cursor INTEGER NOT NULL DEFAULT 0,
      recipients INTEGER NOT NULL DEFAULT 0,
      queued INTEGER NOT NULL DEFAULT 0,
      in_ledger INTEGER NOT NULL DEFAULT 0,
      sent INTEGER NOT NULL DEFAULT 0,
      skipped INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      unknown INTEGER NOT NULL DEFAULT 0,
      cancelled INTEGER NOT NULL DEFAULT 0,
      started_at INTEGER,
      finished_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT`,
  "CREATE INDEX campaigns_active ON campaigns (status, scheduled_at) WHERE status IN ('Scheduled', 'Sending')",
  // Who gets a campaign, fixed when it starts. campaign, contact, send: n of their rows. reason: why a mail was not sent. Kept as
  // long as the campaign, and until the contact is deleted.
  `CREATE TABLE recipients (
      campaign INTEGER NOT NULL,
      contact INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN (
        'queued', 'in_ledger', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'unknown', 'skipped', 'cancelled')),
      reason TEXT,
      send INTEGER,
      settled_at INTEGER,
      PRIMARY KEY (campaign, contact)
    ) STRICT, WITHOUT ROWID`,
  // A recipient whose contact is deleted before its mail is in sends: it counts as skipped, so that the counts still close.
  `CREATE TRIGGER recipient_deleted AFTER DELETE ON recipients WHEN OLD.state = 'queued'
     BEGIN
       UPDATE campaigns SET queued = queued - 1, skipped = skipped + 1 WHERE n = OLD.campaign;
     END`,
  // campaign: n of the campaign that sends a message.
  "ALTER TABLE email_messages ADD COLUMN campaign INTEGER",
];
