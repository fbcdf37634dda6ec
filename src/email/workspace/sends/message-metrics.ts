type Counts = {
  sends: number;
  opens: number;
  clicks: number;
  unsubscribes: number;
  spamReports: number;
  hardBounces: number;
  softBounces: number;
};

/**
 * Counts marketing mails of a message without previews. Triggers update the counts; only human opens and clicks
 * count.
 */
export const messageMetrics = (sql: SqlStorage, emailMessageId: string): Counts =>
  sql
    .exec<Counts>(
      `SELECT coalesce(sends, 0) AS sends, coalesce(opened, 0) AS opens, coalesce(clicked, 0) AS clicks,
         coalesce(unsubscribes, 0) AS unsubscribes, coalesce(spam_reports, 0) AS spamReports,
         coalesce(hard_bounces, 0) AS hardBounces, coalesce(soft_bounces, 0) AS softBounces
       FROM email_messages m LEFT JOIN message_counts c ON c.message = m.n LEFT JOIN message_engagement e ON e.message = m.n
       WHERE m.id = ?`,
      emailMessageId,
    )
    .one();
