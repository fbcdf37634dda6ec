/** What a contact did with a message, in Unix ms of the first time; null where it did not happen. */
export type Activity = { sentAt: number | null; openedAt: number | null; clickedAt: number | null };

const NONE: Activity = { sentAt: null, openedAt: null, clickedAt: null };

/**
 * Whether and when a contact was sent a message, and opened and clicked it, in all its passages through a workflow together. One
 * seek. `contact`, `message`: n of their rows. Opens and clicks are those of people (docs/tracking.md).
 */
export const activityOf = (sql: SqlStorage, contact: number, message: number): Activity =>
  sql
    .exec<Activity>(
      `SELECT min(sent_at) AS sentAt, min(opened_at) AS openedAt, min(clicked_at) AS clickedAt
       FROM engagement WHERE contact = ? AND message = ?`,
      contact,
      message,
    )
    .toArray()[0] ?? NONE;
