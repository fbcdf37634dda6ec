import { DAY_MS, isoOf } from "../../../../lib/util/dates.ts";
import { emailKey } from "../../../../lib/util/email-key.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { type StoredContact, toResponse } from "../../contacts/contact-rows.ts";
import type { Context, Result } from "../../core/context.ts";
import { RETENTION_MS } from "../../core/retention.ts";
import { meaningOfSuppression, suppressionOf } from "../../sending/suppression.ts";
import { findContact } from "../workflows/contact.ts";

/** A longer count would be slow and give no benefit. */
export const MOST_COUNTED = 1_000;

/** Returns a contact with its suppression and amount of stored data. */
export const showContact = async (
  { sql }: Pick<Context, "sql">,
  { contact: given }: AdminInput<"contacts.get">,
): Promise<Result<unknown>> => {
  const found = await findContact(sql, given, "contact");
  if ("refusal" in found) return found;
  const { contact } = found;
  const { untracked } = sql.exec<{ untracked: number }>("SELECT untracked FROM contacts WHERE n = ?", contact.n).one();
  return {
    body: {
      contact: toResponse(contact),
      suppression: suppressionShown(sql, contact.email),
      tracked: untracked === 0,
      consent: consentShown(contact),
      counts: countsOf(sql, contact),
      mail: mailOf(sql, contact),
    },
  };
};

const consentShown = ({ data: { consent } }: StoredContact) =>
  consent ? { at: consent.at ?? null, source: consent.source ?? null } : null;

const suppressionShown = (sql: SqlStorage, email: string | null) => {
  const suppression = email === null ? undefined : suppressionOf(sql, emailKey(email));
  if (!suppression) return null;
  const { at, reason } = suppression;
  return { since: isoOf(at), reason, meaning: meaningOfSuppression(reason) };
};

const countsOf = (sql: SqlStorage, { n, email }: StoredContact) => {
  const count = (rows: string, value: string | number) =>
    sql.exec<{ count: number }>(`SELECT count(*) AS count FROM (${rows} LIMIT ${MOST_COUNTED})`, value).one().count;
  return {
    sends: count("SELECT 1 FROM sends WHERE recipient_key = ?", email === null ? "" : emailKey(email)),
    events: count("SELECT 1 FROM events WHERE contact = ?", n),
    workflows: count("SELECT DISTINCT workflow FROM runs WHERE contact = ?", n),
    campaigns: count("SELECT 1 FROM recipients WHERE campaign IN (SELECT n FROM campaigns) AND contact = ?", n),
  };
};

/** Settled mails are stored for 30 days. Only marketing mail is tracked. */
const mailOf = (sql: SqlStorage, { email }: StoredContact) => ({
  days: RETENTION_MS / DAY_MS,
  ...sql
    .exec<{ sent: number; tracked: number; opened: number; clicked: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE sent) AS sent, count(*) FILTER (WHERE sent AND class = 'marketing') AS tracked,
         count(*) FILTER (WHERE EXISTS (SELECT 1 FROM ${SEEN} AND link = 0)) AS opened,
         count(*) FILTER (WHERE EXISTS (SELECT 1 FROM ${SEEN} AND link > 0)) AS clicked,
         count(*) FILTER (WHERE state IN ('bounced', 'failed')) AS failed
       FROM (SELECT n, class, state, state IN ('sent', 'delivered', 'complained') AS sent FROM sends
         WHERE recipient_key = ? AND preview = 0 ORDER BY n DESC LIMIT ${MOST_COUNTED}) AS mail`,
      email === null ? "" : emailKey(email),
    )
    .one(),
});

const SEEN = "send_hits WHERE send = mail.n AND (human > 0 OR proxy > 0)";
