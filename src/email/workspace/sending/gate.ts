import { emailKey } from "../../../lib/util/email-key.ts";
import type { MarketingClaim } from "../../types/mailer.ts";
import { contactInRow, type StoredContact } from "../contacts/row.ts";
import { readTeam } from "../team/team.ts";
import { reasonNotToSend } from "./suppression.ts";

/** Why a contact gets no marketing mail now, as its send shows it; undefined when it may get it. `list`: id of the mailing list. */
export const reasonNotToMarket = (sql: SqlStorage, contact: StoredContact | undefined, list: string | null) => {
  if (!contact) return "contact_deleted";
  if (contact.email === null) return "no_email";
  const { subscribed, optInStatus, mailingLists } = contact.data;
  if (!subscribed) return "unsubscribed";
  if (optInStatus === "pending" || optInStatus === "rejected") return "not_confirmed";
  if (list !== null && mailingLists[list] !== true) return "not_on_list";
  return reasonNotToSend(sql, contact.email);
};

/**
 * Checks a marketing mail again before an attempt. It goes to the address that the contact has now: its row is changed if that is
 * another one.
 */
export const checkAgain = (sql: SqlStorage, n: number, recipient: string): string | undefined => {
  const {
    contact: row,
    list,
    message,
  } = sql
    .exec<{ contact: number | null; list: string | null; message: number | null }>(
      `SELECT contact, list,
         (SELECT m.n FROM message_revisions r JOIN email_messages m ON m.n = r.message WHERE r.n = sends.revision) AS message
       FROM sends WHERE n = ?`,
      n,
    )
    .one();
  if (message === null) return "message_deleted";
  const contact = row === null ? undefined : contactInRow(sql, row);
  const reason = reasonNotToMarket(sql, contact, list);
  if (reason !== undefined || !contact?.email || contact.email === recipient) return reason;
  sql.exec("UPDATE sends SET recipient = ?, recipient_key = ? WHERE n = ?", contact.email, emailKey(contact.email), n);
  return undefined;
};

type Row = {
  contact: number;
  contact_id: string;
  untracked: number;
  message: number;
  message_id: string;
  run: number;
  list: string | null;
};

/** What the links and the footer of a claimed marketing mail need. `checkAgain` has found its contact and its message. */
export const marketingClaim = (sql: SqlStorage, n: number): MarketingClaim => {
  const row = sql
    .exec<Row>(
      `SELECT s.contact, c.id AS contact_id, c.untracked, m.n AS message, m.id AS message_id, s.run, s.list
       FROM sends s JOIN contacts c ON c.n = s.contact
       JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message WHERE s.n = ?`,
      n,
    )
    .one();
  const { name, tracking, postalAddress } = readTeam(sql);
  return {
    contact: { n: row.contact, id: row.contact_id },
    message: { n: row.message, id: row.message_id },
    run: row.run,
    ...(row.list === null ? {} : { list: row.list }),
    isTracked: tracking && row.untracked === 0,
    team: name,
    ...(postalAddress === null ? {} : { postalAddress }),
  };
};
