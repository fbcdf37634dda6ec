export const statisticsStatements: readonly string[] = [
  // Unix ms; NULL after a resubscribe.
  "ALTER TABLE engagement ADD COLUMN unsubscribed_at INTEGER",
  // url: without query; '' for addresses that differ per recipient. clicks, people: by people. robots: mails opened
  // by programs. Kept as long as the campaign, unlike sends; names no contact.
  `CREATE TABLE link_counts (
      message INTEGER NOT NULL,
      url TEXT NOT NULL,
      clicks INTEGER NOT NULL,
      people INTEGER NOT NULL,
      robots INTEGER NOT NULL,
      PRIMARY KEY (message, url)
    ) STRICT, WITHOUT ROWID`,

  "CREATE INDEX recipients_reasons ON recipients (campaign, state, reason) WHERE reason IS NOT NULL",
  "ALTER TABLE campaigns ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0",
  "UPDATE campaigns SET deleted = max(0, recipients - (SELECT count(*) FROM recipients r WHERE r.campaign = campaigns.n))",
  `CREATE TRIGGER recipient_counted_deleted AFTER DELETE ON recipients
     BEGIN
       UPDATE campaigns SET deleted = deleted + 1 WHERE n = OLD.campaign;
     END`,
];
