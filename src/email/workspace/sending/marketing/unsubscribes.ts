import { addressDigest } from "../../../mail/links/address.ts";
import type { LinkTarget, UnsubscribeReason } from "../../../types/recipient.ts";
import { contactInRow } from "../../contacts/contact-rows.ts";
import { ensureRow } from "../../core/mailer-claims.ts";
import { readTeam } from "../../team/team.ts";
import { reportMarketing } from "../report-mail-events.ts";
import { noteEvents } from "../send-events.ts";

type Clock = { sql: SqlStorage; now: number };

/**
 * Records an unsubscribe or its reversal in metrics, history and an event. After the send is deleted, only metrics
 * change.
 */
export const recordUnsubscribe = (
  clock: Clock,
  { row, send }: Pick<LinkTarget, "row" | "send">,
  type: "email.unsubscribed" | "email.resubscribed",
): void => {
  ensureRow(clock.sql, send);
  const mail = { contact: row, send };
  count(clock.sql, mail, type === "email.unsubscribed" ? 1 : -1);
  note(clock.sql, mail, type === "email.unsubscribed" ? clock.now : null);
  const isKept = clock.sql.exec("SELECT 1 FROM sends WHERE n = ? AND contact = ?", send, row).toArray().length > 0;
  if (!isKept) return;
  noteEvents(clock, send, { kind: type.slice("email.".length), detail: {} });
  reportMarketing(clock, type, send);
};

/** Returns the target of the links of a marketing mail; undefined without its send or contact. */
export const targetOf = (sql: SqlStorage, n: number): LinkTarget | undefined => {
  ensureRow(sql, n);
  const [row] = sql
    .exec<{ contact: number; list: string | null; recipient: string }>(
      "SELECT contact, list, recipient FROM sends WHERE n = ? AND class = 'marketing' AND contact IS NOT NULL",
      n,
    )
    .toArray();
  const contact = row && contactInRow(sql, row.contact);
  if (!contact) return undefined;
  const target = { team: readTeam(sql).slug, send: n, row: contact.n, contact: contact.id };
  return { ...target, address: addressDigest(row.recipient), ...(row.list === null ? {} : { list: row.list }) };
};

type Mail = { contact: number; send: number };

/** The reason that the recipient of a mail gave; null if none, undefined if it did not unsubscribe by this mail. */
export const reasonOfUnsubscribe = (
  sql: SqlStorage,
  { row, send }: Pick<LinkTarget, "row" | "send">,
): UnsubscribeReason | null | undefined =>
  sql
    .exec<{ reason: UnsubscribeReason | null }>(
      "SELECT unsubscribe_reason AS reason FROM engagement WHERE contact = ? AND send = ? AND unsubscribed_at IS NOT NULL",
      row,
      send,
    )
    .toArray()[0]?.reason;

/** Keeps the first reason of an unsubscription by this mail, and counts it. */
export const recordReason = (
  { sql }: Pick<Clock, "sql">,
  { row, send }: Pick<LinkTarget, "row" | "send">,
  reason: UnsubscribeReason,
): void => {
  if (reasonOfUnsubscribe(sql, { row, send }) !== null) return;
  sql.exec("UPDATE engagement SET unsubscribe_reason = ? WHERE contact = ? AND send = ?", reason, row, send);
  countReason(sql, { contact: row, send }, 1);
};

/** The number of people by reason. */
export const unsubscribeReasonsOf = (
  sql: SqlStorage,
  message: number,
): { reason: UnsubscribeReason; people: number }[] =>
  sql
    .exec<{ reason: UnsubscribeReason; people: number }>(
      "SELECT reason, people FROM unsubscribe_reasons WHERE message = ? AND people > 0 ORDER BY people DESC, reason",
      message,
    )
    .toArray();

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

const countReason = (sql: SqlStorage, { contact, send }: Mail, by: 1 | -1): void => {
  sql.exec(
    `INSERT INTO unsubscribe_reasons (message, reason, people)
     SELECT message, unsubscribe_reason, max(0, ?1) FROM engagement
     WHERE contact = ?2 AND send = ?3 AND unsubscribe_reason IS NOT NULL
     ON CONFLICT (message, reason) DO UPDATE SET people = max(0, people + ?1)`,
    by,
    contact,
    send,
  );
};

const note = (sql: SqlStorage, mail: Mail, at: number | null): void => {
  const { contact, send } = mail;
  // Who comes back has no reason to leave any more.
  countReason(sql, mail, -1);
  sql.exec(
    "UPDATE engagement SET unsubscribed_at = ?, unsubscribe_reason = NULL WHERE contact = ? AND send = ?",
    at,
    contact,
    send,
  );
};
