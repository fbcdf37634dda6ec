import { email } from "../../../lib/contract/email.ts";
import { fill, type Values } from "../../lmx/fill.ts";
import type { Mail } from "../../types/mail.ts";
import type { CompiledMessage } from "../content/compile-message.ts";
import type { Claimed } from "./sends.ts";

/** Fills a template's slots with the values of one mail. Every attempt of a row gives the same mail. */
export const composeMail = (team: string, row: Claimed, template: CompiledMessage): Mail => {
  const values = JSON.parse(row.variables) as Values;
  const subject = fill(template.subject, values);
  const from = senderOf(template, values, domainOf(row.message_id));
  const replyTo = fill(template.replyTo ?? [], values);
  if (!isAddress(from)) throw new Error(notAnAddress(from));
  return {
    id: row.id,
    team,
    from,
    to: row.recipient,
    subject,
    html: fill(template.html, values),
    text: fill(template.text, values),
    headers: {
      "Message-ID": row.message_id,
      Date: mailDate(row.created_at),
      From: mailbox(fill(template.fromName, values), from),
      To: row.recipient,
      ...(isAddress(replyTo) ? { "Reply-To": replyTo } : {}),
      Subject: subject,
      "MIME-Version": "1.0",
      // Keeps out-of-office replies away: RFC 3834 section 5.
      "Auto-Submitted": "auto-generated",
    },
  };
};

/** The From address of a mail, which may not be a valid one: a template's `fromEmail` may have variables. */
export const senderOf = ({ fromEmail }: CompiledMessage, values: Values, domain: string): string =>
  `${fill(fromEmail, values)}@${domain}`;

export const isAddress = (address: string): boolean => email.safeParse(address).data === address;

export const notAnAddress = (from: string): string =>
  `The From address of this mail would be "${from}", which is no email address. Check fromEmail and its variables.`;

/** The domain of a Message-ID. From has the same domain. */
const domainOf = (messageId: string): string => messageId.slice(messageId.lastIndexOf("@") + 1, -1);

/** `"Name" <address>` (RFC 5322 section 3.4); the name quoted, so that it may hold commas and dots. */
const mailbox = (name: string, address: string): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;

/** A date as RFC 5322 section 3.3 writes it, in UTC; "GMT" is its obsolete form. */
const mailDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");
