type ResultCounts = {
  sent: number;
  delivered: number;
  bounced: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  complained: number;
};

export const NO_RESULTS: ResultCounts = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  complained: 0,
};

/** Stored counts by message (n): two rows for each. */
export const resultCounts = (sql: SqlStorage, messages: readonly number[]): Map<number, ResultCounts> =>
  new Map(
    sql
      .exec<ResultCounts & { message: number }>(
        `SELECT m.value AS message, coalesce(k.sends - k.refused, 0) AS sent,
           max(0, coalesce(k.sends - k.hard_bounces - k.soft_bounces, 0)) AS delivered,
           coalesce(k.hard_bounces + k.soft_bounces, 0) AS bounced, coalesce(e.opened, 0) AS opened, coalesce(e.clicked, 0) AS clicked,
           coalesce(k.unsubscribes, 0) AS unsubscribed, coalesce(k.spam_reports, 0) AS complained
         FROM json_each(?) m LEFT JOIN message_counts k ON k.message = m.value LEFT JOIN message_engagement e ON e.message = m.value`,
        JSON.stringify(messages),
      )
      .toArray()
      .map(({ message, ...counts }) => [message, counts]),
  );
