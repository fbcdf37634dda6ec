/** The part of version 16 for the statistics of campaigns. */
export const statisticsStatements: readonly string[] = [
  // When the contact left by a link of the mail, in Unix ms. NULL again when it came back by one.
  "ALTER TABLE engagement ADD COLUMN unsubscribed_at INTEGER",
  // Clicks on the links of messages of campaigns. url: without its query; '' for all links whose address differs from recipient to
  // recipient. clicks, people: by people. robots: mails in which a program opened the link. Kept as long as the campaign, because
  // sends are not. They name no contact.
  `CREATE TABLE link_counts (
      message INTEGER NOT NULL,
      url TEXT NOT NULL,
      clicks INTEGER NOT NULL,
      people INTEGER NOT NULL,
      robots INTEGER NOT NULL,
      PRIMARY KEY (message, url)
    ) STRICT, WITHOUT ROWID`,

  // Reasons are counted from this index. A recipient whose mail was sent has no reason, and is not in it.
  "CREATE INDEX recipients_reasons ON recipients (campaign, state, reason) WHERE reason IS NOT NULL",
  // deleted: recipients whose contact was deleted, or became one with another recipient.
  "ALTER TABLE campaigns ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0",
  "UPDATE campaigns SET deleted = max(0, recipients - (SELECT count(*) FROM recipients r WHERE r.campaign = campaigns.n))",
  `CREATE TRIGGER recipient_counted_deleted AFTER DELETE ON recipients
     BEGIN
       UPDATE campaigns SET deleted = deleted + 1 WHERE n = OLD.campaign;
     END`,
];
