import { emailKey } from "../../../lib/util/email-key.ts";
import { missingConsent } from "../../audience/consent.ts";
import type { MarketingClaim } from "../../types/mailer.ts";
import type { StoredContact } from "../contacts/row.ts";
import { readTeam } from "../team/team.ts";
import { reasonNotToSend } from "./suppression.ts";

/** Why a contact gets no marketing mail now, as its send shows it; undefined when it may get it. `list`: id of the mailing list. */
export const reasonNotToMarket = (
  sql: SqlStorage,
  contact: Pick<StoredContact, "email" | "data">,
  list: string | null,
): string | undefined => {
  if (contact.email === null) return "no_email";
  return missingConsent(contact.data, list) ?? reasonNotToSend(sql, contact.email);
};

type Row = {
  list: string | null;
  run: number | null;
  contact: number | null;
  contact_id: string | null;
  email: string | null;
  data: string | null;
  untracked: number | null;
  message: number | null;
};

/**
 * Checks marketing mails again before an attempt. Returns a function that gives what a Mailer needs for the mail in row `n`, or why it
 * is not sent. The mail goes to the address that the contact has now: its row is changed if that is another one.
 */
export const createGate = (sql: SqlStorage) => {
  const { name, tracking, postalAddress } = readTeam(sql);
  return (n: number, recipient: string): { claim?: MarketingClaim; reason?: string } => {
    const row = sql
      .exec<Row>(
        `SELECT s.list, s.run, c.n AS contact, c.id AS contact_id, c.email, json(c.data) AS data, c.untracked, m.n AS message
         FROM sends s LEFT JOIN contacts c ON c.n = s.contact
         LEFT JOIN message_revisions r ON r.n = s.revision LEFT JOIN email_messages m ON m.n = r.message WHERE s.n = ?`,
        n,
      )
      .one();
    const { contact, contact_id, email, data, message, list } = row;
    if (message === null) return { reason: "message_deleted" };
    if (contact === null || contact_id === null || data === null) return { reason: "contact_deleted" };
    const reason = reasonNotToMarket(sql, { email, data: JSON.parse(data) as StoredContact["data"] }, list);
    if (reason !== undefined) return { reason };
    if (email !== null && email !== recipient)
      sql.exec("UPDATE sends SET recipient = ?, recipient_key = ? WHERE n = ?", email, emailKey(email), n);
    const claim = {
      ...{ contact: { n: contact, id: contact_id }, message, run: row.run ?? 0 },
      ...(list === null ? {} : { list }),
      ...{ isTracked: tracking && row.untracked === 0, team: name },
      ...(postalAddress === null ? {} : { postalAddress }),
    };
    return { claim };
  };
};
