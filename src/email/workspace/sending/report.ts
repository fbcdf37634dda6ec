import { contactByEmail } from "../contacts/row.ts";
import { emit } from "../webhooks/emit.ts";

type Clock = { sql: SqlStorage; now: number };

type Row = {
  id: string;
  recipient: string;
  preview: number;
  message: string;
  subject: string | null;
  transactional: string | null;
  name: string | null;
};

/** The fields of a mail in the events about it; undefined for a preview, which is for the person who works on the message. */
const mailOf = (sql: SqlStorage, n: number) => {
  const row = sql
    .exec<Row>(
      `SELECT s.id, s.recipient, s.preview, m.id AS message, json_extract(r.source, '$.subject') AS subject,
         t.id AS transactional, t.name
       FROM sends s JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message
       LEFT JOIN templates t ON t.n = m.template
       WHERE s.n = ?`,
      n,
    )
    .toArray()[0];
  if (!row || row.preview === 1 || row.transactional === null) return undefined;
  const contact = contactByEmail(sql, row.recipient);
  return {
    contactIdentity: { id: contact?.id ?? "", email: row.recipient, userId: contact?.userId ?? null },
    email: { id: row.id, emailMessageId: row.message, subject: row.subject ?? "" },
    transactionalId: row.transactional,
    transactionalName: row.name ?? "",
  };
};

/** Reports that a relay took a mail. */
export const reportSent = (clock: Clock, n: number): void =>
  emit(clock, "transactional.email.sent", () => mailOf(clock.sql, n));

/** Reports what became of a mail after a relay took it, or that its recipient does not exist. */
export const reportMail = (
  clock: Clock,
  type: "email.delivered" | "email.softBounced" | "email.hardBounced" | "email.spamReported",
  n: number,
): void =>
  emit(clock, type, () => {
    const mail = mailOf(clock.sql, n);
    if (!mail) return undefined;
    const { transactionalName: _, ...fields } = mail;
    return { ...fields, sourceType: "transactional" };
  });
