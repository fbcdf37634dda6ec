/**
 * Counts a contact that left by a link of a mail, or came back by one, for the metrics of the message.
 *
 * @param send n of the mail
 */
export const countUnsubscribe = (sql: SqlStorage, send: number, by: 1 | -1): void => {
  sql.exec(
    `INSERT INTO message_counts SELECT r.message, 0, 0, 0, 0, max(0, ?1)
     FROM sends s JOIN message_revisions r ON r.n = s.revision WHERE s.n = ?2
     ON CONFLICT (message) DO UPDATE SET unsubscribes = max(0, unsubscribes + ?1)`,
    ...[by, send],
  );
};
