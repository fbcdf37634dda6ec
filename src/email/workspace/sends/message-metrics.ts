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
 * Counts of the marketing mails of a message, previews left out. Triggers count each mail when its state changes; opens and clicks are
 * those of people.
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
