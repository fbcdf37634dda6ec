export const campaignStatements: readonly string[] = [
  // n is unique: the group of workflows has 1, others use microseconds.
  `INSERT INTO content_groups SELECT 2, 'grp_' || lower(hex(randomblob(10))), 'campaign', 'Unsorted', '', created_at, created_at, 1 FROM team`,

  // content_group, message: n. list, segment: ids. state: of the delivery; NULL before launch. reason: why held.
  // max_contact: highest possible recipient. snapshot_cursor: last contact read. claimed_cursor: last recipient in
  // sends. queued: not in sends yet. in_ledger: waiting in sends. Kept forever for filters and statistics.
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
  // Recipients, fixed at the start. campaign, contact, send: n. reason: why not sent. Kept until the campaign or
  // contact is deleted.
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
  // A queued recipient with a deleted contact counts as skipped, so the counts stay consistent.
  `CREATE TRIGGER recipient_deleted AFTER DELETE ON recipients WHEN OLD.state = 'queued'
     BEGIN
       UPDATE campaigns SET queued = queued - 1, skipped = skipped + 1 WHERE n = OLD.campaign;
     END`,
  "ALTER TABLE email_messages ADD COLUMN campaign INTEGER",
];
