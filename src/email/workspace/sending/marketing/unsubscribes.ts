import type { LinkTarget } from "../../../types/recipient.ts";
import { reportMarketing } from "../report.ts";
import { numberInId } from "../sends.ts";
import { tell } from "../story.ts";

type Clock = { sql: SqlStorage; now: number };

/**
 * Records that a contact has left by a link of a mail, or came back by one: in the metrics of the message, in the story of the mail,
 * and as an event. Links work longer than sends are kept: once the send is deleted, only the metrics change.
 */
export const recordUnsubscribe = (
  clock: Clock,
  { row, send }: Pick<LinkTarget, "row" | "send">,
  type: "email.unsubscribed" | "email.resubscribed",
): void => {
  const n = send === undefined ? undefined : numberInId(send);
  if (n === undefined) return;
  const mail = { contact: row, send: n };
  count(clock.sql, mail, type === "email.unsubscribed" ? 1 : -1);
  note(clock.sql, mail, type === "email.unsubscribed" ? clock.now : null);
  const isKept = clock.sql.exec("SELECT 1 FROM sends WHERE n = ? AND contact = ?", n, row).toArray().length > 0;
  if (!isKept) return;
  tell(clock, n, { kind: type.slice("email.".length), detail: {} });
  reportMarketing(clock, type, n);
};

/** n of the rows of a mail and of its contact. */
type Mail = { contact: number; send: number };

/** `engagement` outlives the send. Its key begins with the contact. */
const count = (sql: SqlStorage, { contact, send }: Mail, by: 1 | -1): void => {
  sql.exec(
    `INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes)
     SELECT message, 0, 0, 0, 0, max(0, ?1) FROM engagement WHERE contact = ?2 AND send = ?3
     ON CONFLICT (message) DO UPDATE SET unsubscribes = max(0, unsubscribes + ?1)`,
    by,
    contact,
    send,
  );
};

/** `at`: Unix ms; null for a contact that came back. */
const note = (sql: SqlStorage, { contact, send }: Mail, at: number | null): void => {
  sql.exec("UPDATE engagement SET unsubscribed_at = ? WHERE contact = ? AND send = ?", at, contact, send);
};
