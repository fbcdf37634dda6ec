/** Unix ms of the first time; null if it did not happen. */
export type Activity = { sentAt: number | null; openedAt: number | null; clickedAt: number | null };

const NONE: Activity = { sentAt: null, openedAt: null, clickedAt: null };

/** Returns human activity of a contact with a message over all its runs (docs/tracking.md). */
export const activityOf = (sql: SqlStorage, contact: number, message: number): Activity =>
  sql
    .exec<Activity>(
      `SELECT min(sent_at) AS sentAt, min(opened_at) AS openedAt, min(clicked_at) AS clickedAt
       FROM engagement WHERE contact = ? AND message = ?`,
      contact,
      message,
    )
    .toArray()[0] ?? NONE;
